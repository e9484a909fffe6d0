//! A configuration with the variables of a host whose environment the library cannot read.

use cpaas::bindings::config_with_variables;
use cpaas::error::{Outcome, Reason};

#[test]
fn variables_fill_what_the_configuration_does_not_set() {
    let variables = r#"{"CPAAS_SMS_URL":"https://variable.example","CPAAS_SMS_KEY":"k-1","CPAAS_TIMEOUT":"2.5","PATH":"/bin","CPAAS_JOURNAL":"x"}"#;
    let config = config_with_variables(r#"{"sms_url":"https://own.example"}"#, variables).unwrap();
    assert_eq!(config.sms_url.as_deref(), Some("https://own.example"));
    assert_eq!(config.sms_key, Some("k-1".into()));
    assert_eq!(config.timeout.map(|timeout| timeout.as_millis()), Some(2500));
    assert_eq!(config.otp_url, None);
}

#[test]
fn a_configuration_may_refuse_the_variables() {
    let variables = r#"{"CPAAS_SMS_URL":"https://variable.example","CPAAS_TIMEOUT":"soon"}"#;
    let config = config_with_variables(r#"{"read_environment":false}"#, variables).unwrap();
    assert_eq!((config.sms_url, config.timeout), (None, None));
    assert!(config_with_variables(r#"{"read_environment":false}"#, "not JSON").is_ok());
}

#[test]
fn a_variable_of_a_setting_that_is_set_may_be_invalid() {
    let variables = r#"{"CPAAS_TIMEOUT":"soon"}"#;
    assert!(config_with_variables(r#"{"timeout":3}"#, variables).is_ok());
}

#[test]
fn an_error_names_the_variable_and_quotes_nothing() {
    for (config, variables, message) in [
        ("{}", r#"{"CPAAS_TIMEOUT":"k-secret"}"#, "CPAAS_TIMEOUT must be"),
        ("{}", r#"{"CPAAS_MAX_ATTEMPTS":"-1"}"#, "CPAAS_MAX_ATTEMPTS must be"),
        ("{}", r#"{"CPAAS_SMS_KEY":5}"#, "the environment must be a JSON object whose values are strings"),
        ("{}", r#"["k-secret"]"#, "the environment must be a JSON object whose values are strings"),
        (
            "{}",
            r#"{"CPAAS_SMS_KEY":"k-secret"#,
            "the environment must be a JSON object whose values are strings",
        ),
        ("{}", "", "the environment must be a JSON object whose values are strings"),
        (r#"{"sms_ur":"k-secret"}"#, "{}", "sms_ur"),
    ] {
        let error = config_with_variables(config, variables).unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
        assert!(error.message.contains(message), "{}", error.message);
        assert!(!error.message.contains("k-secret"), "{}", error.message);
    }
}

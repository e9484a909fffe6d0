//! A message about a setting that was read from the environment names the variable, each case in a separate process.

use std::process::Command;

use cpaas::client::{Client, HttpTransport};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::request::RequestContext;
use cpaas::{Config, Error};

/// What the separate process prints.
fn output(variables: &[(&str, &str)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "environment_names::in_a_separate_process", "--nocapture"])
        .env_clear()
        .env("CPAAS_TEST_NAMES", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn show<T>(name: &str, result: Result<T, Error>) {
    println!("\n{name}: {}", result.map_or_else(|error| error.message.clone(), |_| "valid".to_owned()));
}

/// Reads the environment in the separate process of another test; does nothing in an ordinary run.
#[test]
fn in_a_separate_process() {
    if std::env::var_os("CPAAS_TEST_NAMES").is_none() {
        return;
    }
    let transport = |_: HttpRequest| async { Ok(HttpResponse::new(200, vec![], "{}")) };
    let config = Config::from_env().unwrap();
    show("client", Client::new(&config));
    show("transport", Client::with_transport(&config, transport));
    show("http", HttpTransport::new(&config));
    show("context", RequestContext::new(&config));
    let first = Client::new(&Config::default()).unwrap();
    show("reconfigured", first.reconfigured(&config));
    show("or", Client::new(&Config::default().or(config.clone())));
    // A value of the program in place of that of the environment.
    let mut assigned = config.clone();
    assigned.sms_url = Some("ftp://other.example".to_owned());
    show("assigned", Client::new(&assigned));
    show("set", Client::new(&config.clone().sms_url("ftp://other.example")));
    show("explicit", Client::new(&Config::default().sms_url("ftp://other.example").or_env().unwrap()));
    show("without", Client::new(&Config::default().sms_url("ftp://sms.example")));
    assert!(config == config.clone() && config != assigned);
}

/// The message after `name: `.
fn message<'a>(shown: &'a str, name: &str) -> &'a str {
    let start = format!("{name}: ");
    shown
        .lines()
        .find_map(|line| line.strip_prefix(start.as_str()))
        .unwrap_or_else(|| panic!("{name}: {shown}"))
}

#[test]
fn a_message_names_the_variable_from_which_a_setting_was_read() {
    for (name, value, expected) in [
        ("CPAAS_SMS_URL", "ftp://sms.example", "CPAAS_SMS_URL is not a valid address: "),
        ("CPAAS_OTP_URL", "", "CPAAS_OTP_URL is not a valid address: "),
        ("CPAAS_LOOKUP_URL", "lookup.example", "CPAAS_LOOKUP_URL is not a valid address: "),
        ("CPAAS_SEND_PATH", "send", "CPAAS_SEND_PATH must start with `/`"),
        ("CPAAS_API_KEY", "é", "CPAAS_API_KEY must contain only printable ASCII characters"),
        ("CPAAS_API_KEY_HEADER", "a b", "CPAAS_API_KEY_HEADER must be an HTTP token"),
        ("CPAAS_ALLOW_COUNTRIES", "[\"Greece\"]", "CPAAS_ALLOW_COUNTRIES "),
        ("CPAAS_CHANNEL_NAMES", "{\"pigeon\": \"p\"}", "each name in CPAAS_CHANNEL_NAMES must be a channel"),
        ("CPAAS_CALLBACK_KEYS", "[]", "CPAAS_CALLBACK_KEYS"),
    ] {
        let shown = output(&[(name, value)]);
        for entry in ["client", "transport", "http", "context", "reconfigured", "or"] {
            assert!(message(&shown, entry).starts_with(expected), "{name}, {entry}: {shown}");
        }
    }
    for (name, value, expected) in [
        ("CPAAS_USER_AGENT", "é", "CPAAS_USER_AGENT must contain only printable ASCII characters"),
        ("CPAAS_PROXY", "ftp://proxy", "CPAAS_PROXY must be the URL of a proxy"),
        ("CPAAS_CA_BUNDLE", "/nowhere", "CPAAS_CA_BUNDLE must be a readable file of PEM certificates"),
    ] {
        let shown = output(&[(name, value)]);
        for entry in ["client", "http", "or"] {
            assert!(message(&shown, entry).starts_with(expected), "{name}, {entry}: {shown}");
        }
    }
}

#[test]
fn a_message_names_the_setting_that_the_program_set() {
    let shown = output(&[("CPAAS_SMS_URL", "ftp://sms.example")]);
    for entry in ["assigned", "set", "explicit", "without"] {
        assert!(message(&shown, entry).starts_with("`sms_url` is not a valid address: "), "{entry}: {shown}");
    }
}

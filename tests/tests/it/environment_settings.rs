//! Settings from the environment, each case in a separate process: values, precedence, and variables that resemble a setting.

use std::fmt::{Debug, Write as _};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::Config;
use cpaas::config::{Region, Validation};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps the events of WARN.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(format!("{} {} ", event.metadata().level(), event.metadata().target()));
        event.record(&mut line);
        if *event.metadata().level() == Level::WARN {
            self.0.lock().unwrap().push(line.0);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// What the separate process prints: the error or the configuration, and the log.
fn output(variables: &[(&str, &str)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "environment_settings::in_a_separate_process", "--nocapture"])
        .env_clear()
        .env("CPAAS_TEST_ENVIRONMENT", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// Reads the environment in the separate process of another test; does nothing in an ordinary run.
#[test]
fn in_a_separate_process() {
    if std::env::var_os("CPAAS_TEST_ENVIRONMENT").is_none() {
        return;
    }
    let warnings = Warnings::default();
    let _guard = tracing::subscriber::set_default(warnings.clone());
    match Config::default().timeout(Duration::from_secs(7)).or_env() {
        Ok(config) => println!("read: {config:?}"),
        Err(error) => println!("error: {}", error.message),
    }
    match Config::from_env() {
        Ok(config) => println!("alone: {config:?}"),
        Err(error) => println!("alone error: {}", error.message),
    }
    for line in warnings.lines() {
        println!("log: {line}");
    }
}

#[test]
fn variables_are_strings_and_json() {
    let shown = output(&[
        ("CPAAS_DEADLINE", "2.5"),
        ("CPAAS_REGION", "hong_kong"),
        ("CPAAS_VALIDATION", "warn"),
        ("CPAAS_MAX_ATTEMPTS", "2"),
    ]);
    let expected = Config::default()
        .region(Region::HongKong)
        .validation(Validation::Warn)
        .deadline(Duration::from_millis(2500))
        .max_attempts(2);
    assert!(shown.contains(&format!("alone: {expected:?}")), "{shown}");
    assert!(shown.contains(&format!("read: {:?}", expected.timeout(Duration::from_secs(7)))), "{shown}");
}

#[test]
fn an_invalid_value_is_an_error_without_the_value() {
    let seconds =
        "CPAAS_DEADLINE must be a number of seconds greater than 0 and less than 18,446,744,073,709,551,616";
    let type_of_deadline = "CPAAS_DEADLINE must be a number of seconds";
    let choice = "CPAAS_VALIDATION must be strict, pedantic, warn or off";
    for (name, value, expected) in [
        ("CPAAS_DEADLINE", "-31337", seconds),
        ("CPAAS_DEADLINE", "0", seconds),
        ("CPAAS_DEADLINE", "0.0", seconds),
        ("CPAAS_DEADLINE", "31337e20", seconds),
        ("CPAAS_DEADLINE", "NaN", type_of_deadline),
        ("CPAAS_DEADLINE", "inf", type_of_deadline),
        ("CPAAS_DEADLINE", "Infinity", type_of_deadline),
        ("CPAAS_DEADLINE", "31337e999", type_of_deadline),
        ("CPAAS_DEADLINE", "31337s", type_of_deadline),
        ("CPAAS_DEADLINE", "", type_of_deadline),
        ("CPAAS_CALLBACK_LIFETIME", "-31337", "CPAAS_CALLBACK_LIFETIME must be 60 to 5,270,400 seconds"),
        (
            "CPAAS_CALLBACK_LIFETIME",
            "31337.5",
            "CPAAS_CALLBACK_LIFETIME must be an integer number of seconds",
        ),
        ("CPAAS_MAX_ATTEMPTS", "0", "CPAAS_MAX_ATTEMPTS must be 1 to 4,294,967,295"),
        ("CPAAS_MAX_ATTEMPTS", "-31337", "CPAAS_MAX_ATTEMPTS must be 1 to 4,294,967,295"),
        ("CPAAS_MAX_ATTEMPTS", "31337.5", "CPAAS_MAX_ATTEMPTS must be an integer"),
        ("CPAAS_MAX_ATTEMPTS", "31337000000", "CPAAS_MAX_ATTEMPTS must be 1 to 4,294,967,295"),
        (
            "CPAAS_MAX_CONNECTIONS",
            "9313370000000000000",
            "CPAAS_MAX_CONNECTIONS must be 1 to 9,223,372,036,854,775,807",
        ),
        ("CPAAS_MAX_CONNECTIONS", "31337000000000000000000", "CPAAS_MAX_CONNECTIONS must be an integer"),
        ("CPAAS_VALIDATION", "s31337", choice),
        ("CPAAS_VALIDATION", "", choice),
        ("CPAAS_VALIDATION", "\"off\"", choice),
        (
            "CPAAS_REGION",
            "31337",
            "CPAAS_REGION must be nearest, frankfurt, singapore, hong_kong or united_states",
        ),
        ("CPAAS_MESSAGING_AUTH", "Basic", "CPAAS_MESSAGING_AUTH must be header, basic or none"),
        ("CPAAS_SMS_FORMAT", "yaml31337", "CPAAS_SMS_FORMAT must be json or xml"),
        ("CPAAS_NORMALIZE", "31337", "CPAAS_NORMALIZE must be \"international\""),
    ] {
        let shown = output(&[(name, value)]);
        let error = shown.lines().find_map(|line| line.split_once("alone error: ")).map(|(_, error)| error);
        assert!(error.is_some_and(|error| error.starts_with(expected)), "{name}={value}: {shown}");
        assert!(!shown.contains("31337"), "{name}={value}: {shown}");
    }
}

/// An explicit value takes precedence, so its variable is not read.
#[test]
fn the_variable_of_an_explicit_setting_may_be_invalid() {
    for value in ["-1", "ten", "0"] {
        let shown = output(&[("CPAAS_TIMEOUT", value)]);
        assert!(shown.contains("read: Config { timeout: 7s }"), "{shown}");
    }
}

#[test]
fn a_variable_near_to_a_setting_is_logged_once_without_its_value() {
    let shown = output(&[
        ("CPAAS_SMS_KYE", "s3cr3t-key"),
        ("CPAAS_DEADLNE", "s3cr3t-2"),
        ("CPAAS_SMS_KEY", "s3cr3t-3"),
        ("CPAAS_BOT_ID", "s3cr3t-4"),
        ("CPAAS_JOURNAL", "s3cr3t-5"),
        ("CPAAS_SHOP", "s3cr3t-6"),
        ("SMS_KYE", "s3cr3t-7"),
    ]);
    assert!(!shown.contains("s3cr3t"), "{shown}");
    let log: Vec<_> = shown.lines().filter(|line| line.contains("log: ")).collect();
    let expected = |name: &str, meant: &str| {
        format!(
            "log: WARN cpaas::config::environment message=environment variable is not a setting name={name:?} meant={meant:?} "
        )
    };
    // The process reads the environment twice.
    assert_eq!(
        log,
        [expected("CPAAS_DEADLNE", "CPAAS_DEADLINE"), expected("CPAAS_SMS_KYE", "CPAAS_SMS_KEY")],
        "{shown}"
    );
}

#[test]
fn an_environment_of_settings_only_logs_nothing() {
    let names: Vec<String> =
        Config::NAMES.iter().map(|name| format!("CPAAS_{}", name.to_uppercase())).collect();
    let variables: Vec<_> = names.iter().map(|name| (name.as_str(), "")).collect();
    let shown = output(&variables);
    assert!(shown.contains("error: ") && !shown.contains("log: "), "{shown}");
}

//! Environment variables: their names, and the ones that resemble a setting.

#[cfg(feature = "call")]
use std::collections::BTreeSet;
use std::ffi::OsString;
#[cfg(feature = "call")]
use std::sync::{Mutex, PoisonError};

use super::Config;
use crate::printable::{MAX_NAME, printable};
use crate::util::nearest;

/// The prefix of the variables.
const PREFIX: &str = "CPAAS_";

/// The variables with this prefix that are not settings: an argument of calls, which the sandbox prints among the settings; the
/// address of the campaign journal; and those of the command that runs when a campaign halts.
const OTHERS: &[&str] = &["CPAAS_BOT_ID", "CPAAS_JOURNAL", "CPAAS_CAMPAIGN", "CPAAS_HALT_REASON"];

/// Names without the prefix that people write for a setting, and that are not similar enough to its name.
const OTHER_NAMES: &[(&str, &str)] = &[("KEY", "api_key"), ("SMS_API_KEY", "sms_key"), ("URL", "sms_url")];

/// Names without the prefix that people write for an argument of a client, which the environment cannot contain, and what they mean.
const ARGUMENTS: &[(&str, &str)] = &[
    ("suppression", "the argument `suppression` of a client"),
    ("guard", "the argument `guard` of a client"),
];

/// The variable of a setting.
pub(super) fn variable(setting: &str) -> String {
    format!("{PREFIX}{}", setting.to_ascii_uppercase())
}

/// An environment variable that no setting has, but whose name resembles that of a setting.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct MisspelledVariable {
    /// Its name, made printable.
    pub name: String,
    /// The variable that was probably meant, or the argument of a client.
    pub meant: String,
}

/// The misspelled variables of the process, sorted by name.
pub(super) fn misspelled() -> Vec<MisspelledVariable> {
    // `vars_os` panics if the host has no environment.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return Vec::new();
    }
    misspelled_among(std::env::vars_os().map(|(name, _)| name))
}

fn misspelled_among(names: impl Iterator<Item = OsString>) -> Vec<MisspelledVariable> {
    let mut found: Vec<_> = names.filter_map(|name| check(name.to_str()?)).collect();
    found.sort_unstable();
    found
}

fn check(name: &str) -> Option<MisspelledVariable> {
    let suffix = name.strip_prefix(PREFIX)?;
    // The names of variables have no case on Windows.
    let is = |known: &str| if cfg!(windows) { known.eq_ignore_ascii_case(name) } else { known == name };
    if OTHERS.iter().any(|other| is(other)) || Config::NAMES.iter().any(|setting| is(&variable(setting))) {
        return None;
    }
    let other = OTHER_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(suffix));
    let meant = match other {
        Some((_, setting)) => setting,
        None => {
            let arguments = ARGUMENTS.iter().map(|(argument, _)| *argument);
            nearest(suffix, &mut Config::NAMES.iter().copied().chain(arguments))?
        }
    };
    let argument = ARGUMENTS.iter().find(|(argument, _)| *argument == meant);
    let meant = argument.map_or_else(|| variable(meant), |(_, text)| (*text).to_owned());
    Some(MisspelledVariable { name: printable(name, MAX_NAME).into_owned(), meant })
}

/// Logs each misspelled variable of the process once: its name, never its value.
#[cfg(feature = "call")]
pub(super) fn log_misspelled() {
    static LOGGED: Mutex<BTreeSet<MisspelledVariable>> = Mutex::new(BTreeSet::new());
    let mut new = misspelled();
    // The lock ends before the subscriber runs, which may read the environment too.
    new.retain(|variable| LOGGED.lock().unwrap_or_else(PoisonError::into_inner).insert(variable.clone()));
    for MisspelledVariable { name, meant } in new {
        tracing::warn!(name, meant, "environment variable is not a setting");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(name: &str) -> Option<String> {
        let found = misspelled_among([OsString::from(name)].into_iter());
        found.into_iter().next().map(|variable| variable.meant)
    }

    #[test]
    fn a_name_near_to_a_setting_is_found() {
        for (name, expected) in [
            ("CPAAS_SMS_KYE", "CPAAS_SMS_KEY"),
            ("CPAAS_DEADLNE", "CPAAS_DEADLINE"),
            ("CPAAS_SMSKEY", "CPAAS_SMS_KEY"),
            ("CPAAS_API-KEY", "CPAAS_API_KEY"),
            ("CPAAS_SMS_ULR", "CPAAS_SMS_URL"),
            ("CPAAS_PROXI", "CPAAS_PROXY"),
            ("CPAAS_KEY", "CPAAS_API_KEY"),
            ("CPAAS_URL", "CPAAS_SMS_URL"),
            ("CPAAS_SMS_API_KEY", "CPAAS_SMS_KEY"),
            ("CPAAS_MAX_ATTEMPT", "CPAAS_MAX_ATTEMPTS"),
            ("CPAAS_SMS_URL_FRANKFUT", "CPAAS_SMS_URL_FRANKFURT"),
            ("CPAAS_SMS_KEY\n", "CPAAS_SMS_KEY"),
            ("CPAAS_SUPPRESSION", "the argument `suppression` of a client"),
            ("CPAAS_SUPRESSION", "the argument `suppression` of a client"),
            ("CPAAS_GUARD", "the argument `guard` of a client"),
        ] {
            assert_eq!(meant(name).as_deref(), Some(expected), "{name}");
        }
        #[cfg(not(windows))]
        assert_eq!(meant("CPAAS_sms_key").as_deref(), Some("CPAAS_SMS_KEY"));
    }

    #[test]
    fn other_names_mean_settings() {
        assert!(OTHER_NAMES.iter().all(|(_, setting)| Config::NAMES.contains(setting)));
    }

    #[test]
    fn settings_and_other_names_are_not_found() {
        for setting in Config::NAMES {
            assert_eq!(meant(&variable(setting)), None, "{setting}");
        }
        for name in [
            "CPAAS_BOT_ID",
            "CPAAS_JOURNAL",
            "CPAAS_CAMPAIGN",
            "CPAAS_HALT_REASON",
            "CPAAS_",
            "CPAAS",
            "CPAAS_X",
            "CPAAS_LOG",
            "CPAAS_SHOP_NAME",
            "SMS_KYE",
            "MY_CPAAS_SMS_KYE",
            "cpaas_sms_kye",
            "",
        ] {
            assert_eq!(meant(name), None, "{name}");
        }
        assert_eq!(meant(&format!("CPAAS_SMS_KEY{}", "X".repeat(100_000))), None);
    }

    #[test]
    fn many_names_are_sorted_and_printable() {
        let names = ["CPAAS_SMS_KYE", "CPAAS_DEADLNE", "CPAAS_DEADLINE", "CPAAS_API_KEY\u{1b}", "PATH"];
        let found = misspelled_among(names.into_iter().map(OsString::from));
        let found: Vec<_> = found.iter().map(|found| (found.name.as_str(), found.meant.as_str())).collect();
        assert_eq!(found[1..], [("CPAAS_DEADLNE", "CPAAS_DEADLINE"), ("CPAAS_SMS_KYE", "CPAAS_SMS_KEY")]);
        assert_eq!(found[0].1, "CPAAS_API_KEY");
        assert!(found[0].0.chars().all(|c| !c.is_control()), "{}", found[0].0);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf_8_is_skipped() {
        use std::os::unix::ffi::OsStringExt;

        let name = OsString::from_vec(b"CPAAS_SMS_K\xffY".to_vec());
        assert_eq!(misspelled_among([name].into_iter()), []);
    }
}

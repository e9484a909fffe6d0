//! The frequency cap: at most some messages to one recipient within some time, over the campaigns of a journal.

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::suppression::number;

/// At most this many messages within this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrequencyCap {
    /// The number of messages.
    pub messages: u32,
    /// The time.
    pub within: Duration,
}

impl FrequencyCap {
    /// Reads `2/7d`: a number of messages, and a time in minutes (`m`), hours (`h`), days (`d`) or weeks (`w`).
    ///
    /// # Errors
    /// When it does not have this form, or is 0.
    pub fn parse(text: &str) -> Result<Self> {
        let cap = text.split_once('/').and_then(|(messages, within)| {
            let messages = messages.trim().parse().ok().filter(|messages| *messages > 0)?;
            Some(Self { messages, within: length(within.trim())? })
        });
        let message = "the frequency cap must be a number of messages and a time, such as 2/7d";
        cap.ok_or_else(|| Error::Setting(message.to_owned()))
    }
}

/// A length of time such as `7d`; at most 10 years.
fn length(text: &str) -> Option<Duration> {
    const LONGEST: u64 = 3650 * 86_400;
    let unit = match text.chars().last()? {
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    let count: u64 = text.get(..text.len() - 1)?.parse().ok()?;
    let seconds = count.checked_mul(unit).filter(|seconds| (1..=LONGEST).contains(seconds))?;
    Some(Duration::from_secs(seconds))
}

/// The number of messages to each recipient, in the form in which recipients are compared.
#[derive(Debug, Clone, Default)]
pub struct Contacts {
    sent: Counter,
    pending: Counter,
}

impl Contacts {
    pub(crate) fn add(&mut self, recipient: &str) {
        self.sent.add(recipient);
    }

    /// Adds a recipient of a row that is not sent yet.
    pub(crate) fn add_pending(&mut self, recipient: &str) {
        self.pending.add(recipient);
    }

    /// The number of messages to a recipient.
    pub(crate) fn count(&self, recipient: &str) -> u32 {
        self.sent.count(recipient)
    }

    /// The number of rows to a recipient that are not sent yet.
    pub(crate) fn count_pending(&self, recipient: &str) -> u32 {
        self.pending.count(recipient)
    }
}

/// A number for each recipient.
#[derive(Debug, Clone, Default)]
struct Counter {
    numbers: HashMap<u64, u32>,
    others: HashMap<u128, u32>,
}

impl Counter {
    fn add(&mut self, recipient: &str) {
        let count = match number(recipient) {
            Some(number) => self.numbers.entry(number).or_default(),
            None => self.others.entry(digest(recipient)).or_default(),
        };
        *count = count.saturating_add(1);
    }

    fn count(&self, recipient: &str) -> u32 {
        let found = match number(recipient) {
            Some(number) => self.numbers.get(&number),
            None => self.others.get(&digest(recipient)),
        };
        found.copied().unwrap_or_default()
    }
}

fn digest(recipient: &str) -> u128 {
    u128::from_le_bytes(Sha256::digest(recipient).first_chunk().copied().unwrap_or_default())
}

impl std::str::FromStr for FrequencyCap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_is_a_number_of_messages_and_a_time() {
        for (text, messages, seconds) in
            [("2/7d", 2, 604_800), ("1/90m", 1, 5_400), ("10/24h", 10, 86_400), (" 3 / 2w ", 3, 1_209_600)]
        {
            let cap = FrequencyCap::parse(text).unwrap();
            assert_eq!((cap.messages, cap.within.as_secs()), (messages, seconds), "{text}");
        }
        for text in [
            "",
            "2",
            "2/",
            "/7d",
            "0/7d",
            "2/0d",
            "2/7",
            "2/d",
            "-1/7d",
            "2/7y",
            "2/7é",
            "2/99999999999999999w",
            "2/4000d",
        ] {
            assert!(FrequencyCap::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn contacts_count_numbers_and_identifiers() {
        let mut contacts = Contacts::default();
        for recipient in ["306900000001", "306900000001", "ann", "0306900000001"] {
            contacts.add(recipient);
        }
        let count = |recipient| contacts.count(recipient);
        assert_eq!((count("306900000001"), count("ann"), count("0306900000001"), count("ben")), (2, 1, 1, 0));
    }
}

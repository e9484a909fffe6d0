//! Checks of values that are not part of a request: sizes of photos and files, a bot's username, a card's height
//! (specification: Limits). The pointer of a problem names the argument; it is the root if the problem concerns several
//! arguments. The functions are pure and thread-safe.

use crate::json::tape_value::parse;
use crate::value::Value;

use crate::problem::{Pointer, Problem, Problems, Report, codes};
use crate::rules::length::BYTES;

const PHOTO_BYTES: u64 = 10 * 1024 * 1024;
const PHOTO_SIDES: u64 = 10_000;
const PHOTO_RATIO: u64 = 20;
const FILE_BYTES: u64 = 200 * 1024 * 1024;
const USERNAME: std::ops::RangeInclusive<usize> = 5..=32;
const CARD_HEIGHT: std::ops::RangeInclusive<i64> = 112..=344;

/// Checks a `messenger_c` photo: at most 10 MiB (10,485,760 bytes), width plus height at most 10,000 pixels, the
/// longer side at most 20 times the shorter.
#[must_use]
pub fn check_photo(bytes: u64, width: u64, height: u64) -> Vec<Problem> {
    let mut problems = Problems::default();
    let at = Pointer::ROOT;
    if bytes > PHOTO_BYTES {
        problems.report_key(&codes::MESSENGER_C_PHOTO_BYTES, &at, "bytes").limit(PHOTO_BYTES, bytes, BYTES);
    }
    let sides = width.saturating_add(height);
    if sides > PHOTO_SIDES {
        problems.report(&codes::MESSENGER_C_PHOTO_DIMENSIONS, &at).limit(PHOTO_SIDES, sides, "pixels");
    }
    if width.max(height).div_ceil(PHOTO_RATIO) > width.min(height) {
        problems.report(&codes::MESSENGER_C_PHOTO_RATIO, &at).param("limit", PHOTO_RATIO);
    }
    problems.into_vec()
}

/// Checks a `messenger_b` file: at most 200 MiB (209,715,200 bytes).
#[must_use]
pub fn check_file(bytes: u64) -> Vec<Problem> {
    let mut problems = Problems::default();
    if bytes > FILE_BYTES {
        let at = Pointer::ROOT;
        problems.report_key(&codes::MESSENGER_B_FILE_BYTES, &at, "bytes").limit(FILE_BYTES, bytes, BYTES);
    }
    problems.into_vec()
}

/// Checks a `messenger_c` bot's username: 5 to 32 characters, ending in `bot`, in upper or lower case.
#[must_use]
pub fn check_bot_username(username: &str) -> Vec<Problem> {
    let mut problems = Problems::default();
    let tail = username.len().checked_sub(3).and_then(|start| username.get(start..));
    let ends_in_bot = tail.is_some_and(|tail| tail.eq_ignore_ascii_case("bot"));
    let length = username.chars().count();
    if !ends_in_bot || !USERNAME.contains(&length) {
        let at = Pointer::ROOT;
        problems.report_key(&codes::MESSENGER_C_BOT_USERNAME, &at, "username").param("actual", length);
    }
    problems.into_vec()
}

/// Checks the height of a `business_chat` card: 112 to 344 density-independent pixels.
#[must_use]
pub fn check_card_height(dp: i64) -> Vec<Problem> {
    let mut problems = Problems::default();
    if !CARD_HEIGHT.contains(&dp) {
        let at = Pointer::ROOT;
        let limit = dp.clamp(*CARD_HEIGHT.start(), *CARD_HEIGHT.end());
        problems.report_key(&codes::BUSINESS_CHAT_CARD_HEIGHT, &at, "dp").limit(limit, dp, "DP");
    }
    problems.into_vec()
}

/// Runs a check by name, with its arguments as a JSON object: `photo` (`bytes`, `width`, `height`), `file` (`bytes`),
/// `bot_username` (`username`), `card_height` (`dp`). Returns `None` for an unknown check.
///
/// A missing argument or one of the wrong type is reported as `msg.field.type`; only `dp` may be negative.
#[must_use]
pub(crate) fn json(name: &str, arguments: &str) -> Option<Report> {
    let arguments = parse(arguments);
    let mut read = Arguments { arguments, problems: Problems::default() };
    let found = match name {
        "photo" => check_photo(read.count("bytes"), read.count("width"), read.count("height")),
        "file" => check_file(read.count("bytes")),
        "bot_username" => check_bot_username(&read.text("username")),
        "card_height" => check_card_height(read.integer("dp")),
        _ => return None,
    };
    let wrong = read.problems.into_vec();
    Some(Report::new(if wrong.is_empty() { found } else { wrong }))
}

struct Arguments {
    arguments: Option<Value>,
    problems: Problems,
}

impl Arguments {
    fn member(&self, name: &str) -> Option<&Value> {
        self.arguments.as_ref()?.get(name)
    }

    fn count(&mut self, name: &str) -> u64 {
        let value = self.member(name).and_then(Value::as_u64);
        value.unwrap_or_else(|| self.wrong(name, "must be an integer of 0 or more"))
    }

    fn integer(&mut self, name: &str) -> i64 {
        let value = self.member(name).and_then(Value::as_i64);
        value.unwrap_or_else(|| self.wrong(name, "must be an integer"))
    }

    fn text(&mut self, name: &str) -> String {
        let value = self.member(name).and_then(Value::as_str).map(str::to_owned);
        value.unwrap_or_else(|| self.wrong(name, "must be a string"))
    }

    fn wrong<T: Default>(&mut self, name: &str, message: &str) -> T {
        self.problems.report_key(&codes::MSG_FIELD_TYPE, &Pointer::ROOT, name).message(message);
        T::default()
    }
}

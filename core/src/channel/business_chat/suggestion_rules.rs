//! Rules of suggestions (D4, Limits).

use super::{MISPLACED_RICH_TEXT, RICH_TEXT, Reply, Suggestion};
use crate::problem::{Code, Pointer, Problems, Validate, codes};
use crate::rules::{basic_markdown, length, unknown_members};
use crate::util::repeats::repeats;

/// Lists of at most this many suggestions are compared pair by pair.
const FEW: usize = 16;
pub(super) const TEXT_MAX: usize = 25;
const POSTBACK_LONG: usize = 2048;

/// Checks the suggestions of a message or a card; `code` reports more than `limit`.
pub(super) fn check(
    list: &[Suggestion],
    code: &'static Code,
    limit: usize,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    length::items(code, list.len(), limit, at, "suggestions", problems);
    if has_repeats(list) {
        duplicates(list, at, problems);
    }
    for (index, suggestion) in list.iter().enumerate() {
        suggestion.check(&at.key("suggestions").index(index), problems);
    }
}

/// Whether a list may have duplicates: it is long, or two suggestions share a text or postback data.
fn has_repeats(list: &[Suggestion]) -> bool {
    if list.len() > FEW {
        return true;
    }
    let mut replies = list.iter().filter_map(|suggestion| suggestion.reply.as_ref());
    let mut found = false;
    while let Some(reply) = replies.next() {
        found |= replies
            .clone()
            .any(|other| reply.text == other.text || reply.postback_data == other.postback_data);
    }
    found
}

fn duplicates(list: &[Suggestion], at: &Pointer<'_>, problems: &mut Problems) {
    let mut repeated = vec![false; list.len()];
    mark_repeats(list, |reply| &reply.text, &mut repeated);
    mark_repeats(list, |reply| reply.postback_data.as_deref().unwrap_or_default(), &mut repeated);
    let mut indices = Vec::new();
    for (index, is_repeated) in repeated.iter().enumerate() {
        if *is_repeated {
            indices.push(index);
        }
    }
    problems.indices(&codes::BUSINESS_CHAT_SUGGESTION_DUPLICATE, indices, at, "suggestions", None);
}

/// Marks the replies that repeat a value of an earlier reply.
fn mark_repeats(list: &[Suggestion], of: fn(&Reply) -> &str, repeated: &mut [bool]) {
    let mut values = Vec::new();
    for (index, suggestion) in list.iter().enumerate() {
        let value = suggestion.reply.as_ref().map(of).unwrap_or_default();
        if !value.is_empty() {
            values.push((value, index));
        }
    }
    for (index, _) in repeats(&values) {
        if let Some(is_repeated) = repeated.get_mut(index) {
            *is_repeated = true;
        }
    }
}

impl Validate for Suggestion {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        match &self.reply {
            Some(reply) => reply.check(&at.key("reply"), problems),
            None if self.extra.iter().any(|(_, value)| value.is_object()) => {}
            None => problems.add(&codes::BUSINESS_CHAT_SUGGESTION_KIND, at),
        }
        // A suggested action is an undocumented object.
        for (name, _) in self.extra.iter().filter(|(_, value)| value.get(RICH_TEXT).is_some()) {
            problems.add_key(&codes::BUSINESS_CHAT_RICH_TEXT_MISPLACED, &at.key(name), RICH_TEXT);
        }
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

impl Validate for Reply {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.text.is_empty() {
            problems.add_key(&codes::BUSINESS_CHAT_SUGGESTION_TEXT_EMPTY, at, "text");
        }
        if length::over(&self.text, TEXT_MAX).is_some() {
            let code = &codes::BUSINESS_CHAT_SUGGESTION_TEXT_TOO_LONG;
            length::at_most(code, &self.text, TEXT_MAX, at, "text", problems);
        } else {
            let code = &codes::BUSINESS_CHAT_SUGGESTION_TEXT_UTF16_OVER;
            length::utf16_over(code, &self.text, TEXT_MAX, at, "text", problems);
        }
        if basic_markdown::read(&self.text).present {
            problems.add_key(&codes::BUSINESS_CHAT_RICH_TEXT_LITERAL, at, "text");
        }
        let postback = self.postback_data.as_deref().unwrap_or_default();
        if postback.is_empty() {
            problems.add_key(&codes::BUSINESS_CHAT_SUGGESTION_POSTBACK_MISSING, at, "postbackData");
        }
        let code = &codes::BUSINESS_CHAT_SUGGESTION_POSTBACK_LONG;
        length::at_most_whole(code, postback, POSTBACK_LONG, at, "postbackData", problems);
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

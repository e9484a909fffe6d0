//! Rules of suggestions (D4, Limits).

use std::borrow::Cow;

use super::check::misplaced;
use super::{Reply, Suggestion};
use crate::operation::Validate;
use crate::problem::{Pointer, Problems, codes};
use crate::rules::repeats::repeats;
use crate::rules::{length, members, rich};

/// Lists of up to so many are compared pair by pair.
const FEW: usize = 16;
const RICH: &str = "containsRichText";
const TEXT_MAX: usize = 25;
const POSTBACK_LONG: usize = 2048;

/// A list of suggestions, of a message or of a card.
pub(super) fn check(list: &[Suggestion], at: &Pointer<'_>, problems: &mut Problems) {
    if list.len() > FEW || has_repeats(list) {
        duplicates(list, at, problems);
    }
    for (index, suggestion) in list.iter().enumerate() {
        suggestion.check(&at.index(index), problems);
    }
}

/// The pairs of a short list, without allocation.
fn has_repeats(list: &[Suggestion]) -> bool {
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
    let again = |of: fn(&Reply) -> &str| {
        let mut values = Vec::new();
        for (index, suggestion) in list.iter().enumerate() {
            let value = suggestion.reply.as_ref().map(of).unwrap_or_default();
            if !value.is_empty() {
                values.push((Cow::Borrowed(value.as_bytes()), index));
            }
        }
        repeats(values).into_iter().map(|(index, _)| index)
    };
    let mut twice = vec![false; list.len()];
    for index in
        again(|reply| &reply.text).chain(again(|reply| reply.postback_data.as_deref().unwrap_or_default()))
    {
        if let Some(twice) = twice.get_mut(index) {
            *twice = true;
        }
    }
    let indices: Vec<usize> =
        twice.iter().enumerate().filter_map(|(index, twice)| twice.then_some(index)).collect();
    if !indices.is_empty() {
        problems.tell(&codes::BUSINESS_CHAT_SUGGESTION_DUPLICATE, at).param("indices", indices);
    }
}

impl Validate for Suggestion {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        match &self.reply {
            Some(reply) => reply.check(&at.key("reply"), problems),
            None if self.extra.iter().any(|(_, value)| value.is_object()) => {}
            None => problems.add(&codes::BUSINESS_CHAT_SUGGESTION_KIND, at),
        }
        // A suggested action, whose own members are not shown.
        for (name, _) in self.extra.iter().filter(|(_, value)| value.get(RICH).is_some()) {
            problems.add(&codes::BUSINESS_CHAT_RICH_TEXT_MISPLACED, &at.key(name).key(RICH));
        }
        members::unknown_or(self, &self.extra, at, problems, &misplaced);
    }
}

impl Validate for Reply {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let place = at.key("text");
        if self.text.is_empty() {
            problems.add(&codes::BUSINESS_CHAT_SUGGESTION_TEXT_EMPTY, &place);
        }
        if length::over(&self.text, TEXT_MAX).is_some() {
            let code = &codes::BUSINESS_CHAT_SUGGESTION_TEXT_TOO_LONG;
            length::at_most(code, &self.text, TEXT_MAX, &place, problems);
        } else {
            let code = &codes::BUSINESS_CHAT_SUGGESTION_TEXT_UTF16_OVER;
            length::utf16_over(code, &self.text, TEXT_MAX, &place, problems);
        }
        if rich::read(&self.text).present {
            problems.add(&codes::BUSINESS_CHAT_RICH_TEXT_LITERAL, &place);
        }
        let place = at.key("postbackData");
        let postback = self.postback_data.as_deref().unwrap_or_default();
        if postback.is_empty() {
            problems.add(&codes::BUSINESS_CHAT_SUGGESTION_POSTBACK_MISSING, &place);
        }
        let code = &codes::BUSINESS_CHAT_SUGGESTION_POSTBACK_LONG;
        length::at_most_whole(code, postback, POSTBACK_LONG, &place, problems);
        members::unknown_or(self, &self.extra, at, problems, &misplaced);
    }
}

//! The names of members in other languages, from their names in the specification.

/// `requestID` to `request_id`.
pub(crate) fn snake(wire: &str) -> String {
    let letters: Vec<char> = wire.chars().collect();
    let mut out = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
            });
        if starts_word {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// `requestID` and `request_id` to `requestId`: the words of [`snake`], each but the first with a capital letter.
pub(crate) fn lower_camel(wire: &str) -> String {
    let snake = snake(wire);
    let (first, rest) = snake.split_once('_').unwrap_or((&snake, ""));
    format!("{first}{}", crate::object_names::camel(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_words_of_the_specification() {
        for (wire, python, javascript) in [
            ("requestID", "request_id", "requestId"),
            ("message_id", "message_id", "messageId"),
            ("createdAt", "created_at", "createdAt"),
            ("twoFaOtpSdrs", "two_fa_otp_sdrs", "twoFaOtpSdrs"),
            ("URLOfPage", "url_of_page", "urlOfPage"),
            ("usage2Daily", "usage2_daily", "usage2Daily"),
            ("code", "code", "code"),
            ("from", "from", "from"),
        ] {
            assert_eq!((snake(wire).as_str(), lower_camel(wire).as_str()), (python, javascript));
        }
    }
}

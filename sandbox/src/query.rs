//! Query strings.

/// Decodes percent-encoding; bytes that are no UTF-8 become the replacement character.
pub(crate) fn decode(text: &str) -> String {
    decode_with(text, false)
}

fn decode_with(text: &str, plus: bool) -> String {
    let encoded = text.contains('%') || (plus && text.contains('+'));
    if !encoded {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let ahead = rest.clone();
        let hex =
            |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let mut peek = ahead;
        match (byte, hex(peek.next()), hex(peek.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high << 4 | low);
                rest = peek;
            }
            (b'+', ..) if plus => bytes.push(b' '),
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The parameters in order, decoded.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode_with(name, true), decode_with(value, true))
    })
}

/// The first parameter of a name.
pub(crate) fn get(query: &str, name: &str) -> Option<String> {
    pairs(query).find(|(key, _)| key == name).map(|(_, value)| value)
}

/// Percent-encodes everything but the unreserved characters.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded() {
        assert_eq!(get("a=1&msisdn=%2B30+7%zz", "msisdn").as_deref(), Some("+30 7%zz"));
        assert_eq!(decode("a+b%20c"), "a+b c");
        assert_eq!(encode("é&~"), "%C3%A9%26~");
    }
}

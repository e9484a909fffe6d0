//! Punycode (RFC 3492), as far as a rule needs it: whether a label decodes to characters that stay as they are.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// Whether an ASCII text decodes to at least one character that is not ASCII, and to none that IDNA refuses or replaces by others:
/// upper case, numbers in circles, white space. IDNA also knows decimal digits of other scripts, which this function refuses.
pub(crate) fn is_encoded(text: &str) -> bool {
    let (basic, digits) = text.rsplit_once('-').unwrap_or(("", text));
    !digits.is_empty() && decodes(basic.len(), digits.as_bytes()).is_some()
}

/// Follows the decoder of section 6.2 without keeping the characters.
fn decodes(basic: usize, digits: &[u8]) -> Option<()> {
    let mut length = u32::try_from(basic).ok()?;
    let (mut n, mut i, mut bias) = (INITIAL_N, 0_u32, INITIAL_BIAS);
    let mut digits = digits.iter();
    while !digits.as_slice().is_empty() {
        let before = i;
        let (mut weight, mut k) = (1_u32, BASE);
        loop {
            let digit = value(*digits.next()?)?;
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        length += 1;
        bias = adapted(i - before, length, before == 0);
        n = n.checked_add(i / length)?;
        char::from_u32(n).filter(is_kept)?;
        i = i % length + 1;
    }
    Some(())
}

fn is_kept(decoded: &char) -> bool {
    !(decoded.is_uppercase() || decoded.is_numeric() || decoded.is_whitespace() || decoded.is_control())
}

/// The bias for the next character (section 6.1).
fn adapted(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > ((BASE - T_MIN) * T_MAX) / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

/// The value of a digit: letters are 0 to 25, digits are 26 to 35.
fn value(digit: u8) -> Option<u32> {
    match digit {
        b'a'..=b'z' => Some(u32::from(digit - b'a')),
        b'A'..=b'Z' => Some(u32::from(digit - b'A')),
        b'0'..=b'9' => Some(u32::from(digit - b'0') + 26),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_encoded;

    #[test]
    fn the_samples_of_the_rfc_decode() {
        for sample in [
            "egbpdaj6bu4bxfgehfvwxn",
            "ihqwcrb4cv8a8dqg056pqjye",
            "Proprostnemluvesky-uyb24dma41a",
            "3B-ww4c5e180e575a65lsy2b",
            "n3h",
            "PorqunopuedensimplementehablarenEspaol-fmd56a",
            "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n",
        ] {
            assert!(is_encoded(sample), "{sample}");
        }
        for wrong in ["", "-", "abc-", "pokxncvks", "99999999", "a_b", "ls8h="] {
            assert!(!is_encoded(wrong), "{wrong}");
        }
    }
}

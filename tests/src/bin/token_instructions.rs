//! `token_instructions verify|naive AT COUNT`: verifies a token COUNT times, to be run under an instruction counter by
//! tests/nightly/token_constant_time.sh. Character AT of the token's tag is wrong (0 to 42), or the tag is correct (43). If AT is
//! `expires`, the first character is wrong and the token is expired. `naive` compares byte by byte and stops at the first
//! difference.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a command-line program"
)]

use std::hint::black_box;

use cpaas::callback::{Keyring, Lifetime, Purpose};

const NOW: u64 = 1_700_000_000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (how, at, count) =
        (&*arguments[1], arguments[2].parse::<usize>().ok(), arguments[3].parse::<u32>().unwrap());
    let keys = Keyring::new([("k1", "the secret of k1, thirty-two bytes or more")]).unwrap();
    let token =
        keys.mint_with(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Seconds(60), NOW, [7; 5]);
    let (token, moment) = (token.unwrap(), if at.is_some() { NOW } else { NOW + 3600 });
    let altered = alter(&token, at.unwrap_or(0));
    let mut refused = 0;
    for _ in 0..count {
        refused += u32::from(match how {
            "verify" => verify(&keys, black_box(&altered), moment),
            _ => naive(black_box(token.as_bytes()), black_box(altered.as_bytes())),
        });
    }
    println!("{refused} of {count} refused");
}

#[inline(never)]
fn verify(keys: &Keyring, token: &str, moment: u64) -> bool {
    keys.verify(token, Purpose::DeliveryReport, "shop", "booking-7", moment).is_err()
}

#[inline(never)]
fn naive(expected: &[u8], found: &[u8]) -> bool {
    expected.iter().zip(found).any(|(expected, found)| black_box(expected) != black_box(found))
}

/// The token with character `at` of its tag replaced by another base64url character that is valid in that position.
fn alter(token: &str, at: usize) -> String {
    let (head, tag) = token.rsplit_once('.').unwrap();
    let mut tag = tag.as_bytes().to_vec();
    if let Some(byte) = tag.get_mut(at) {
        *byte = if *byte == b'A' { b'E' } else { b'A' };
    }
    format!("{head}.{}", String::from_utf8(tag).unwrap())
}

//! Minting and verifying a callback token, compared with a JSON web token (HS256) with the same claims in the same run.
//!
//! `cargo bench -p cpaas-tests --features bench-token --bench token`; prints nanoseconds (the median of many
//! rounds, and the minimum) and ratios, and fails if minting or verifying a token lasts more than a microsecond.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpaas::callback::{Keyring, Lifetime, Purpose, Receiver, Source};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

const NOW: u64 = 1_700_000_000;
const SECRET: &[u8] = b"thirty-two bytes or more of secret";
const ROUNDS: usize = 2_001;
/// Calls per round: few enough that a round fits into one time slice of the scheduler.
const CALLS: u32 = 100;
const LIMIT_NS: f64 = 1_000.0;

#[derive(Serialize, Deserialize)]
struct Claims {
    aud: String,
    sub: String,
    iat: u64,
    exp: u64,
    purpose: u8,
    jti: String,
}

/// Nanoseconds per call, in interleaved rounds: (median, minimum).
fn measure(subjects: &mut [(&str, &mut dyn FnMut())]) -> Vec<(f64, f64)> {
    let mut times = vec![Vec::with_capacity(ROUNDS); subjects.len()];
    for _ in 0..ROUNDS {
        for ((_, call), times) in subjects.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call());
            times.push(start.elapsed());
        }
    }
    let nanoseconds = |time: &Duration| time.as_secs_f64() * 1e9 / f64::from(CALLS);
    times.iter_mut().for_each(|times| times.sort());
    times.iter().map(|times| (nanoseconds(&times[ROUNDS / 2]), nanoseconds(&times[0]))).collect()
}

fn main() {
    let keys = Keyring::new([("k1", SECRET)]).unwrap();
    let token = keys.mint(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Default, NOW).unwrap();
    let receiver = Receiver::new("shop", "https://shop.example/cb").unwrap().delivery_keys(keys.clone());
    let url = format!(
        "{}&msgid=m-1&status=sent&reference=booking-7",
        receiver.url(Source::SmsReport, "booking-7", NOW).unwrap()
    );

    let (encoding, decoding) = (EncodingKey::from_secret(SECRET), DecodingKey::from_secret(SECRET));
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_audience(&["shop"]);
    validation.validate_exp = false; // it would read the system clock, but NOW is in the past
    let claims = || Claims {
        aud: "shop".into(),
        sub: "booking-7".into(),
        iat: NOW,
        exp: NOW + 259_200,
        purpose: 1,
        jti: "AAECAwQFBgcICQoL".into(),
    };
    let web_token = encode(&Header::default(), &claims(), &encoding).unwrap();

    let mut mint =
        || drop(black_box(keys.mint(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Default, NOW)));
    let mut encode_web = || drop(black_box(encode(&Header::default(), &claims(), &encoding)));
    let mut verify =
        || drop(black_box(keys.verify(&token, Purpose::DeliveryReport, "shop", "booking-7", NOW)));
    let mut decode_web = || drop(black_box(decode::<Claims>(&web_token, &decoding, &validation).unwrap()));
    let mut refuse =
        || drop(black_box(keys.verify(&token, Purpose::DeliveryReport, "shop", "booking-8", NOW)));
    let mut receive = || drop(black_box(receiver.receive("GET", &url, &[], b"", NOW)));
    let mut random = || {
        let mut bytes = [0_u8; 5];
        getrandom::fill(black_box(&mut bytes)).unwrap();
    };
    let mut subjects: [(&str, &mut dyn FnMut()); 7] = [
        ("mint", &mut mint),
        ("jsonwebtoken encode", &mut encode_web),
        ("verify", &mut verify),
        ("jsonwebtoken decode", &mut decode_web),
        ("verify, rejected", &mut refuse),
        ("receive a report", &mut receive),
        ("  of mint: random bytes", &mut random),
    ];
    let times = measure(&mut subjects);
    for ((name, _), (median, least)) in subjects.iter().zip(&times) {
        println!("{name:<24} {median:>7.0} ns median {least:>7.0} ns least");
    }
    println!(
        "mint   {:.2} x jsonwebtoken encode, {} against {} characters",
        times[0].0 / times[1].0,
        token.len(),
        web_token.len()
    );
    println!("verify {:.2} x jsonwebtoken decode", times[2].0 / times[3].0);
    let slow = [times[0].0, times[2].0].into_iter().any(|median| median > LIMIT_NS);
    assert!(!slow, "mint and verify take at most {LIMIT_NS} ns");
}

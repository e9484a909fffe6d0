//! Tokens: rejections, rotation of keys, lifetimes, and the alphabet.
#![cfg(feature = "callback")]

use std::collections::BTreeMap;

use cpaas::callback::{
    Key, KeyState, Keyring, KeyringError, Lifetime, MAX_LIFETIME, MintError, Purpose, RejectionReason,
    Template, TemplateFormat, Values, Variable, token_url,
};

const NOW: u64 = 1_700_000_000;
const DAY: u32 = 24 * 3600;
const OLD: &[u8] = b"the old secret, thirty-two bytes or more";
const NEW: &[u8] = b"the new secret, thirty-two bytes or more";

fn ring(keys: &[(&str, &[u8])]) -> Keyring {
    Keyring::new(keys.iter().map(|(kid, secret)| Key::new(*kid, secret))).unwrap()
}

fn mint(keys: &Keyring) -> String {
    keys.mint(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Default, NOW).unwrap()
}

fn verify(keys: &Keyring, token: &str) -> Result<(), RejectionReason> {
    keys.verify(token, Purpose::DeliveryReport, "shop", "booking-7", NOW).map(drop)
}

#[test]
fn every_change_of_one_byte_is_rejected_with_its_reason() {
    let keys = ring(&[("k1", OLD), ("k2", NEW)]);
    let fixed = keys.mint_with(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Default, NOW, [7; 5]);
    let token = fixed.unwrap();
    assert_eq!((token.len(), verify(&keys, &token)), (78, Ok(())));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for at in 0..token.len() {
        for byte in 0..=255_u8 {
            let mut bytes = token.clone().into_bytes();
            if std::mem::replace(&mut bytes[at], byte) == byte {
                continue;
            }
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let reason = verify(&keys, &changed).unwrap_err();
            let expected: &[RejectionReason] = match at {
                0..3 | 5 | 34 => &[RejectionReason::Malformed],
                3..5 => &[RejectionReason::Malformed, RejectionReason::UnknownKey, RejectionReason::Altered],
                _ => &[RejectionReason::Malformed, RejectionReason::Altered],
            };
            assert!(expected.contains(&reason), "byte {at} as {byte}: {reason}");
            *reasons.entry(reason.as_str()).or_default() += 1;
        }
    }
    // The head and the tag have 71 characters. Each of the first 70 has 63 valid replacements, the last one has 15. The
    // key id has one: k2 for k1.
    assert_eq!(reasons["altered"], 70 * 63 + 15 + 1);
}

/// A forged token is never reported as expired or not yet valid: the tag is compared before the times.
#[test]
fn the_tag_is_compared_before_the_times() {
    let (keys, forger) = (ring(&[("k1", OLD)]), ring(&[("k1", NEW)]));
    let token = |keys: &Keyring, now: u64| {
        keys.mint(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Seconds(60), now).unwrap()
    };
    for (moment, expected) in
        [(NOW - 3600, RejectionReason::Expired), (NOW + 3600, RejectionReason::NotYetValid)]
    {
        assert_eq!(verify(&keys, &token(&keys, moment)), Err(expected));
        assert_eq!(verify(&keys, &token(&forger, moment)), Err(RejectionReason::Altered));
    }
}

#[test]
fn every_truncation_and_every_repetition_is_malformed() {
    let keys = ring(&[("k1", OLD)]);
    let token = mint(&keys);
    for length in 1..token.len() {
        assert_eq!(verify(&keys, &token[..length]), Err(RejectionReason::Malformed), "{length} bytes");
        assert_eq!(verify(&keys, &format!("{token}{}", &token[..length])), Err(RejectionReason::Malformed));
    }
    assert_eq!(verify(&keys, ""), Err(RejectionReason::Absent));
}

#[test]
fn tokens_are_accepted_during_a_rotation() {
    let steps = [
        ring(&[("old", OLD)]),
        ring(&[("old", OLD), ("new", NEW)]),
        ring(&[("new", NEW), ("old", OLD)]),
        ring(&[("new", NEW)]),
    ];
    // Processes are at most one step apart while a step is rolled out.
    for (at, signer) in steps.iter().enumerate() {
        let token = mint(signer);
        for verifier in &steps[at.saturating_sub(1)..=(at + 1).min(3)] {
            assert_eq!(verify(verifier, &token), Ok(()), "signed at step {at}");
        }
    }
    assert_eq!(verify(&steps[3], &mint(&steps[1])), Err(RejectionReason::UnknownKey));
    assert_eq!(verify(&steps[0], &mint(&steps[2])), Err(RejectionReason::UnknownKey));
}

#[test]
fn lint_allows_removing_a_key_when_its_last_token_has_expired() {
    let three_days = 3 * DAY;
    let keys = || [Key::new("new", NEW), Key::new("old", OLD).retired_at(NOW)];
    let states =
        |keys: &Keyring, now: u64| keys.lint(now).iter().map(|notice| notice.state).collect::<Vec<_>>();
    let gone = NOW + u64::from(three_days);

    let expiring = Keyring::new(keys()).unwrap().longest_lifetime(three_days).unwrap().expiring_only();
    assert_eq!(states(&expiring, gone - 1), [KeyState::Signs, KeyState::Keep]);
    assert_eq!(states(&expiring, gone), [KeyState::Signs, KeyState::Removable]);
    assert_eq!(expiring.lint(NOW)[1].tokens_expire_at, Some(gone));

    let last = ring(&[("old", OLD)])
        .mint(Purpose::DeliveryReport, "shop", "booking-7", Lifetime::Default, NOW)
        .unwrap();
    let at = |now| expiring.verify(&last, Purpose::DeliveryReport, "shop", "booking-7", now).map(drop);
    assert_eq!((at(gone - 1), at(gone)), (Ok(()), Err(RejectionReason::Expired)));

    let registered = Keyring::new(keys()).unwrap();
    assert_eq!(states(&registered, gone), [KeyState::Signs, KeyState::Keep]);
    let gone = NOW + u64::from(MAX_LIFETIME);
    assert_eq!(states(&registered, gone), [KeyState::Signs, KeyState::RemovableAfterReregistration]);
    let undated = ring(&[("new", NEW), ("old", OLD)]);
    assert_eq!(states(&undated, u64::MAX), [KeyState::Signs, KeyState::Verifies]);
}

#[test]
fn lifetimes_are_limited() {
    let keys = ring(&[("k1", OLD)]);
    let mint = |keys: &Keyring, purpose, lifetime, now| {
        let token = keys.mint(purpose, "shop", "r", lifetime, now)?;
        Ok(keys.verify(&token, purpose, "shop", "r", now).unwrap().expires.map(|moment| moment - now))
    };
    let report = |lifetime| mint(&keys, Purpose::DeliveryReport, lifetime, NOW);
    assert_eq!(report(Lifetime::Default), Ok(Some(72 * 3600)));
    assert_eq!(report(Lifetime::Seconds(60)), Ok(Some(60)));
    assert_eq!(report(Lifetime::Seconds(61 * DAY)), Ok(Some(u64::from(61 * DAY))));
    assert_eq!(report(Lifetime::Never), Ok(None));
    for seconds in [0, 59, 61 * DAY + 1, u32::MAX] {
        assert_eq!(report(Lifetime::Seconds(seconds)), Err(MintError::Lifetime));
    }
    for purpose in [Purpose::Inbound, Purpose::ChatReport] {
        assert_eq!(mint(&keys, purpose, Lifetime::Default, NOW), Ok(None));
    }
    let last = u64::from(u32::MAX);
    assert_eq!(mint(&keys, Purpose::Inbound, Lifetime::Never, last), Ok(None));
    assert_eq!(mint(&keys, Purpose::Inbound, Lifetime::Never, last + 1), Err(MintError::Clock));
    assert_eq!(mint(&keys, Purpose::Inbound, Lifetime::Seconds(60), last - 59), Err(MintError::Clock));

    let short = keys.longest_lifetime(3600).unwrap().expiring_only();
    assert_eq!(mint(&short, Purpose::DeliveryReport, Lifetime::Seconds(3601), NOW), Err(MintError::Lifetime));
    assert_eq!(mint(&short, Purpose::DeliveryReport, Lifetime::Default, NOW), Ok(Some(3600)));
    assert_eq!(mint(&short, Purpose::Inbound, Lifetime::Default, NOW), Err(MintError::Never));
}

#[test]
fn invalid_keys_make_no_keyring() {
    let error = |keys: Vec<Key>| Keyring::new(keys).unwrap_err();
    let nine = (0..9).map(|at| Key::new(format!("k{at}"), OLD)).collect();
    assert_eq!(error(vec![]), KeyringError::Count);
    assert_eq!(error(nine), KeyringError::Count);
    for kid in ["", "a.b", "k~1", "κ", "seventeen_letters"] {
        assert_eq!(error(vec![Key::new(kid, OLD)]), KeyringError::Kid(0), "{kid}");
    }
    assert_eq!(error(vec![Key::new("k1", [7; 31])]), KeyringError::Secret(0));
    assert_eq!(error(vec![Key::new("k1", OLD), Key::new("k1", NEW)]), KeyringError::Duplicate(1));
    assert_eq!(error(vec![Key::new("k1", OLD).retired_at(1)]), KeyringError::SigningKeyRetired);
    let eight = (0..8).map(|at| Key::new(format!("k{at}"), OLD));
    assert_eq!(Keyring::new(eight).unwrap().lint(0).len(), 8);
    assert_eq!(ring(&[("k1", OLD)]).longest_lifetime(59).unwrap_err(), KeyringError::Lifetime);
    assert!(Keyring::new([("sixteen_letters_", [7; 32])]).is_ok());
}

#[test]
fn debug_shows_no_secret() {
    let text = format!("{:?}", ring(&[("k1", OLD)]));
    let bytes = format!("{:?}", OLD).trim_matches(['[', ']']).to_owned();
    assert!(text.contains("k1") && !text.contains("secret, thirty") && !text.contains(&bytes), "{text}");
    assert!(text.len() < 200, "the state of the hash is not shown either: {text}");
}

#[test]
fn tokens_of_one_message_differ() {
    let keys = ring(&[("k1", OLD)]);
    let tokens: std::collections::HashSet<String> = (0..1_000).map(|_| mint(&keys)).collect();
    assert_eq!(tokens.len(), 1_000);
}

/// Rendering a URL as a template does not change its token, for any of the three delimiters.
#[test]
fn rendering_does_not_change_a_token() {
    let keys = ring(&[("a_B-9", OLD)]);
    let values = Values::from([(Variable::MessageId, "m 1".to_owned())]);
    let endings =
        ["~", "<", "$", ">", "~msgid", "<msgid", "$msgid", "~msgid~", "<msgid>", "$msgid$", "=", "&", "?x"];
    for (at, ending) in endings.iter().cycle().take(2_600).enumerate() {
        let token = keys.mint(Purpose::Inbound, "shop", &at.to_string(), Lifetime::Never, NOW).unwrap();
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)), "{token}");
        let url = token_url(&format!("https://shop.example/d?a=~msgid~&b={ending}#~to~"), &token).unwrap();
        let filled = Template::parse(&url, TemplateFormat::Url).render(&values);
        assert!(filled.starts_with("https://shop.example/d?a=m%201&b="), "{filled}");
        assert!(filled.ends_with(&format!("&token={token}#")), "{filled}");
    }
}

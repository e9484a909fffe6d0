//! The guard on a virtual clock: what an attack of 10,000 numbers costs, and that ordinary traffic loses nothing.
#![cfg(feature = "call")]

use std::time::Duration;

use cpaas::guard::{GuardReason, GuardRequest, GuardSettings, GuardStore, MemoryGuardStore};

const BEGIN: u64 = 1_767_225_600;

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The store of a memory does not wait, so its future is ready at once.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("the store waits"),
    }
}

struct Shop {
    store: MemoryGuardStore,
    settings: GuardSettings,
    ids: u64,
}

impl Shop {
    fn new() -> Self {
        let mut settings = GuardSettings::default();
        assert!(settings.min_conversion.abs() < f64::EPSILON, "the rule is off by default");
        // The shop is one process.
        settings.min_conversion = 0.2;
        Self { store: MemoryGuardStore::default(), settings, ids: 0 }
    }

    fn admit(&self, number: u64, milliseconds: u64) -> Result<GuardRequest, GuardReason> {
        let now = Duration::from_secs(BEGIN) + Duration::from_millis(milliseconds);
        let request = GuardRequest::new(number.to_string(), true, now);
        let refused = ready(self.store.admit(&request, &self.settings)).unwrap();
        refused.map_or(Ok(request), Err)
    }

    /// Requests a passcode that the provider does not get.
    fn failed(&self, number: u64, milliseconds: u64) -> Result<(), GuardReason> {
        let request = self.admit(number, milliseconds)?;
        ready(self.store.withdraw(&request)).unwrap();
        Ok(())
    }

    /// Requests a passcode; returns its id, or why it is refused.
    fn passcode(&mut self, number: u64, milliseconds: u64) -> Result<String, GuardReason> {
        let request = self.admit(number, milliseconds)?;
        self.ids += 1;
        let id = format!("OTP{}", self.ids);
        ready(self.store.sent(&id, &request)).unwrap();
        Ok(id)
    }

    fn enter(&self, id: &str) {
        ready(self.store.converted(id)).unwrap();
    }
}

/// The messages that an attack costs: 10,000 numbers, one after each `pause` in milliseconds.
fn cost(pause: u64, number: impl Fn(u64, &mut Random) -> u64) -> usize {
    let (mut shop, mut random) = (Shop::new(), Random(7));
    (0..10_000).filter(|n| shop.passcode(number(*n, &mut random), n * pause).is_ok()).count()
}

#[test]
fn an_attack_of_10000_numbers_costs_at_most_200_messages() {
    let mut most = 0;
    for pause in [1, 100, 1_000, 10_000] {
        for (name, cost) in [
            ("consecutive numbers", cost(pause, |n, _| 306_900_000_000 + n)),
            ("consecutive numbers, downwards", cost(pause, |n, _| 306_900_009_999 - n)),
            ("every second number", cost(pause, |n, _| 306_900_000_000 + 2 * n)),
            ("random numbers of one block", cost(pause, |_, random| 306_900_000_000 + random.below(10_000))),
            (
                "random numbers of one prefix",
                cost(pause, |_, random| 306_900_000_000 + random.below(10_000_000)),
            ),
        ] {
            println!("{name}, one each {pause} ms: {cost} messages");
            most = most.max(cost);
        }
    }
    println!("N = {most}");
    assert!(most <= 200, "{most}");
}

/// The mobile numbers of Indonesia: 13 digits, so that a hundred prefixes have the same country code.
#[test]
fn an_attack_over_the_prefixes_of_a_country_costs_at_most_1000_messages_in_ten_minutes() {
    let attack = |pause| cost(pause, |_, random| 6_280_000_000_000 + random.below(1_000_000_000));
    for (pause, most) in [(1, 1_000), (50, 1_000), (100, 2_000)] {
        let cost = attack(pause);
        println!("100 prefixes of a country, one each {pause} ms: N = {cost} messages");
        assert!(cost <= most, "{cost}");
    }
    // A slow attack is below the limit. Each prefix stops after 30 passcodes that were not entered, for 24 hours.
    let slow = attack(5_000);
    println!("100 prefixes of a country, one each 5 s: N = {slow} messages");
    assert!(slow <= 100 * 31, "{slow}");
}

/// Passcodes that are entered do not count for their country, so a large service stays below the limit.
#[test]
fn a_country_with_many_logins_loses_nothing() {
    let (mut shop, mut random) = (Shop::new(), Random(7));
    let mut entered = std::collections::VecDeque::new();
    // 18,000 logins in an hour in 100 prefixes; 85 % enter the code, after 90 seconds.
    for n in 0..18_000_u64 {
        let at = n * 200;
        while entered.front().is_some_and(|(due, _): &(u64, String)| *due <= at) {
            let (_, id) = entered.pop_front().unwrap();
            shop.enter(&id);
        }
        let id = shop.passcode(6_280_000_000_000 + random.below(1_000_000_000), at);
        let id = id.unwrap_or_else(|reason| panic!("login {n}: {reason:?}"));
        if random.below(100) < 85 {
            entered.push_back((at + 90_000, id));
        }
    }
}

#[test]
fn the_limit_of_a_country_holds_for_its_code_and_counts_no_failed_and_no_entered_passcode() {
    let mut shop = Shop::new();
    shop.settings.max_country = 3;
    let number = |prefix: u64| 306_900_000_000 + prefix * 10_000_000;
    shop.failed(number(0), 0).unwrap();
    let first = shop.passcode(number(1), 0).unwrap();
    shop.passcode(number(2), 0).unwrap();
    shop.passcode(number(3), 0).unwrap();
    assert_eq!(shop.passcode(number(4), 1), Err(GuardReason::Country));
    assert!(shop.passcode(355_691_234_567, 1).is_ok(), "another country");
    shop.enter(&first);
    assert!(shop.passcode(number(4), 2).is_ok());
    assert_eq!(shop.passcode(number(5), 3), Err(GuardReason::Country));
    assert!(shop.passcode(number(5), 10 * 60_000 + 1).is_ok(), "the window has ended");
}

#[test]
fn ordinary_traffic_loses_nothing() {
    let (mut shop, mut random) = (Shop::new(), Random(7));
    // A day with 20,000 logins in four prefixes. 70 % enter the code within 90 seconds, 15 % after a second passcode, 15 % never.
    let mut events: Vec<(u64, u64, u64)> = (0..20_000)
        .map(|_| {
            let number = 306_900_000_000 + random.below(4) * 10_000_000 + random.below(10_000_000);
            (random.below(86_400_000), number, random.below(100))
        })
        .collect();
    // At noon, 150 people of one prefix log in within a minute.
    events.extend((0..150).map(|_| {
        (43_200_000 + random.below(60_000), 306_900_000_000 + random.below(10_000_000), random.below(85))
    }));
    let again: Vec<_> = events
        .iter()
        .filter(|event| (70..85).contains(&event.2))
        .map(|event| (event.0 + 60_000, event.1, 0))
        .collect();
    events.extend(again);
    // From 9:00 to 9:10 no call reaches the provider, and everybody presses "send" three times more.
    let outage = 32_400_000..33_000_000;
    let repeated: Vec<_> = events
        .iter()
        .filter(|event| outage.contains(&event.0))
        .flat_map(|event| (1..4).map(|n| (event.0 + n * 1_000, event.1, event.2)))
        .collect();
    assert!(repeated.len() > 300);
    events.extend(repeated);
    events.sort_unstable();
    let (mut refused, mut entered) = (Vec::new(), Vec::<(u64, String)>::new());
    let count = events.len();
    for (at, number, fate) in events {
        entered.retain(|(due, id)| {
            if *due <= at {
                shop.enter(id);
            }
            *due > at
        });
        if outage.contains(&at) {
            if let Err(reason) = shop.failed(number, at) {
                refused.push((at, reason));
            }
            continue;
        }
        match shop.passcode(number, at) {
            Ok(id) if fate < 70 => entered.push((at + 10_000 + random.below(80_000), id)),
            Ok(_) => {}
            Err(reason) => refused.push((at, reason)),
        }
    }
    println!("{count} passcodes, {} refused", refused.len());
    assert_eq!(refused, []);
}

#[test]
fn each_rule_has_its_reason_and_ends_with_its_window() {
    let minute = 60_000;
    let mut shop = Shop::new();
    for at in 0..3 {
        shop.passcode(306_900_000_001, at).unwrap();
    }
    assert_eq!(shop.passcode(306_900_000_001, 4), Err(GuardReason::Recipient));
    assert!(shop.passcode(306_900_000_001, 10 * minute + 5).is_ok());
    let mut shop = Shop::new();
    for n in 0..5 {
        shop.passcode(306_900_000_000 + n, 0).unwrap();
    }
    assert_eq!(shop.passcode(306_900_000_005, 1), Err(GuardReason::Sequence));
    assert_eq!(shop.passcode(306_899_999_999, 1).err(), None, "another prefix");
    assert!(shop.passcode(306_900_000_007, 1).is_ok(), "not the next number");
    assert!(shop.passcode(306_900_000_005, 10 * minute + 1).is_ok());
    let mut shop = Shop::new();
    for n in 0..20 {
        shop.passcode(306_900_000_000 + 7 * n, 0).unwrap();
    }
    assert_eq!(shop.passcode(306_900_009_999, 1), Err(GuardReason::Range));
    assert!(shop.passcode(306_900_010_000, 1).is_ok(), "another block");
}

#[test]
fn a_prefix_stops_while_few_passcodes_are_entered() {
    let (mut shop, mut random) = (Shop::new(), Random(1));
    let mut ids = Vec::new();
    for n in 0..40 {
        ids.push(shop.passcode(306_900_000_000 + random.below(10_000_000), n * 1_000).unwrap());
    }
    let later = 40_000 + 120_000;
    assert_eq!(shop.passcode(306_901_234_567, later), Err(GuardReason::Conversion));
    assert!(shop.passcode(306_911_234_567, later).is_ok(), "another prefix");
    ids.iter().take(8).for_each(|id| shop.enter(id));
    assert!(shop.passcode(306_901_234_567, later).is_ok(), "20 % are entered");
    shop.enter("OTP-of-nobody");
}

#[test]
fn texts_that_are_not_numbers_and_a_clock_that_goes_back_are_harmless() {
    let store = MemoryGuardStore::default();
    let settings = GuardSettings::default();
    for number in ["", "user-7", "99999999999999999999999"] {
        let request = GuardRequest::new(number, true, Duration::from_secs(BEGIN));
        assert_eq!(ready(store.admit(&request, &settings)).unwrap(), None);
        ready(store.sent("OTP1", &request)).unwrap();
    }
    let mut shop = Shop::new();
    shop.passcode(306_900_000_001, 60_000).unwrap();
    assert!(shop.passcode(306_900_000_001, 0).is_ok());
}

//! Counters of each day: passcodes by channel, SMS by country.

use std::collections::BTreeMap;

use crate::networks;
use crate::time_text::day_of;

/// The passcodes sent on each day: by SMS and by call.
#[derive(Debug, Default)]
pub(crate) struct Days(BTreeMap<i64, (u64, u64)>);

impl Days {
    pub(crate) fn count(&mut self, now: u64, channel: &str) {
        let day = self.0.entry(day_of(now)).or_default();
        if channel == "call" { day.1 += 1 } else { day.0 += 1 }
    }

    pub(crate) fn sum(&self, from: i64, to: i64) -> (u64, u64) {
        self.0.range(from..=to).fold((0, 0), |sum, (_, day)| (sum.0 + day.0, sum.1 + day.1))
    }
}

/// The SMS sent on each day to each country: their number, and their price in ten-thousandths of the currency.
#[derive(Debug, Default)]
pub(crate) struct Countries(pub(crate) BTreeMap<(i64, &'static str), (u64, u64)>);

impl Countries {
    pub(crate) fn count(&mut self, now: u64, to: &str) {
        let network = networks::network(to);
        let tally = self.0.entry((day_of(now), network.country)).or_default();
        tally.0 += 1;
        tally.1 += network.price;
    }
}

//! Prices by destination prefix, in exact decimals.

use std::collections::HashMap;
use std::io::Read;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::error::{Error, Result};

/// Billionths in one unit of the currency: prices have at most nine decimals.
const SCALE: i64 = 1_000_000_000;

/// The price of one part for each prefix of numbers. The longest prefix wins.
#[derive(Debug, Clone, Default)]
pub struct Prices {
    by_prefix: HashMap<String, i64>,
    longest: usize,
    currency: String,
}

impl Prices {
    /// Reads CSV with the columns `prefix`, `price` and `currency`, in one currency.
    ///
    /// # Errors
    /// When a line is not of that form; the message names the line.
    pub fn read(reader: impl Read) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(reader);
        let mut prices = Self::default();
        let header = reader.headers().map_err(|_| wrong(1, "the file must be CSV in UTF-8"))?;
        if header.iter().ne(["prefix", "price", "currency"]) {
            return Err(wrong(1, "the columns must be prefix,price,currency"));
        }
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(0, csv::Position::line);
                wrong(line, "expected the fields prefix,price,currency in UTF-8")
            })?;
            let line = record.position().map_or(0, csv::Position::line);
            let field = |index| record.get(index).unwrap_or_default();
            prices.add(line, field(0), field(1), field(2))?;
        }
        Ok(prices)
    }

    fn add(&mut self, line: u64, prefix: &str, price: &str, currency: &str) -> Result<()> {
        let prefix = prefix.strip_prefix('+').unwrap_or(prefix);
        if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong(line, "the prefix must be digits"));
        }
        let price = parse(price).ok_or_else(|| {
            wrong(
                line,
                "the price must be a decimal number from 0 with at most nine decimals, such as 0.0075",
            )
        })?;
        if self.by_prefix.is_empty() {
            currency.clone_into(&mut self.currency);
        } else if self.currency != currency {
            return Err(wrong(line, "all prices must be in one currency"));
        }
        self.longest = self.longest.max(prefix.len());
        match self.by_prefix.insert(prefix.to_owned(), price) {
            None => Ok(()),
            Some(_) => Err(wrong(line, "each prefix must occur once")),
        }
    }

    /// The prefix of a number and the price of one part in billionths.
    #[must_use]
    pub fn find(&self, number: &str) -> Option<(&str, i64)> {
        let lengths = (1..=self.longest.min(number.len())).rev();
        let mut prefixes = lengths.filter_map(|length| number.get(..length));
        let (prefix, price) = prefixes.find_map(|prefix| self.by_prefix.get_key_value(prefix))?;
        Some((prefix, *price))
    }

    /// The currency.
    #[must_use]
    pub fn currency(&self) -> &str {
        &self.currency
    }
}

fn wrong(line: u64, what: &str) -> Error {
    Error::Source(format!("prices, line {line}: {what}"))
}

fn parse(text: &str) -> Option<i64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let price = Decimal::from_str_exact(text).ok().filter(|_| is_plain)?;
    let billionths = price.checked_mul(SCALE.into())?;
    billionths.fract().is_zero().then(|| billionths.to_i64()).flatten()
}

/// Reads an amount of money, such as `250.00`, in billionths.
///
/// # Errors
/// When it is not a decimal number from 0 with at most nine decimals.
pub fn parse_amount(text: &str) -> Result<i64> {
    parse(text).ok_or_else(|| {
        Error::Setting(
            "an amount must be a decimal number from 0 with at most nine decimals, such as 250.00".into(),
        )
    })
}

/// Billionths as a decimal number, without zeros at its end.
#[must_use]
pub fn format_amount(billionths: i64) -> String {
    Decimal::from_i128_with_scale(billionths.into(), 9).normalize().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices(lines: &str) -> Result<Prices> {
        Prices::read(format!("prefix,price,currency\n{lines}").as_bytes())
    }

    #[test]
    fn the_longest_prefix_wins() {
        let prices = prices("30,0.05,EUR\n306,0.0375,EUR\n1,0.0075,EUR").unwrap();
        assert_eq!(prices.find("306900000001"), Some(("306", 37_500_000)));
        assert_eq!(prices.find("302100000001"), Some(("30", 50_000_000)));
        assert_eq!(prices.find("4915"), None);
        assert_eq!(prices.find("ann"), None);
        assert_eq!(prices.currency(), "EUR");
    }

    #[test]
    fn amounts_are_exact() {
        assert_eq!(parse_amount("0.0075").unwrap() * 3, parse_amount("0.0225").unwrap());
        assert_eq!(format_amount(parse_amount("0.0225").unwrap()), "0.0225");
        assert_eq!(format_amount(0), "0");
        assert_eq!(format_amount(parse_amount("1000").unwrap()), "1000");
        for text in ["", "-1", "1e3", "0.0000000001", "x", "1,5", "99999999999999999999"] {
            assert!(parse_amount(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |lines| prices(lines).unwrap_err().to_string();
        assert_eq!(error("30,0.05,EUR\nx,1,EUR"), "prices, line 3: the prefix must be digits");
        assert_eq!(error("30,0.05,EUR\n31,1,USD"), "prices, line 3: all prices must be in one currency");
        assert_eq!(error("30,0.05,EUR\n30,1,EUR"), "prices, line 3: each prefix must occur once");
        assert!(error("30,abc,EUR").contains("line 2: the price must be"));
        assert!(Prices::read(&b"a,b\n"[..]).is_err());
    }
}

//! Prices by destination prefix, in billionths of the currency, which is the unit of spend in the journal.

use std::io::Read;

use cpaas::printable::{MAX_NAME, printable};
use cpaas::text::{Price, PriceTable};

use crate::error::{Error, Result};
use crate::source::{Encoding, read_text};

/// Prices and amounts have at most nine decimals.
const DECIMALS: usize = 9;

/// The price of one part for each prefix of numbers. The longest prefix wins.
#[derive(Debug, Clone, Default)]
pub struct Prices(PriceTable);

impl Prices {
    /// Reads CSV with the columns `prefix`, `price` and `currency`, in one currency; see [`PriceTable::parse`].
    ///
    /// # Errors
    /// When a line is invalid; the message names the line.
    pub fn read(reader: impl Read) -> Result<Self> {
        Self::read_encoded(reader, None)
    }

    /// As [`Prices::read`], for a file in another encoding than UTF-8.
    ///
    /// # Errors
    /// As [`Prices::read`].
    pub fn read_encoded(reader: impl Read, encoding: Option<Encoding>) -> Result<Self> {
        let csv = read_text(reader, encoding, "prices")?;
        let table = PriceTable::parse(&csv).map_err(|error| {
            let line = csv.lines().nth(error.line.saturating_sub(1)).filter(|_| error.is_header());
            match line.and_then(names) {
                Some(found) => Error::Source(format!("{error}, got {found}")),
                None => Error::Source(error.to_string()),
            }
        })?;
        if table.iter().any(|(_, price)| billionths(price).is_none()) {
            return Err(Error::Source("prices: each price must have at most nine decimals".to_owned()));
        }
        Ok(Self(table))
    }

    /// The prefix of a number and the price of one part in billionths.
    #[must_use]
    pub fn find(&self, number: &str) -> Option<(&str, i64)> {
        let (prefix, price) = self.0.find(number)?;
        Some((prefix, billionths(price)?))
    }

    /// The currency.
    #[must_use]
    pub fn currency(&self) -> &str {
        self.0.currency()
    }
}

/// A header as it is shown, if it consists of names. Values are not shown.
fn names(header: &str) -> Option<String> {
    let header = header.trim_start_matches('\u{FEFF}').trim();
    let is_names = !header.is_empty() && !header.chars().any(|one| one.is_ascii_digit());
    is_names.then(|| printable(header, MAX_NAME).to_string())
}

fn billionths(price: Price) -> Option<i64> {
    price.scaled(DECIMALS)
}

/// Reads an amount of money, such as `250.00`, in billionths.
///
/// # Errors
/// When it is not a decimal number from 0 with at most nine decimals.
pub fn parse_amount(text: &str) -> Result<i64> {
    text.parse().ok().and_then(billionths).ok_or_else(|| {
        Error::Setting(
            "an amount must be a decimal number from 0 with at most nine decimals, such as 250.00".into(),
        )
    })
}

/// Billionths as a decimal number, without zeros at its end.
#[must_use]
pub fn format_amount(billionths: i64) -> String {
    let (unit, sign) = (10_u64.pow(9), if billionths < 0 { "-" } else { "" });
    let (whole, rest) = (billionths.unsigned_abs() / unit, billionths.unsigned_abs() % unit);
    let text = format!("{sign}{whole}.{rest:09}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
        assert_eq!(format_amount(-1_500_000_000), "-1.5");
        assert_eq!(format_amount(parse_amount("1000").unwrap()), "1000");
        for text in ["", "-1", "1e3", "0.0000000001", "x", "1,5", "99999999999999999999"] {
            assert!(parse_amount(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tables_of_spreadsheets_are_read() {
        for csv in [
            "prefix;price;currency\n306;0.05;EUR\n",
            "sep=;\r\nprefix;price;currency\r\n306;0.05;EUR\r\n",
            "\u{FEFF}\"sep=;\"\nprefix;price;currency\n306;0.05;EUR",
            "prefix\tprice\tcurrency\n306\t0.05\tEUR\n",
            "sep=,\nprefix,price,currency\n306,0.05,EUR\n",
        ] {
            let found = Prices::read(csv.as_bytes()).unwrap();
            assert_eq!(
                (found.find("306900000001"), found.currency()),
                (Some(("306", 50_000_000)), "EUR"),
                "{csv}"
            );
        }
        let error =
            Prices::read(&b"sep=;\nprefix;price;currency\n30;0,05;EUR\n"[..]).unwrap_err().to_string();
        assert!(error.starts_with("prices, line 3: the price must be a decimal number"), "{error}");
    }

    #[test]
    fn errors_name_the_line() {
        let error = |lines| prices(lines).unwrap_err().to_string();
        assert_eq!(error("30,0.05,EUR\nx,1,EUR"), "prices, line 3: the prefix must be digits");
        assert_eq!(error("30,0.05,EUR\n31,1,USD"), "prices, line 3: all prices must be in one currency");
        assert_eq!(error("30,0.05,EUR\n30,1,EUR"), "prices, line 3: each prefix must occur once");
        assert!(error("30,abc,EUR").contains("line 2: the price must be"));
        assert_eq!(error("30,0.0000000001,EUR"), "prices: each price must have at most nine decimals");
        let found = Prices::read(&b"country,tariff\n30,1\n"[..]).unwrap_err().to_string();
        assert_eq!(found, "prices, line 1: the columns must be prefix,price,currency, got country,tariff");
        assert!(!Prices::read(&b"306900000001\n"[..]).unwrap_err().to_string().contains("got"));
        let columns = "the columns must be prefix,price,currency";
        let found = Prices::read(&b"sep=;\ncountry;tariff\n30;1\n"[..]).unwrap_err().to_string();
        assert_eq!(found, format!("prices, line 2: {columns}, got country;tariff"));
        let found = Prices::read(&b"\n\nsep=;\n\ncountry;tariff\n"[..]).unwrap_err().to_string();
        assert_eq!(found, format!("prices, line 5: {columns}, got country;tariff"));
        for (csv, line) in [("", 1), ("sep=;", 2), ("sep=;\n306900000001;1\n", 2), ("\n306900000001\n", 2)] {
            let found = Prices::read(csv.as_bytes()).unwrap_err().to_string();
            assert_eq!(found, format!("prices, line {line}: {columns}"), "{csv:?}");
        }
    }
}

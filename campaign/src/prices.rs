//! Prices by destination prefix, in billionths of the currency, which is the unit of spend in the journal.

use std::collections::BTreeMap;
use std::io::Read;

use cpaas::printable::{MAX_NAME, printable};
use cpaas::text::{Price, PriceTable, msisdn};

#[cfg(feature = "journal")]
use crate::chunk::ChunkRow;
use crate::error::{Error, Result};
use crate::source::{Encoding, read_text};

/// Prices and amounts have at most nine decimals.
const DECIMALS: usize = 9;

/// The price of one part for each prefix of numbers. The longest prefix wins.
#[derive(Debug, Clone, Default)]
pub struct Prices(PriceTable);

/// The price of the numbers with one prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefixAmount<'a> {
    /// The prefix.
    pub prefix: &'a str,
    /// The price of one part, in billionths of the currency.
    pub billionths: i64,
    /// The currency.
    pub currency: &'a str,
}

/// The price of a row. Its recipients may have prices in several currencies.
#[derive(Debug, Default)]
pub(crate) struct RowPrice {
    /// The parts of the recipients with a price, and the price of these parts in billionths, by currency.
    pub(crate) by_currency: BTreeMap<String, (u32, i64)>,
    /// The prefix of the last recipient; empty if it has no price.
    pub(crate) prefix: Option<String>,
    /// Whether a recipient has no price.
    pub(crate) is_incomplete: bool,
}

impl RowPrice {
    /// The price that a journal stores, which is in one currency; 0 without one.
    pub(crate) fn stored(&self, prices: &Prices) -> i64 {
        match prices.currency() {
            Some(_) => self.by_currency.values().map(|(_, price)| *price).fold(0, i64::saturating_add),
            None => 0,
        }
    }

    /// The price of a row of a journal, whose prices were in this currency.
    #[cfg(feature = "journal")]
    pub(crate) fn from_stored(row: &ChunkRow, currency: Option<&str>) -> Self {
        let mut price = Self::default();
        if let Some(currency) = currency {
            price.add(currency, row.parts, row.price);
        }
        price
    }

    fn add(&mut self, currency: &str, parts: u32, price: i64) {
        let sum = self.by_currency.entry(currency.to_owned()).or_default();
        *sum = (sum.0.saturating_add(parts), sum.1.saturating_add(price));
    }
}

impl Prices {
    /// Reads CSV with the columns `prefix`, `price` and `currency`; see [`PriceTable::parse`].
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
        if let Some((prefix, _)) = table.iter().find(|(prefix, _)| prefix.starts_with("00")) {
            return Err(Error::Source(format!(
                "prices: each prefix must begin with a country code, got {}: no number begins with 00",
                printable(prefix, MAX_NAME)
            )));
        }
        Ok(Self(table))
    }

    /// The longest prefix of a number that has a price, with the price of one part and its currency.
    #[must_use]
    pub fn find(&self, number: &str) -> Option<PrefixAmount<'_>> {
        let found = self.0.find(number)?;
        let (prefix, currency) = (found.prefix, found.currency);
        Some(PrefixAmount { prefix, billionths: billionths(found.price)?, currency })
    }

    /// The currency of all prices; `None` if there are several.
    #[must_use]
    pub fn currency(&self) -> Option<&str> {
        self.0.currency()
    }

    /// The price of a message of `parts` parts to each of these recipients.
    pub(crate) fn of_row(&self, recipients: &[String], parts: u32) -> RowPrice {
        let mut row = RowPrice::default();
        for recipient in recipients {
            let found = self.find(recipient).filter(|_| msisdn::is_canonical(recipient));
            row.is_incomplete |= found.is_none();
            row.prefix = Some(found.map_or_else(String::new, |found| found.prefix.to_owned()));
            if let Some(found) = found {
                row.add(found.currency, parts, found.billionths.saturating_mul(parts.into()));
            }
        }
        row
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
        let found = if has_commas(text) {
            format!("; got {text}: decimals follow a point, and thousands are not grouped")
        } else {
            String::new()
        };
        Error::Setting(format!(
            "an amount must be a decimal number from 0 with at most nine decimals, such as 250.00{found}"
        ))
    })
}

/// Whether a text is an amount in another notation, such as `0,25` or `1,250.00`. Only such a text is shown.
fn has_commas(text: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|one| one.is_ascii_digit());
    text.contains(',') && text.len() <= 20 && text.split([',', '.']).all(is_digits)
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
        let found =
            |number| prices.find(number).map(|found| (found.prefix, found.billionths, found.currency));
        assert_eq!(found("306900000001"), Some(("306", 37_500_000, "EUR")));
        assert_eq!(found("302100000001"), Some(("30", 50_000_000, "EUR")));
        assert_eq!(found("4915"), None);
        assert_eq!(found("ann"), None);
        assert_eq!(prices.currency(), Some("EUR"));
    }

    #[test]
    fn a_row_has_a_price_in_each_currency_of_its_recipients() {
        let prices = prices("30,0.05,EUR\n306,0.0375,EUR\n44,0.04,GBP").unwrap();
        assert_eq!(prices.currency(), None);
        let recipients = ["306900000001", "447400123456", "302100000001", "12015550123"].map(str::to_owned);
        let row = prices.of_row(&recipients, 2);
        let expected = [("EUR".to_owned(), (4, 175_000_000)), ("GBP".to_owned(), (2, 80_000_000))];
        assert_eq!(row.by_currency, expected.into_iter().collect());
        assert_eq!((row.prefix.as_deref(), row.is_incomplete, row.stored(&prices)), (Some(""), true, 0));
        let row = prices.of_row(&recipients[..1], 2);
        assert_eq!((row.prefix.as_deref(), row.is_incomplete), (Some("306"), false));
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
            let price = found.find("306900000001").unwrap();
            assert_eq!((price.prefix, price.billionths, price.currency), ("306", 50_000_000, "EUR"), "{csv}");
        }
        let error =
            Prices::read(&b"sep=;\nprefix;price;currency\n30;0,05;EUR\n"[..]).unwrap_err().to_string();
        assert!(error.starts_with("prices, line 3: the price must be a decimal number"), "{error}");
    }

    #[test]
    fn errors_name_the_line() {
        let error = |lines| prices(lines).unwrap_err().to_string();
        assert_eq!(error("30,0.05,EUR\nx,1,EUR"), "prices, line 3: the prefix must be digits");
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

//! Prices by destination prefix, and the price of a text to many recipients.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::division::Division;
use super::errors::{MAX_PARTS, SegmentError};
use super::segments::divide;
use super::{Encoding, Language, Price, SegmentOptions, count, msisdn};

/// The price of one part for each prefix of numbers, in one or several currencies. The longest matching prefix applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriceTable {
    rows: BTreeMap<Box<str>, (Price, Arc<str>)>,
    /// Each currency by its lowercase form.
    currencies: BTreeMap<String, Arc<str>>,
}

/// The price of the numbers with one prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefixPrice<'a> {
    /// The prefix.
    pub prefix: &'a str,
    /// The price of one part.
    pub price: Price,
    /// The currency.
    pub currency: &'a str,
}

/// The CSV is not a [`PriceTable`]. The message names the line and quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("prices, line {line}: {rule}")]
pub struct PriceTableError {
    /// The line, from 1.
    pub line: usize,
    rule: &'static str,
}

/// What is wrong with a header.
const COLUMNS: &str = "the columns must be prefix,price,currency";

impl PriceTableError {
    /// Whether the line is the header of the table.
    #[must_use]
    pub fn is_header(&self) -> bool {
        self.rule == COLUMNS
    }
}

impl PriceTable {
    /// Reads CSV whose first line is `prefix,price,currency` in any case: one line for each prefix. A plus
    /// before a prefix, quotes, the text formula of a spreadsheet (`="30"`), spaces around fields, empty lines and a byte order mark are
    /// ignored. The fields may also be separated by semicolons or tabs, and a first line such as `sep=;` names the delimiter. A price has
    /// a decimal point.
    ///
    /// ```
    /// let prices = cpaas::text::PriceTable::parse("prefix,price,currency\n30,0.05,EUR\n3069,0.0375,EUR\n")?;
    /// let found = prices.find("306912345678").unwrap();
    /// assert_eq!((found.prefix, found.price.to_string().as_str(), found.currency), ("3069", "0.0375", "EUR"));
    /// # Ok::<(), cpaas::text::PriceTableError>(())
    /// ```
    ///
    /// # Errors
    /// A line is not of that form, a prefix occurs twice, or a currency is written in different cases.
    pub fn parse(csv: &str) -> Result<Self, PriceTableError> {
        let csv = csv.strip_prefix('\u{FEFF}').unwrap_or(csv);
        let mut lines = csv.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let (mut header, mut line) = lines.next().unwrap_or(("", 1));
        let declared = separator(header);
        if declared.is_some() {
            (header, line) = lines.next().unwrap_or(("", line + 1));
        }
        let delimiter =
            declared.or_else(|| header.chars().find(|one| matches!(one, ',' | ';' | '\t'))).unwrap_or(',');
        let names = ["prefix", "price", "currency"];
        let is_header = fields(header, delimiter).is_some_and(|found| {
            found.iter().zip(names).all(|(found, name)| found.eq_ignore_ascii_case(name))
        });
        if !is_header {
            return Err(PriceTableError { line, rule: COLUMNS });
        }
        let mut table = Self::default();
        for (text, line) in lines {
            table.add(text, delimiter).map_err(|rule| PriceTableError { line, rule })?;
        }
        Ok(table)
    }

    fn add(&mut self, line: &str, delimiter: char) -> Result<(), &'static str> {
        let [prefix, price, currency] =
            fields(line, delimiter).ok_or_else(|| match line.split(delimiter).nth(3) {
                Some(_) if delimiter == ',' => {
                    "expected the fields prefix,price,currency, got more than three; a price has a decimal point, such as 0.0075"
                }
                _ => "expected the fields prefix,price,currency",
            })?;
        let prefix = prefix.strip_prefix('+').unwrap_or(prefix);
        if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("the prefix must be digits");
        }
        let price = price.parse().map_err(|_| match price.contains(',') {
            true => "the price must be a decimal number with a point, such as 0.0075, got a comma",
            false => "the price must be a decimal number such as 0.0075",
        })?;
        let known = self.currencies.entry(currency.to_lowercase()).or_insert_with(|| currency.into()).clone();
        if *known != *currency {
            return Err("a currency must be written in the same case on all lines");
        }
        match self.rows.insert(prefix.into(), (price, known)) {
            Some(_) => Err("each prefix must occur once"),
            None => Ok(()),
        }
    }

    /// The longest prefix of a number that has a price, with the price of one part and its currency.
    #[must_use]
    pub fn find(&self, number: &str) -> Option<PrefixPrice<'_>> {
        let mut prefixes = (1..=number.len()).rev().filter_map(|length| number.get(..length));
        let (prefix, (price, currency)) = prefixes.find_map(|prefix| self.rows.get_key_value(prefix))?;
        Some(PrefixPrice { prefix, price: *price, currency })
    }

    /// The currency of all prices; `None` if there are several. A table without prices has the empty currency.
    #[must_use]
    pub fn currency(&self) -> Option<&str> {
        let first = self.currencies.values().next().map_or("", |currency| currency);
        (self.currencies.len() < 2).then_some(first)
    }

    /// All prefixes and the prices of one part, in order of the prefixes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Price)> {
        self.rows.iter().map(|(prefix, (price, _))| (&**prefix, *price))
    }
}

/// The delimiter that a line such as `sep=;` names.
fn separator(line: &str) -> Option<char> {
    let line = line.trim_matches([' ', '\r', '"']);
    let (name, value) = line.split_at_checked(4)?;
    let mut value = value.chars();
    let found = value.next().filter(|one| matches!(one, ',' | ';' | '\t' | '|'));
    found.filter(|_| name.eq_ignore_ascii_case("sep=") && value.next().is_none())
}

/// The three fields of a line. None of them may contain the delimiter.
fn fields(line: &str, delimiter: char) -> Option<[&str; 3]> {
    let inner = |field, open, close| str::strip_prefix(field, open)?.strip_suffix(close);
    let mut fields = line.split(delimiter).map(|field| {
        let field = field.trim();
        let field = inner(field, "\"", "\"").unwrap_or(field);
        // A text formula, whose quotes are doubled in a quoted field.
        inner(field, "=\"\"", "\"\"").or_else(|| inner(field, "=\"", "\"")).unwrap_or(field)
    });
    let found = [fields.next()?, fields.next()?, fields.next()?];
    fields.next().is_none().then_some(found)
}

/// The recipients of one prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PrefixShare {
    /// The prefix.
    #[serde(skip)]
    pub prefix: String,
    /// The number of recipients.
    pub recipients: u64,
    /// The number of parts of their messages.
    pub parts: u64,
    /// The price of one part.
    pub price_per_part: Price,
    /// The price of all these parts.
    pub total: Price,
    /// The currency.
    pub currency: String,
}

/// The recipients whose prices have one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CurrencyShare {
    /// The currency.
    #[serde(skip)]
    pub currency: String,
    /// The number of recipients.
    pub recipients: u64,
    /// The number of parts of their messages.
    pub parts: u64,
    /// The price of all these parts.
    pub total: Price,
}

/// The price of a text to one or many recipients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EstimateTo {
    /// The alphabet of the text.
    pub encoding: Encoding,
    /// The number of parts of one message, which is what is billed for each recipient.
    pub count: u32,
    /// Septets or UTF-16 code units of the text.
    pub units: u32,
    /// Units that still fit into the last part at the same price.
    pub remaining: u32,
    /// The price of one part, if it is the same for all recipients.
    pub price_per_part: Option<Price>,
    /// The price of all messages; `None` if the recipients have prices in several currencies.
    pub total: Option<Price>,
    /// The currency of all messages; `None` if there are several.
    pub currency: Option<String>,
    /// The number of recipients.
    pub recipients: u64,
    /// The language of the locking shift table of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locking_shift: Option<Language>,
    /// The language of the single shift table of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_shift: Option<Language>,
    /// The recipients of each prefix, in order of the prefixes. As JSON, an object with the prefixes as its members.
    #[serde(serialize_with = "prefixes_as_object")]
    pub by_prefix: Vec<PrefixShare>,
    /// The recipients of each currency, in alphabetical order. As JSON, an object with the currencies as its members.
    #[serde(serialize_with = "currencies_as_object")]
    pub by_currency: Vec<CurrencyShare>,
}

fn prefixes_as_object<S: Serializer>(shares: &[PrefixShare], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(shares.iter().map(|share| (&share.prefix, share)))
}

fn currencies_as_object<S: Serializer>(shares: &[CurrencyShare], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(shares.iter().map(|share| (&share.currency, share)))
}

/// Why [`estimate_to`] failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EstimateError {
    /// The text cannot be sent.
    #[error(transparent)]
    Segments(#[from] SegmentError),
    /// A recipient has no price.
    #[error(
        "each recipient must be a number that begins with a prefix of the price table; recipient {recipient} is the first that does not"
    )]
    NoPrice {
        /// The position of the first recipient without a price, from 1.
        recipient: u64,
    },
}

/// Returns the price of a text to numbers in any notation; see [`estimate`](super::estimate).
///
/// # Errors
/// [`EstimateError`]: the text cannot be sent, or a recipient has no price.
pub fn estimate_to<T: AsRef<str>>(
    text: &str,
    prices: &PriceTable,
    to: impl IntoIterator<Item = T>,
) -> Result<EstimateTo, EstimateError> {
    let count = count(text);
    if count.count > MAX_PARTS {
        return Err(SegmentError::TooManyParts { parts: count.count }.into());
    }
    price_to(&Division::without_languages(count), prices, to)
}

/// As [`estimate_to`], for a text that is divided with these options.
///
/// # Errors
/// [`EstimateError`]: the text cannot be sent, or a recipient has no price.
pub fn estimate_to_with<T: AsRef<str>>(
    text: &str,
    prices: &PriceTable,
    to: impl IntoIterator<Item = T>,
    options: &SegmentOptions,
) -> Result<EstimateTo, EstimateError> {
    price_to(&divide(text, options, 0, &mut |_, _| {})?, prices, to)
}

fn price_to<T: AsRef<str>>(
    division: &Division,
    prices: &PriceTable,
    to: impl IntoIterator<Item = T>,
) -> Result<EstimateTo, EstimateError> {
    let (count, (locking_shift, single_shift)) = (division.count, division.languages);
    let (mut recipients, mut shares) = (0, BTreeMap::new());
    for number in to {
        recipients += 1;
        let number = msisdn::normalize_number(number.as_ref(), None).ok();
        let found = number.as_ref().and_then(|number| prices.find(number));
        let found = found.ok_or(EstimateError::NoPrice { recipient: recipients })?;
        let share = shares.entry(found.prefix).or_insert_with(|| PrefixShare::new(found));
        share.recipients += 1;
        share.parts += u64::from(count.count);
    }
    let mut by_prefix: Vec<PrefixShare> = shares.into_values().collect();
    let mut by_currency: BTreeMap<&str, CurrencyShare> = BTreeMap::new();
    for share in &mut by_prefix {
        share.total = share.price_per_part.times_many(share.parts);
        let sum = by_currency.entry(&share.currency).or_insert_with(|| CurrencyShare::new(&share.currency));
        sum.recipients += share.recipients;
        sum.parts += share.parts;
        sum.total = sum.total.plus(share.total);
    }
    let by_currency: Vec<CurrencyShare> = by_currency.into_values().collect();
    let (total, currency) = match by_currency.as_slice() {
        [] => (Some(Price::ZERO), prices.currency().map(str::to_owned)),
        [share] => (Some(share.total), Some(share.currency.clone())),
        _ => (None, None),
    };
    let first = by_prefix.first().map(|share| share.price_per_part);
    let is_same = by_currency.len() < 2 && by_prefix.iter().all(|share| Some(share.price_per_part) == first);
    Ok(EstimateTo {
        encoding: count.encoding,
        count: count.count,
        units: count.units,
        remaining: count.remaining,
        price_per_part: first.filter(|_| is_same),
        total,
        currency,
        recipients,
        locking_shift,
        single_shift,
        by_prefix,
        by_currency,
    })
}

impl PrefixShare {
    fn new(found: PrefixPrice<'_>) -> Self {
        let (prefix, currency) = (found.prefix.to_owned(), found.currency.to_owned());
        Self { prefix, recipients: 0, parts: 0, price_per_part: found.price, total: Price::ZERO, currency }
    }
}

impl CurrencyShare {
    fn new(currency: &str) -> Self {
        Self { currency: currency.to_owned(), recipients: 0, parts: 0, total: Price::ZERO }
    }
}

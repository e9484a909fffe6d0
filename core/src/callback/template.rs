//! Delivery-report templates (section E): rendering, and reading values back.
//!
//! A variable is a name between two tildes, angle brackets or dollar signs: `~msgid~`, `<msgid>`, `$msgid$`; the three may be
//! mixed in one template. `msgid`, `mcc`, `mnc` and `rate` are documented; `status`, `to`, `from`, `reference`,
//! `errorcode` and `timestamp` are supported as well. Another name is literal text and is listed by [`Template::unknown`].

mod template_reader;

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use super::url_encoding;
use crate::util::percent::percent_encode;

/// A variable of a delivery-report template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Variable {
    /// `msgid`: the message id.
    MessageId,
    /// `mcc`: the mobile country code, three digits.
    Mcc,
    /// `mnc`: the mobile network code.
    Mnc,
    /// `rate`: the price of the message, as decimal text.
    Rate,
    /// `status`: the delivery status.
    Status,
    /// `to`: the recipient.
    To,
    /// `from`: the sender.
    From,
    /// `reference`: the reference given with the message.
    Reference,
    /// `errorcode`: the reason of a failure.
    ErrorCode,
    /// `timestamp`: the time of the status.
    Timestamp,
}

impl Variable {
    /// Every variable; the documented ones come first.
    pub const ALL: [Self; 10] = [
        Self::MessageId,
        Self::Mcc,
        Self::Mnc,
        Self::Rate,
        Self::Status,
        Self::To,
        Self::From,
        Self::Reference,
        Self::ErrorCode,
        Self::Timestamp,
    ];

    /// The name between the delimiters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MessageId => "msgid",
            Self::Mcc => "mcc",
            Self::Mnc => "mnc",
            Self::Rate => "rate",
            Self::Status => "status",
            Self::To => "to",
            Self::From => "from",
            Self::Reference => "reference",
            Self::ErrorCode => "errorcode",
            Self::Timestamp => "timestamp",
        }
    }

    /// The variable of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variable| variable.name() == name)
    }

    /// Whether the specification documents the variable (`msgid`, `mcc`, `mnc`, `rate`).
    #[must_use]
    pub const fn is_documented(self) -> bool {
        matches!(self, Self::MessageId | Self::Mcc | Self::Mnc | Self::Rate)
    }
}

/// The format of a template, which determines how values are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TemplateFormat {
    /// A URL called with GET: values are percent-encoded.
    Url,
    /// A JSON body: values are escaped as the content of a JSON string.
    Json,
    /// An `application/x-www-form-urlencoded` body: values are percent-encoded.
    Form,
}

/// The values of variables, by variable.
pub type Values = BTreeMap<Variable, String>;

/// A parsed delivery-report template. Immutable and thread-safe.
///
/// ```
/// use cpaas::callback::{TemplateFormat, Template, Values, Variable};
///
/// let template = Template::parse("https://shop.example/dlr?id=~msgid~&net=<mcc>-$mnc$", TemplateFormat::Url);
/// let values = Values::from([
///     (Variable::MessageId, "7 & 8".to_owned()),
///     (Variable::Mcc, "202".to_owned()),
///     (Variable::Mnc, "01".to_owned()),
/// ]);
/// let url = template.render(&values);
/// assert_eq!(url, "https://shop.example/dlr?id=7%20%26%208&net=202-01");
/// assert_eq!(template.read(&url), Some(values));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Template {
    source: String,
    format: TemplateFormat,
    pieces: Vec<Piece>,
    unknown: Vec<String>,
}

/// `Debug` omits the text, because its URL may contain a key.
impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("format", &self.format).finish_non_exhaustive()
    }
}

impl Template {
    /// Parses a template. Every string is valid: an unknown name is literal text, see [`Template::unknown`].
    #[must_use]
    pub fn parse(source: &str, format: TemplateFormat) -> Self {
        let (pieces, unknown) = scan(source);
        Self { source: source.to_owned(), format, pieces, unknown }
    }

    /// The source of the template.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The format of the template.
    #[must_use]
    pub fn format(&self) -> TemplateFormat {
        self.format
    }

    /// The unknown names between delimiters, in order and without duplicates; they are probably mistakes.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The variables of the template, in order, with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(*variable),
            Piece::Literal(_) => None,
        })
    }

    /// The names of the query or form parameters that contain variables.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        template_reader::parameter_names(self.format, &self.source)
    }

    /// Fills the template; a variable without a value becomes the empty string. Values are not expanded again.
    #[must_use]
    pub fn render(&self, values: &Values) -> String {
        let mut out = String::with_capacity(self.source.len() + 32);
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Variable(variable) => {
                    let value = values.get(variable).map_or("", String::as_str);
                    match self.format {
                        TemplateFormat::Url | TemplateFormat::Form => out.push_str(&percent_encode(value)),
                        TemplateFormat::Json => url_encoding::json_escape(value, &mut out),
                    }
                }
            }
        }
        out
    }

    /// Reads the values from a received URL or body; `None` if it does not match the template.
    ///
    /// In a URL, the path (if the path of the template contains a variable) and the parameters with variables are compared;
    /// scheme, host, order of parameters and other parameters such as `token` are ignored. A value ends at the first occurrence
    /// of the literal text that follows it in the template; the last literal of the template must be at the end of the text. If
    /// no text separates two variables, the first must be `mcc`, which has three digits.
    #[must_use]
    pub fn read(&self, received: &str) -> Option<Values> {
        match self.format {
            TemplateFormat::Url => template_reader::url(&self.source, received),
            TemplateFormat::Form => template_reader::parameters(&self.source, received),
            TemplateFormat::Json => template_reader::json(&self.pieces, received),
        }
    }
}

/// The maximum length of a variable name.
const LONGEST_NAME: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Variable(Variable),
}

/// Returns the pieces of a template and the unknown names.
fn scan(source: &str) -> (Vec<Piece>, Vec<String>) {
    let mut pieces = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let mut literal = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let name = closing(first).and_then(|close| name_before(rest, close));
        match name.map(|name| (name, Variable::from_name(name))) {
            Some((name, Some(variable))) => {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Variable(variable));
                rest = rest.get(name.len() + 2..).unwrap_or_default();
                continue;
            }
            Some((name, None)) if seen.insert(name) => unknown.push(name.to_owned()),
            _ => {}
        }
        literal.push(first);
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    (pieces, unknown)
}

fn closing(open: char) -> Option<char> {
    match open {
        '~' | '$' => Some(open),
        '<' => Some('>'),
        _ => None,
    }
}

/// The name in `text` between its first character and the next `close`.
fn name_before(text: &str, close: char) -> Option<&str> {
    let inside = text.get(1..)?;
    let length = inside.bytes().take(LONGEST_NAME + 1).take_while(|byte| is_name(*byte)).count();
    let (name, after) = inside.split_at_checked(length)?;
    (length > 0 && length <= LONGEST_NAME && after.starts_with(close)).then_some(name)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

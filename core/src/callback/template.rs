//! Delivery-report templates (section E): what the provider fills in, and how to read it back.
//!
//! A variable is a name between two tildes, angle brackets or dollar signs: `~msgid~`, `<msgid>`, `$msgid$`; the three may be
//! mixed in one template. The specification shows `msgid`, `mcc`, `mnc` and `rate`; `status`, `to`, `from`, `reference`,
//! `errorcode` and `timestamp` are read as well. A name that is none of these is left as it stands and is listed by
//! [`Template::unknown`].

mod read;
mod scan;

use std::collections::BTreeMap;
use std::fmt;

use super::encode;
use scan::{Piece, scan};

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
    /// `reference`: the tag given with the message.
    Reference,
    /// `errorcode`: the reason of a failure.
    ErrorCode,
    /// `timestamp`: the moment of the status.
    Timestamp,
}

impl Variable {
    /// Every variable, those of the specification first.
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

    /// Whether the specification itself shows the variable (`msgid`, `mcc`, `mnc`, `rate`).
    #[must_use]
    pub const fn is_shown(self) -> bool {
        matches!(self, Self::MessageId | Self::Mcc | Self::Mnc | Self::Rate)
    }
}

/// Where a template stands, which decides how values are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// A URL called with GET: values are percent-encoded.
    Url,
    /// A JSON body: values are escaped as the inside of a JSON string.
    Json,
    /// An `application/x-www-form-urlencoded` body: values are percent-encoded.
    Form,
}

/// The values of variables, by variable.
pub type Values = BTreeMap<Variable, String>;

/// A parsed delivery-report template. Immutable and shareable between threads.
///
/// ```
/// use cpaas::callback::{Place, Template, Values, Variable};
///
/// let template = Template::parse("https://shop.example/dlr?id=~msgid~&net=<mcc>-$mnc$", Place::Url);
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
    place: Place,
    pieces: Vec<Piece>,
    unknown: Vec<String>,
}

/// `Debug` leaves the text out: its URL may hold a key.
impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Template {
    /// Reads a template. Every text is one: a name that is no variable stays as literal text, see [`Template::unknown`].
    #[must_use]
    pub fn parse(source: &str, place: Place) -> Self {
        let (pieces, unknown) = scan(source);
        Self { source: source.to_owned(), place, pieces, unknown }
    }

    /// The text the template was parsed from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Where the template stands.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The names that look like variables and are none, in order, each once: worth a warning where a template is registered.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The variables of the template, in order, repeated as they are repeated.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(*variable),
            Piece::Literal(_) => None,
        })
    }

    /// The names of the query or form parameters that hold variables.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        read::parameter_names(self.place, &self.source)
    }

    /// Fills the template; a variable without a value becomes nothing. Values are never expanded again.
    #[must_use]
    pub fn render(&self, values: &Values) -> String {
        let mut out = String::with_capacity(self.source.len() + 32);
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Variable(variable) => {
                    let value = values.get(variable).map_or("", String::as_str);
                    match self.place {
                        Place::Url | Place::Form => encode::percent_encode(value, &mut out),
                        Place::Json => encode::json_escape(value, &mut out),
                    }
                }
            }
        }
        out
    }

    /// Reads the values back out of a received URL or body, or `None` when the text was not made from this template.
    ///
    /// Of a URL the path (when it holds a variable) and the parameters that hold variables are compared; scheme, host, the
    /// order of parameters and further parameters such as `token` do not matter. Where a value is followed by fixed text, it
    /// ends at the first place where that text stands; of two variables without text between them only `mcc`, which has
    /// three digits, can be told from the next.
    #[must_use]
    pub fn read(&self, received: &str) -> Option<Values> {
        match self.place {
            Place::Url => read::url(&self.source, received),
            Place::Form => read::parameters(&self.source, received),
            Place::Json => read::json(&self.pieces, received),
        }
    }
}

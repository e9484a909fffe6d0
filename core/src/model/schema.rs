//! The schemas of the models.
//!
//! Each model has one table of members: name, name on the wire, kind, required, location and format. This table is the source
//! for reading, encoding and decoding requests, and for the JSON Schemas, the Python and TypeScript types and the OpenAPI
//! document.

use crate::problem::Code;

/// Whether the models contain their names and documentation, which only generators need.
const HAS_DOCS: bool = cfg!(feature = "schema");

/// The JSON kind of a member.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Kind {
    /// A string.
    String,
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction.
    Integer,
    /// Any number.
    Number,
    /// Any JSON value: the type is not documented.
    Any,
    /// A number or a string.
    Scalar,
    /// One value of a kind, or an array of them.
    OneOrMany(&'static Kind),
    /// A string with a list of documented values; other values are kept unchanged.
    Enum(&'static [&'static str]),
    /// An object with known members.
    Object(&'static Schema),
    /// An array of one kind.
    Array(&'static Kind),
    /// An object whose members all have one kind.
    Map(&'static Kind),
}

/// The part of an HTTP request that contains a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Location {
    /// The JSON body.
    #[default]
    Body,
    /// A segment of the path.
    Path,
    /// A parameter of the query.
    Query,
    /// A header.
    Header,
}

/// How the value of a member is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Format {
    /// As its kind.
    #[default]
    Plain,
    /// As a string that contains its JSON. Both the string and the plain value are valid input.
    JsonString,
    /// As one string; several values are separated by commas.
    CommaList,
}

/// A property of a member that its type does not express. Except for `Shown`, `Moment`, `Money` and `Phone`, they are the limits that a JSON Schema can express and
/// whose violation is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Property {
    /// The text identifies a record or a state, not a person; `Debug` shows it.
    Shown,
    /// A moment: date and time.
    Moment,
    /// An amount of money.
    Money,
    /// A recipient that is a phone number, or in a chat channel perhaps an identifier: it is normalized if the configuration says so. The
    /// stores of a client and the columns of a campaign find the recipients of a request by it.
    Phone,
    /// At least one character that is not white space.
    NotBlank,
    /// At least one character.
    NotEmpty,
    /// At most this many characters.
    MaxLength(usize),
    /// An absolute http or https URL.
    Url,
    /// A UUID.
    Uuid,
    /// A date as `YYYY-MM-DD`.
    Date,
    /// A number of 1 to 16 digits, or 1 to 11 characters.
    SmsSender,
    /// A number of at least this value.
    Min(i64),
    /// A number of at most this value.
    Max(i64),
    /// At least this many elements.
    MinItems(usize),
    /// At most this many elements.
    MaxItems(usize),
    /// Elements with at least one character that is not white space.
    ItemsNotBlank,
    /// Only documented values.
    Closed,
}

/// The members of an object.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Schema {
    /// The name of the model, as in Rust and Python; empty without the feature `schema`.
    pub name: &'static str,
    /// The documentation; empty without the feature `schema`.
    pub doc: &'static str,
    /// The members, in the order of the specification.
    pub fields: &'static [Field],
    /// Members that only a similar request has. For `messages.send_bulk` this is `destination`, a member of the two other sending
    /// operations. Their types are checked, and they are reported as unknown.
    pub related: &'static [Field],
}

/// One member of an object.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Field {
    /// The name in Rust and Python; without the feature `schema` the name on the wire.
    pub name: &'static str,
    /// The name on the wire and in JSON.
    pub wire: &'static str,
    /// The JSON kind.
    pub kind: Kind,
    /// Whether the specification requires it.
    pub required: bool,
    /// Whether a value is always present: required and not merely `documented`, see `model!`.
    pub present: bool,
    /// Whether this library computes the member, which is then not received.
    pub derived: bool,
    /// The code that replaces `msg.field.type` for this member.
    pub type_code: Option<&'static Code>,
    /// The documentation; empty without the feature `schema`.
    pub doc: &'static str,
    /// Other spellings that are read as this member and never written.
    pub aliases: &'static [&'static str],
    /// The member of the configuration whose value is used if this member is absent.
    pub config: Option<&'static str>,
    /// The part of the HTTP request that contains the member.
    pub location: Location,
    /// How the value is written.
    pub format: Format,
    /// Whether `Debug` shows the text of the member.
    pub shown: bool,
    /// Whether the member contains phone numbers of recipients.
    pub is_phone: bool,
    /// The properties that its type does not express; empty without the feature `schema`.
    pub properties: &'static [Property],
}

impl Field {
    /// Creates a member; used by `model!` and by schemas written by hand.
    #[must_use]
    pub const fn new(
        name: &'static str,
        wire: &'static str,
        kind: Kind,
        required: bool,
        type_code: Option<&'static Code>,
        doc: &'static str,
    ) -> Self {
        let _ = (name, required, doc);
        Self {
            name: if HAS_DOCS { name } else { wire },
            wire,
            kind,
            required,
            present: required,
            derived: false,
            type_code,
            doc: if HAS_DOCS { doc } else { "" },
            aliases: &[],
            config: None,
            location: Location::Body,
            format: Format::Plain,
            shown: false,
            is_phone: false,
            properties: &[],
        }
    }

    /// Whether `name` is the wire name of the member or one of its aliases.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.wire == name || self.aliases.contains(&name)
    }

    /// Sets the member of the configuration whose value is used if this member is absent.
    #[must_use]
    pub const fn config(mut self, name: &'static str) -> Self {
        self.config = Some(name);
        self
    }

    /// Marks a member of a response that is documented as always present and may still be missing.
    #[must_use]
    pub const fn documented(mut self) -> Self {
        self.present = false;
        self
    }

    /// Marks a member that this library computes.
    #[must_use]
    pub const fn derived(mut self) -> Self {
        self.derived = true;
        self
    }

    /// Sets whether the specification requires the member.
    #[must_use]
    pub const fn required(mut self, required: bool) -> Self {
        self.required = required;
        self
    }

    /// Sets the part of the request that contains the member, and how its value is written.
    #[must_use]
    pub const fn sent(mut self, location: Location, format: Format) -> Self {
        self.location = location;
        self.format = format;
        self
    }

    /// Sets the properties that the type of the member does not express.
    #[must_use]
    pub const fn properties(mut self, properties: &'static [Property]) -> Self {
        let mut rest = properties;
        while let [first, others @ ..] = rest {
            self.shown |= matches!(first, Property::Shown);
            self.is_phone |= matches!(first, Property::Phone);
            rest = others;
        }
        self.properties = if HAS_DOCS { properties } else { &[] };
        self
    }

    /// Sets other spellings that are read as this member.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }
}

/// The maximum number of members of a schema: the walk of a request has one bit for each.
const MAX_FIELDS: usize = 64;

/// The documentation before its Rust example, which the other languages do not show.
const fn without_example(doc: &'static str) -> &'static str {
    let mut end = 0;
    while end < doc.len() {
        if let Some((before, rest)) = doc.split_at_checked(end)
            && let [b'\n', b' ', b'#', b' ', b'E', b'x', ..] = rest.as_bytes()
        {
            return before;
        }
        end += 1;
    }
    doc
}

impl Schema {
    /// Creates a schema; used by `model!` and by schemas written by hand.
    #[must_use]
    pub const fn new(name: &'static str, doc: &'static str, fields: &'static [Field]) -> Self {
        assert!(fields.len() <= MAX_FIELDS, "a schema has at most MAX_FIELDS members");
        let (name, doc) = if HAS_DOCS { (name, without_example(doc)) } else { ("", "") };
        Self { name, doc, fields, related: &[] }
    }

    /// Sets the members of a related request.
    #[must_use]
    pub(crate) const fn related(mut self, fields: &'static [Field]) -> Self {
        assert!(self.fields.len() + fields.len() <= MAX_FIELDS, "see `new`");
        self.related = fields;
        self
    }

    /// The name on the wire of the member with the recipients, which is declared with [`Property::Phone`].
    pub(crate) const fn recipients(&self) -> Option<&'static str> {
        let mut rest = self.fields;
        while let [field, others @ ..] = rest {
            if field.is_phone {
                return Some(field.wire);
            }
            rest = others;
        }
        None
    }

    /// The member with this name on the wire, or with this alias.
    #[must_use]
    pub fn field(&self, wire: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.is_named(wire))
    }

    /// The index of the member with this name: own members come first, then those of a related request. `guess` is compared
    /// first, because members usually arrive in the documented order.
    pub(crate) fn index_of(&self, wire: &str, guess: u16) -> Option<u16> {
        if self.at(guess).is_some_and(|field| field.is_named(wire)) {
            return Some(guess);
        }
        let mut index = 0;
        while let Some(field) = self.at(index) {
            if field.is_named(wire) {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// The member at an index.
    pub(crate) fn at(&self, index: u16) -> Option<&'static Field> {
        let index = usize::from(index);
        let own = self.fields.len();
        self.fields.get(index).or_else(|| self.related.get(index.checked_sub(own)?))
    }
}

/// A Rust type that has a JSON kind.
pub trait HasKind {
    /// The kind.
    const KIND: Kind;

    /// Whether there is a value; `None` does not count as a value.
    fn is_set(&self) -> bool {
        true
    }

    /// Reports the missing members of the part of a response at `at`.
    #[doc(hidden)]
    fn report_missing(&self, _at: &crate::problem::Pointer<'_>, _problems: &mut crate::problem::Problems) {}

    /// Reads an optional member of this type.
    ///
    /// # Errors
    /// When the value has another type, or contains a duplicate member.
    #[doc(hidden)]
    fn member<'de, A: serde::de::MapAccess<'de>>(map: &mut A) -> Result<Option<Self>, A::Error>
    where
        Self: serde::Deserialize<'de>,
    {
        map.next_value()
    }
}

impl HasKind for String {
    const KIND: Kind = Kind::String;
}

impl HasKind for bool {
    const KIND: Kind = Kind::Boolean;
}

impl HasKind for i64 {
    const KIND: Kind = Kind::Integer;
}

impl HasKind for f64 {
    const KIND: Kind = Kind::Number;
}

impl HasKind for crate::value::Value {
    const KIND: Kind = Kind::Any;
}

impl<T: HasKind> HasKind for Option<T> {
    const KIND: Kind = T::KIND;

    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn report_missing(&self, at: &crate::problem::Pointer<'_>, problems: &mut crate::problem::Problems) {
        if let Some(value) = self {
            value.report_missing(at, problems);
        }
    }
}

impl<T: HasKind> HasKind for Box<T> {
    const KIND: Kind = T::KIND;
}

impl<T: HasKind> HasKind for Vec<T> {
    const KIND: Kind = Kind::Array(&T::KIND);

    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn report_missing(&self, at: &crate::problem::Pointer<'_>, problems: &mut crate::problem::Problems) {
        for (index, value) in self.iter().enumerate() {
            value.report_missing(&at.index(index), problems);
        }
    }
}

/// A model: an object with a schema.
pub trait Model: HasKind {
    /// The members, in the order of the specification.
    const FIELDS: &'static [Field];
    /// The schema.
    const SCHEMA: Schema;

    /// Whether a documented member is set, by its wire name.
    fn has(&self, wire: &str) -> bool;

    /// The undocumented members.
    fn extra(&self) -> &crate::extra::Extra;

    /// Writes the members of the body of a request, in the form in which they are sent.
    ///
    /// # Errors
    /// When the serializer fails.
    #[doc(hidden)]
    fn serialize_body<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// `member_types::StringMap`, spelled out so that schemas do not depend on member types.
impl HasKind for std::collections::BTreeMap<String, String> {
    const KIND: Kind = Kind::Map(&Kind::String);

    fn member<'de, A: serde::de::MapAccess<'de>>(map: &mut A) -> Result<Option<Self>, A::Error> {
        Ok(map.next_value::<Option<crate::extra::UniqueStrings>>()?.map(|texts| texts.0))
    }
}

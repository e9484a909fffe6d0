//! Schemas: the description of every model.
//!
//! One table for each model (name, wire name, kind, required, location, format) drives the reader of requests, encoding and
//! decoding, the JSON Schemas, the Python and TypeScript types, the OpenAPI document and the redacting `Debug`.

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
    /// A string out of a list; other values are kept as they are.
    Enum(&'static [&'static str]),
    /// An object with known members.
    Object(&'static Schema),
    /// An array of one kind.
    Array(&'static Kind),
    /// An object whose members all have one kind.
    Map(&'static Kind),
}

/// Where a member of a request travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Location {
    /// In the JSON body.
    #[default]
    Body,
    /// As a segment of the path.
    Path,
    /// As a parameter of the query.
    Query,
    /// As a header.
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

/// The members of an object.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Schema {
    /// The name of the model, as in Rust and Python.
    pub name: &'static str,
    /// What it is; empty without the feature `schema`.
    pub doc: &'static str,
    /// The members, in the order of the specification.
    pub fields: &'static [Field],
    /// Members that only a related object has, and that are read here too: unknown, but of a known type.
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
    /// Its kind.
    pub kind: Kind,
    /// Whether the specification requires it.
    pub required: bool,
    /// Whether a value is always present: required and not merely `expected`, see `model!`.
    pub present: bool,
    /// Whether it is computed here and not received.
    pub derived: bool,
    /// The code that replaces `msg.field.type` for this member.
    pub type_code: Option<&'static Code>,
    /// What it is; empty without the feature `schema`.
    pub doc: &'static str,
    /// Other spellings that are read as this member and never written.
    pub aliases: &'static [&'static str],
    /// The member of the configuration that fills this one when it is absent; a caller may leave it out.
    pub config: Option<&'static str>,
    /// Where it travels, for a member of a request.
    pub location: Location,
    /// How its value is written.
    pub format: Format,
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
        }
    }

    /// Whether this is its wire name, or another spelling of it.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.wire == name || self.aliases.contains(&name)
    }

    /// Filled from this member of the configuration when absent.
    #[must_use]
    pub const fn config(mut self, name: &'static str) -> Self {
        self.config = Some(name);
        self
    }

    /// Documented as always present; absent all the same in a response that lacks it.
    #[must_use]
    pub const fn expected(mut self) -> Self {
        self.present = false;
        self
    }

    /// Computed here and not received.
    #[must_use]
    pub const fn derived(mut self) -> Self {
        self.derived = true;
        self
    }

    /// With another word on whether the specification requires it.
    #[must_use]
    pub const fn required(mut self, required: bool) -> Self {
        self.required = required;
        self
    }

    /// Sets where the member travels, and how its value is written.
    #[must_use]
    pub const fn sent(mut self, location: Location, format: Format) -> Self {
        self.location = location;
        self.format = format;
        self
    }

    /// With other spellings that are read as this member.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }
}

/// The largest number of members that the walk of a request can distinguish: one bit each.
const MAX_FIELDS: usize = 64;

impl Schema {
    /// Creates a schema; used by `model!` and by schemas written by hand.
    #[must_use]
    pub const fn new(name: &'static str, doc: &'static str, fields: &'static [Field]) -> Self {
        let _ = (name, doc);
        assert!(fields.len() <= MAX_FIELDS, "a schema has at most MAX_FIELDS members");
        Self { name, doc: if HAS_DOCS { doc } else { "" }, fields, related: &[] }
    }

    /// With members that only a related object has.
    #[must_use]
    pub(crate) const fn related(mut self, fields: &'static [Field]) -> Self {
        assert!(self.fields.len() + fields.len() <= MAX_FIELDS, "see `new`");
        self.related = fields;
        self
    }

    /// The member with this wire name, or with this other spelling of it.
    #[must_use]
    pub fn field(&self, wire: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.is_named(wire))
    }

    /// The index of the member with this name: its own members first, then those of a related object.
    /// `guess` is tried first, because members usually arrive in the documented order.
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

    /// Whether there is a value to show (an absent option has none).
    fn is_set(&self) -> bool {
        true
    }

    /// Reports what a response of this type lacks below `at`.
    #[doc(hidden)]
    fn gaps(&self, _at: &crate::problem::Pointer<'_>, _problems: &mut crate::problem::Problems) {}

    /// Reads an optional member of this type.
    ///
    /// # Errors
    /// When it has another type, or names one of its own members twice.
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

    fn gaps(&self, at: &crate::problem::Pointer<'_>, problems: &mut crate::problem::Problems) {
        if let Some(value) = self {
            value.gaps(at, problems);
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

    fn gaps(&self, at: &crate::problem::Pointer<'_>, problems: &mut crate::problem::Problems) {
        for (index, value) in self.iter().enumerate() {
            value.gaps(&at.index(index), problems);
        }
    }
}

/// A model: an object with a schema.
pub trait Model: HasKind {
    /// Its members, in the order of the specification.
    const FIELDS: &'static [Field];
    /// Its schema.
    const SCHEMA: Schema;

    /// Whether a documented member is set, by its wire name.
    fn has(&self, wire: &str) -> bool;

    /// Its undocumented members.
    fn extra(&self) -> &crate::extra::Extra;

    /// Writes the members that travel in the body of a request, in the form in which they are sent.
    ///
    /// # Errors
    /// When the serializer fails.
    #[doc(hidden)]
    fn serialize_body<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// `values::StringMap`, spelled out so that schemas do not depend on member types.
impl HasKind for std::collections::BTreeMap<String, String> {
    const KIND: Kind = Kind::Map(&Kind::String);

    fn member<'de, A: serde::de::MapAccess<'de>>(map: &mut A) -> Result<Option<Self>, A::Error> {
        Ok(map.next_value::<Option<crate::extra::StringMap>>()?.map(|texts| texts.0))
    }
}

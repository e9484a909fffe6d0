//! Models of requests and responses. The macro `model!` declares a model, [`schema`] describes its members, and [`member_types`] has
//! the member types that have several forms in JSON.

pub mod extra;
mod member_macros;
pub mod member_types;
pub(crate) mod newtypes;
pub(crate) mod open_enum;
pub(crate) mod recipient;
pub(crate) mod redact;
pub mod schema;

/// Declares a model once: the struct, its JSON names, its constructor from the required members, its chained setters, its
/// schema, its redacting `Debug`, and how a request is encoded and decoded.
///
/// A member is declared as `name: Type = "wire" in query as comma_list | "alias" ! CODE where NotBlank`. Only the type and the name
/// on the wire are required.
/// - `in path`, `in query`, `in header`: the part of the HTTP request that contains the member; the default is the body.
/// - `as json_string`: the member is sent as a string that contains its JSON. Both forms are valid input.
/// - `as comma_list`: several values are sent as one string, separated by commas.
/// - `| "alias"`: another spelling that is read and never written.
/// - `! CODE`: the code that replaces `msg.field.type` for the member.
/// - `where Shown & MaxLength(25)`: [properties](schema::Property) that the type does not express: whether `Debug` shows the text,
///   and the limits of the JSON Schemas.
///
/// Members of a request are `required` or `optional`. Members of a response are in one of these groups:
/// - `verdict`: without the member, the response is unreadable.
/// - `required`: a missing member has its default value; `Operation::confirm` rejects it, or it adds a warning, as an empty one does.
/// - `documented`: documented as always present; a missing member is `None`, with a warning.
/// - `optional`: may be missing.
/// - `derived`: computed by this library and not received.
macro_rules! model {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(verdict {
                $(
                    $(#[doc = $verdict_doc:literal])*
                    $verdict_field:ident : $verdict_type:ty = $verdict_wire:literal
                    $(where $($verdict_property:ident $(($($verdict_bound:expr),*))?)&+)?
                ),* $(,)?
            })?
            $(required {
                $(
                    $(#[doc = $required_doc:literal])*
                    $required_field:ident : $required_type:ty = $required_wire:literal
                    $(in $required_location:ident)? $(as $required_format:ident)? $(| $required_alias:literal)* $(! $required_code:ident)?
                    $(where $($required_property:ident $(($($required_bound:expr),*))?)&+)?
                ),* $(,)?
            })?
            $(documented {
                $(
                    $(#[doc = $documented_doc:literal])*
                    $documented_field:ident : $documented_type:ty = $documented_wire:literal
                    $(where $($documented_property:ident $(($($documented_bound:expr),*))?)&+)?
                ),* $(,)?
            })?
            $(optional {
                $(
                    $(#[doc = $optional_doc:literal])*
                    $optional_field:ident : $optional_type:ty = $optional_wire:literal
                    $(in $optional_location:ident)? $(as $optional_format:ident)? $(| $optional_alias:literal)* $(! $optional_code:ident)?
                    $(where $($optional_property:ident $(($($optional_bound:expr),*))?)&+)?
                ),* $(,)?
            })?
            $(derived {
                $(
                    $(#[doc = $derived_doc:literal])*
                    $derived_field:ident : $derived_type:ty = $derived_wire:literal
                    $(where $($derived_property:ident $(($($derived_bound:expr),*))?)&+)?
                ),* $(,)?
            })?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(
                $(#[doc = $verdict_doc])*
                pub $verdict_field: $verdict_type,
            )*)?
            $($(
                $(#[doc = $required_doc])*
                pub $required_field: $required_type,
            )*)?
            $($(
                $(#[doc = $documented_doc])*
                ///
                /// `None`, with a warning, if the member is missing or unreadable.
                pub $documented_field: Option<$documented_type>,
            )*)?
            $($(
                $(#[doc = $optional_doc])*
                pub $optional_field: Option<$optional_type>,
            )*)?
            $($(
                $(#[doc = $derived_doc])*
                pub $derived_field: $derived_type,
            )*)?
            /// Undocumented members; sent and kept unchanged.
            pub extra: $crate::extra::Extra,
        }

        impl $name {
            /// Creates a value from the required members.
            #[must_use]
            #[allow(clippy::new_without_default)]
            pub fn new($($($verdict_field: impl Into<$verdict_type>,)*)? $($($required_field: impl Into<$required_type>,)*)?) -> Self {
                Self {
                    $($($verdict_field: $verdict_field.into(),)*)?
                    $($($required_field: $required_field.into(),)*)?
                    ..Self::default()
                }
            }

            $( $crate::model::optional_setters! { $( $(#[doc = $documented_doc])* $documented_field: $documented_type; )* } )?
            $( $crate::model::optional_setters! { $( $(#[doc = $optional_doc])* $optional_field: $optional_type; )* } )?

            /// Adds an undocumented member; it is merged into the object.
            #[must_use]
            pub fn extra(mut self, name: impl Into<String>, value: impl Into<$crate::value::Value>) -> Self {
                self.extra.insert(name, value);
                self
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.write(serializer, false)
            }
        }

        impl $name {
            /// Writes all members, or only those of the request body, in the form in which they are sent.
            fn write<S: serde::Serializer>(&self, serializer: S, _is_body: bool) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $($( map.serialize_entry($verdict_wire, &self.$verdict_field)?; )*)?
                $($(
                    $crate::model::write_member!(map, _is_body, $required_wire, &self.$required_field, [$($required_location)? $($required_format)?]);
                )*)?
                $($( if let Some(value) = &self.$documented_field { map.serialize_entry($documented_wire, value)?; } )*)?
                $($( if let Some(value) = &self.$optional_field {
                    $crate::model::write_member!(map, _is_body, $optional_wire, value, [$($optional_location)? $($optional_format)?]);
                } )*)?
                $($( map.serialize_entry($derived_wire, &self.$derived_field)?; )*)?
                for (name, value) in self.extra.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }

        impl $crate::json::json_size::JsonSize for $name {
            fn json_size(&self) -> usize {
                let mut size = $crate::json::json_size::ObjectSize::default();
                $($( size.add($verdict_wire, &self.$verdict_field); )*)?
                $($( size.add($required_wire, &self.$required_field); )*)?
                $($( if let Some(value) = &self.$documented_field { size.add($documented_wire, value); } )*)?
                $($( if let Some(value) = &self.$optional_field { size.add($optional_wire, value); } )*)?
                $($( size.add($derived_wire, &self.$derived_field); )*)?
                size.finish(&self.extra)
            }
        }

        // Not derived, because `flatten` buffers all members.
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;

                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let mut model = $name::default();
                        $($( let mut $verdict_field = false; )*)?
                        $($( let mut $required_field = false; )*)?
                        $($( let mut $documented_field = false; )*)?
                        $($( let mut $optional_field = false; )*)?
                        while let Some(key) = map.next_key::<$crate::extra::Key<'de>>()? {
                            match key.as_str() {
                                $($( $verdict_wire => {
                                    if std::mem::replace(&mut $verdict_field, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$verdict_field = map.next_value()?;
                                } )*)?
                                $($( $derived_wire => { map.next_value::<serde::de::IgnoredAny>()?; } )*)?
                                $($( $documented_wire => {
                                    if std::mem::replace(&mut $documented_field, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$documented_field = <$documented_type as $crate::schema::HasKind>::member(&mut map)?;
                                } )*)?
                                $($( $required_wire $(| $required_alias)* => {
                                    if std::mem::replace(&mut $required_field, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$required_field = map.next_value::<Option<$required_type>>()?.unwrap_or_default();
                                } )*)?
                                $($( $optional_wire $(| $optional_alias)* => {
                                    if std::mem::replace(&mut $optional_field, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$optional_field = <$optional_type as $crate::schema::HasKind>::member(&mut map)?;
                                } )*)?
                                other => model.extra.read(other, &mut map)?,
                            }
                        }
                        $($( if !$verdict_field { return Err(<A::Error as serde::de::Error>::missing_field($verdict_wire)); } )*)?
                        Ok(model)
                    }
                }

                deserializer.deserialize_map(Members)
            }
        }

        impl $crate::json::fill_model::FieldMut for $name {
            fn fill(&mut self, entry: $crate::json::Entry<'_>) {
                $crate::json::fill_model::object(self, <Self as $crate::schema::Model>::FIELDS, entry);
            }

            fn is_set(&self) -> bool {
                !$crate::json::fill_model::is_blank(self)
            }
        }

        impl $crate::json::fill_model::Object for $name {
            fn set_members(&self) -> u64 {
                $crate::model::set_members!(self,
                    $($($verdict_field;)*)?
                    $($($required_field;)*)?
                    $($($documented_field;)*)?
                    $($($optional_field;)*)?
                    $($($derived_field;)*)?
                )
            }

            fn field_mut(&mut self, index: usize) -> Option<&mut dyn $crate::json::fill_model::FieldMut> {
                $crate::model::member_at!(self, index,
                    $($($verdict_field;)*)?
                    $($($required_field;)*)?
                    $($($documented_field;)*)?
                    $($($optional_field;)*)?
                    $($($derived_field;)*)?
                )
            }

            fn extra(&self) -> &$crate::extra::Extra {
                &self.extra
            }

            fn extra_mut(&mut self) -> &mut $crate::extra::Extra {
                &mut self.extra
            }
        }

        impl $crate::schema::HasKind for $name {
            const KIND: $crate::schema::Kind =
                $crate::schema::Kind::Object(&<Self as $crate::schema::Model>::SCHEMA);

            fn report_missing(&self, at: &$crate::problem::Pointer<'_>, problems: &mut $crate::problem::Problems) {
                let _ = (at, &problems);
                $($( $crate::schema::HasKind::report_missing(&self.$verdict_field, &at.key($verdict_wire), problems); )*)?
                $($( if $crate::json::fill_model::FieldMut::is_set(&self.$required_field) {
                    $crate::schema::HasKind::report_missing(&self.$required_field, &at.key($required_wire), problems);
                } else {
                    problems.add_key(&$crate::problem::codes::RESPONSE_MEMBER_MISSING, at, $required_wire);
                } )*)?
                $($( match &self.$documented_field {
                    Some(value) => $crate::schema::HasKind::report_missing(value, &at.key($documented_wire), problems),
                    None => problems.add_key(&$crate::problem::codes::RESPONSE_MEMBER_MISSING, at, $documented_wire),
                } )*)?
                $($( if let Some(value) = &self.$optional_field {
                    $crate::schema::HasKind::report_missing(value, &at.key($optional_wire), problems);
                } )*)?
            }
        }

        impl $crate::schema::Model for $name {
            const FIELDS: &'static [$crate::schema::Field] = &[
                $($(
                    $crate::schema::Field::new(
                        stringify!($verdict_field),
                        $verdict_wire,
                        <$verdict_type as $crate::schema::HasKind>::KIND,
                        true,
                        None,
                        concat!($($verdict_doc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$verdict_property $(($($verdict_bound),*))?),+)?]),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($required_field),
                        $required_wire,
                        <$required_type as $crate::schema::HasKind>::KIND,
                        true,
                        $crate::model::type_code!($($required_code)?),
                        concat!($($required_doc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$required_property $(($($required_bound),*))?),+)?])
                    .aliases(&[$($required_alias),*])
                    .sent($crate::model::location_of!($($required_location)?), $crate::model::format_of!($($required_format)?)),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($documented_field),
                        $documented_wire,
                        <$documented_type as $crate::schema::HasKind>::KIND,
                        true,
                        None,
                        concat!($($documented_doc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$documented_property $(($($documented_bound),*))?),+)?])
                    .documented(),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($optional_field),
                        $optional_wire,
                        <$optional_type as $crate::schema::HasKind>::KIND,
                        false,
                        $crate::model::type_code!($($optional_code)?),
                        concat!($($optional_doc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$optional_property $(($($optional_bound),*))?),+)?])
                    .aliases(&[$($optional_alias),*])
                    .sent($crate::model::location_of!($($optional_location)?), $crate::model::format_of!($($optional_format)?)),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($derived_field),
                        $derived_wire,
                        <$derived_type as $crate::schema::HasKind>::KIND,
                        true,
                        None,
                        concat!($($derived_doc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$derived_property $(($($derived_bound),*))?),+)?])
                    .derived(),
                )*)?
            ];
            const SCHEMA: $crate::schema::Schema = $crate::schema::Schema::new(
                stringify!($name),
                concat!($($doc, "\n"),*),
                Self::FIELDS,
            );

            fn has(&self, wire: &str) -> bool {
                $crate::json::fill_model::has(self, Self::FIELDS, wire)
            }

            fn extra(&self) -> &$crate::extra::Extra {
                &self.extra
            }

            fn serialize_body<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.write(serializer, true)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let fields = <Self as $crate::schema::Model>::FIELDS;
                let mut shown = f.debug_struct(stringify!($name));
                $($( $crate::redact::field(&mut shown, fields, $verdict_wire, &self.$verdict_field); )*)?
                $($( $crate::redact::field(&mut shown, fields, $required_wire, &self.$required_field); )*)?
                $($( $crate::redact::field(&mut shown, fields, $documented_wire, &self.$documented_field); )*)?
                $($( $crate::redact::field(&mut shown, fields, $optional_wire, &self.$optional_field); )*)?
                $($( $crate::redact::field(&mut shown, fields, $derived_wire, &self.$derived_field); )*)?
                shown.finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use member_macros::{
    format_of, location_of, member_at, optional_setters, set_members, type_code, write_member,
};
pub(crate) use model;
pub(crate) use open_enum::open_enum;

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
/// - `required`: a missing member has its default value; `Operation::confirm` rejects it.
/// - `documented`: documented as always present; a missing member is `None`, with a warning.
/// - `optional`: may be missing.
/// - `derived`: computed by this library and not received.
macro_rules! model {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(verdict {
                $( $(#[doc = $cdoc:literal])* $cfield:ident : $ctype:ty = $cwire:literal $(where $($cproperty:ident $(($($cbound:expr),*))?)&+)? ),* $(,)?
            })?
            $(required {
                $( $(#[doc = $rdoc:literal])* $rfield:ident : $rtype:ty = $rwire:literal $(in $rlocation:ident)? $(as $rformat:ident)? $(| $ralias:literal)* $(! $rcode:ident)? $(where $($rproperty:ident $(($($rbound:expr),*))?)&+)? ),* $(,)?
            })?
            $(documented {
                $( $(#[doc = $edoc:literal])* $efield:ident : $etype:ty = $ewire:literal $(where $($eproperty:ident $(($($ebound:expr),*))?)&+)? ),* $(,)?
            })?
            $(optional {
                $( $(#[doc = $odoc:literal])* $ofield:ident : $otype:ty = $owire:literal $(in $olocation:ident)? $(as $oformat:ident)? $(| $oalias:literal)* $(! $ocode:ident)? $(where $($oproperty:ident $(($($obound:expr),*))?)&+)? ),* $(,)?
            })?
            $(derived {
                $( $(#[doc = $ddoc:literal])* $dfield:ident : $dtype:ty = $dwire:literal $(where $($dproperty:ident $(($($dbound:expr),*))?)&+)? ),* $(,)?
            })?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(
                $(#[doc = $cdoc])*
                pub $cfield: $ctype,
            )*)?
            $($(
                $(#[doc = $rdoc])*
                pub $rfield: $rtype,
            )*)?
            $($(
                $(#[doc = $edoc])*
                ///
                /// `None`, with a warning, if the member is missing or unreadable.
                pub $efield: Option<$etype>,
            )*)?
            $($(
                $(#[doc = $odoc])*
                pub $ofield: Option<$otype>,
            )*)?
            $($(
                $(#[doc = $ddoc])*
                pub $dfield: $dtype,
            )*)?
            /// Undocumented members; sent and kept unchanged.
            pub extra: $crate::extra::Extra,
        }

        impl $name {
            /// Creates a value from the required members.
            #[must_use]
            #[allow(clippy::new_without_default)]
            pub fn new($($($cfield: impl Into<$ctype>,)*)? $($($rfield: impl Into<$rtype>,)*)?) -> Self {
                Self {
                    $($($cfield: $cfield.into(),)*)?
                    $($($rfield: $rfield.into(),)*)?
                    ..Self::default()
                }
            }

            $( $crate::model::optional_setters! { $( $(#[doc = $edoc])* $efield: $etype; )* } )?
            $( $crate::model::optional_setters! { $( $(#[doc = $odoc])* $ofield: $otype; )* } )?

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
                $($( map.serialize_entry($cwire, &self.$cfield)?; )*)?
                $($(
                    $crate::model::write_member!(map, _is_body, $rwire, &self.$rfield, [$($rlocation)? $($rformat)?]);
                )*)?
                $($( if let Some(value) = &self.$efield { map.serialize_entry($ewire, value)?; } )*)?
                $($( if let Some(value) = &self.$ofield {
                    $crate::model::write_member!(map, _is_body, $owire, value, [$($olocation)? $($oformat)?]);
                } )*)?
                $($( map.serialize_entry($dwire, &self.$dfield)?; )*)?
                for (name, value) in self.extra.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
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
                        $($( let mut $cfield = false; )*)?
                        $($( let mut $rfield = false; )*)?
                        $($( let mut $efield = false; )*)?
                        $($( let mut $ofield = false; )*)?
                        while let Some(key) = map.next_key::<$crate::extra::Key<'de>>()? {
                            match key.as_str() {
                                $($( $cwire => {
                                    if std::mem::replace(&mut $cfield, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$cfield = map.next_value()?;
                                } )*)?
                                $($( $dwire => { map.next_value::<serde::de::IgnoredAny>()?; } )*)?
                                $($( $ewire => {
                                    if std::mem::replace(&mut $efield, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$efield = <$etype as $crate::schema::HasKind>::member(&mut map)?;
                                } )*)?
                                $($( $rwire $(| $ralias)* => {
                                    if std::mem::replace(&mut $rfield, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$rfield = map.next_value::<Option<$rtype>>()?.unwrap_or_default();
                                } )*)?
                                $($( $owire $(| $oalias)* => {
                                    if std::mem::replace(&mut $ofield, true) {
                                        return Err($crate::extra::duplicate_member());
                                    }
                                    model.$ofield = <$otype as $crate::schema::HasKind>::member(&mut map)?;
                                } )*)?
                                other => model.extra.read(other, &mut map)?,
                            }
                        }
                        $($( if !$cfield { return Err(<A::Error as serde::de::Error>::missing_field($cwire)); } )*)?
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
            fn field(&self, index: usize) -> Option<&dyn $crate::json::fill_model::FieldMut> {
                $crate::model::members!(index,
                    $($($cfield = & self.$cfield;)*)?
                    $($($rfield = & self.$rfield;)*)?
                    $($($efield = & self.$efield;)*)?
                    $($($ofield = & self.$ofield;)*)?
                    $($($dfield = & self.$dfield;)*)?
                )
            }

            fn field_mut(&mut self, index: usize) -> Option<&mut dyn $crate::json::fill_model::FieldMut> {
                $crate::model::members!(index,
                    $($($cfield = &mut self.$cfield;)*)?
                    $($($rfield = &mut self.$rfield;)*)?
                    $($($efield = &mut self.$efield;)*)?
                    $($($ofield = &mut self.$ofield;)*)?
                    $($($dfield = &mut self.$dfield;)*)?
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
                $($( $crate::schema::HasKind::report_missing(&self.$cfield, &at.key($cwire), problems); )*)?
                $($( $crate::schema::HasKind::report_missing(&self.$rfield, &at.key($rwire), problems); )*)?
                $($( match &self.$efield {
                    Some(value) => $crate::schema::HasKind::report_missing(value, &at.key($ewire), problems),
                    None => problems.add_key(&$crate::problem::codes::RESPONSE_MEMBER_MISSING, at, $ewire),
                } )*)?
                $($( if let Some(value) = &self.$ofield {
                    $crate::schema::HasKind::report_missing(value, &at.key($owire), problems);
                } )*)?
            }
        }

        impl $crate::schema::Model for $name {
            const FIELDS: &'static [$crate::schema::Field] = &[
                $($(
                    $crate::schema::Field::new(
                        stringify!($cfield),
                        $cwire,
                        <$ctype as $crate::schema::HasKind>::KIND,
                        true,
                        None,
                        concat!($($cdoc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$cproperty $(($($cbound),*))?),+)?]),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($rfield),
                        $rwire,
                        <$rtype as $crate::schema::HasKind>::KIND,
                        true,
                        $crate::model::type_code!($($rcode)?),
                        concat!($($rdoc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$rproperty $(($($rbound),*))?),+)?])
                    .aliases(&[$($ralias),*])
                    .sent($crate::model::location_of!($($rlocation)?), $crate::model::format_of!($($rformat)?)),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($efield),
                        $ewire,
                        <$etype as $crate::schema::HasKind>::KIND,
                        true,
                        None,
                        concat!($($edoc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$eproperty $(($($ebound),*))?),+)?])
                    .documented(),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($ofield),
                        $owire,
                        <$otype as $crate::schema::HasKind>::KIND,
                        false,
                        $crate::model::type_code!($($ocode)?),
                        concat!($($odoc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$oproperty $(($($obound),*))?),+)?])
                    .aliases(&[$($oalias),*])
                    .sent($crate::model::location_of!($($olocation)?), $crate::model::format_of!($($oformat)?)),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($dfield),
                        $dwire,
                        <$dtype as $crate::schema::HasKind>::KIND,
                        true,
                        None,
                        concat!($($ddoc, "\n"),*),
                    )
                    .properties(&[$($($crate::schema::Property::$dproperty $(($($dbound),*))?),+)?])
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
                $($( $crate::redact::field(&mut shown, fields, $cwire, &self.$cfield); )*)?
                $($( $crate::redact::field(&mut shown, fields, $rwire, &self.$rfield); )*)?
                $($( $crate::redact::field(&mut shown, fields, $ewire, &self.$efield); )*)?
                $($( $crate::redact::field(&mut shown, fields, $owire, &self.$ofield); )*)?
                $($( $crate::redact::field(&mut shown, fields, $dwire, &self.$dfield); )*)?
                shown.finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use member_macros::{format_of, location_of, members, optional_setters, type_code, write_member};
pub(crate) use model;
pub(crate) use open_enum::open_enum;

//! The macro that declares models. Open enumerations are declared by `open_enum!`, the list of operations by `operations!`.

/// Declares a model once: the struct, its wire names, its constructor from the required members,
/// its chained setters, its shape and its redacting `Debug`. `name: Type = "wire" | "alias" ! CODE`: an
/// alias is read and never written; the code replaces `msg.field.type` for the member.
///
/// Members of a request are `required` or `optional`. Members of a response are: `decides` (without it the response is
/// unreadable), `required` (a default stands for an absent one until the operation confirms it), `expected` (documented as
/// always present; `None` with a warning when it is not), `optional`, and `derived` (computed here, not received).
macro_rules! model {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(decides {
                $( $(#[doc = $cdoc:literal])* $cfield:ident : $ctype:ty = $cwire:literal ),* $(,)?
            })?
            $(required {
                $( $(#[doc = $rdoc:literal])* $rfield:ident : $rtype:ty = $rwire:literal $(| $ralias:literal)* $(! $rcode:ident)? ),* $(,)?
            })?
            $(expected {
                $( $(#[doc = $edoc:literal])* $efield:ident : $etype:ty = $ewire:literal ),* $(,)?
            })?
            $(optional {
                $( $(#[doc = $odoc:literal])* $ofield:ident : $otype:ty = $owire:literal $(| $oalias:literal)* $(! $ocode:ident)? ),* $(,)?
            })?
            $(derived {
                $( $(#[doc = $ddoc:literal])* $dfield:ident : $dtype:ty = $dwire:literal ),* $(,)?
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
                /// `None`, with a warning, when the response lacks it or it cannot be read.
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
            /// Members that the specification does not show; sent and kept as they are.
            pub extra: $crate::extra::Extra,
        }

        impl $name {
            /// From the required members.
            #[must_use]
            #[allow(clippy::new_without_default)]
            pub fn new($($($cfield: impl Into<$ctype>,)*)? $($($rfield: impl Into<$rtype>,)*)?) -> Self {
                Self {
                    $($($cfield: $cfield.into(),)*)?
                    $($($rfield: $rfield.into(),)*)?
                    ..Self::default()
                }
            }

            $($(
                $(#[doc = $edoc])*
                #[must_use]
                pub fn $efield(mut self, value: impl Into<$etype>) -> Self {
                    self.$efield = Some(value.into());
                    self
                }
            )*)?

            $($(
                $(#[doc = $odoc])*
                #[must_use]
                pub fn $ofield(mut self, value: impl Into<$otype>) -> Self {
                    self.$ofield = Some(value.into());
                    self
                }
            )*)?

            /// Adds a member that the specification does not show; it is merged into the object.
            #[must_use]
            pub fn extra(mut self, name: impl Into<String>, value: impl Into<$crate::value::Value>) -> Self {
                self.extra.insert(name, value);
                self
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $($( map.serialize_entry($cwire, &self.$cfield)?; )*)?
                $($( map.serialize_entry($rwire, &self.$rfield)?; )*)?
                $($( if let Some(value) = &self.$efield { map.serialize_entry($ewire, value)?; } )*)?
                $($( if let Some(value) = &self.$ofield { map.serialize_entry($owire, value)?; } )*)?
                $($( map.serialize_entry($dwire, &self.$dfield)?; )*)?
                for (name, value) in self.extra.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }

        // By hand and not derived: one small function a model instead of the buffering of `flatten`.
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
                                        return Err($crate::extra::twice());
                                    }
                                    model.$cfield = map.next_value()?;
                                } )*)?
                                $($( $dwire => { map.next_value::<serde::de::IgnoredAny>()?; } )*)?
                                $($( $ewire => {
                                    if std::mem::replace(&mut $efield, true) {
                                        return Err($crate::extra::twice());
                                    }
                                    model.$efield = <$etype as $crate::schema::HasKind>::member(&mut map)?;
                                } )*)?
                                $($( $rwire $(| $ralias)* => {
                                    if std::mem::replace(&mut $rfield, true) {
                                        return Err($crate::extra::twice());
                                    }
                                    model.$rfield = map.next_value::<Option<$rtype>>()?.unwrap_or_default();
                                } )*)?
                                $($( $owire $(| $oalias)* => {
                                    if std::mem::replace(&mut $ofield, true) {
                                        return Err($crate::extra::twice());
                                    }
                                    model.$ofield = <$otype as $crate::schema::HasKind>::member(&mut map)?;
                                } )*)?
                                other => model.extra.read(other, &mut map)?,
                            }
                        }
                        $($( if !$cfield { return Err(<A::Error as serde::de::Error>::missing_field($cwire)); } )*)?
                        model.extra.settle();
                        Ok(model)
                    }
                }

                deserializer.deserialize_map(Members)
            }
        }

        impl $crate::json::fill::FieldMut for $name {
            fn fill(&mut self, entry: $crate::json::Entry<'_>) {
                $crate::json::fill::object(self, <Self as $crate::schema::Model>::FIELDS, entry);
            }

            fn is_set(&self) -> bool {
                !$crate::json::fill::is_blank(self)
            }
        }

        // Both functions are one in the module, where a place is an entry of a table.
        impl $crate::json::fill::Object for $name {
            fn field(&self, place: usize) -> Option<&dyn $crate::json::fill::FieldMut> {
                $crate::macros::places!(place,
                    $($($cfield = & self.$cfield;)*)?
                    $($($rfield = & self.$rfield;)*)?
                    $($($efield = & self.$efield;)*)?
                    $($($ofield = & self.$ofield;)*)?
                    $($($dfield = & self.$dfield;)*)?
                )
            }

            fn field_mut(&mut self, place: usize) -> Option<&mut dyn $crate::json::fill::FieldMut> {
                $crate::macros::places!(place,
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

            fn gaps(&self, at: &$crate::problem::Pointer<'_>, problems: &mut $crate::problem::Problems) {
                let _ = (at, &problems);
                $($( $crate::schema::HasKind::gaps(&self.$cfield, &at.key($cwire), problems); )*)?
                $($( $crate::schema::HasKind::gaps(&self.$rfield, &at.key($rwire), problems); )*)?
                $($( match &self.$efield {
                    Some(value) => $crate::schema::HasKind::gaps(value, &at.key($ewire), problems),
                    None => problems.add_key(&$crate::problem::codes::RESPONSE_MEMBER_MISSING, at, $ewire),
                } )*)?
                $($( if let Some(value) = &self.$ofield {
                    $crate::schema::HasKind::gaps(value, &at.key($owire), problems);
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
                    ),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($rfield),
                        $rwire,
                        <$rtype as $crate::schema::HasKind>::KIND,
                        true,
                        $crate::macros::type_code!($($rcode)?),
                        concat!($($rdoc, "\n"),*),
                    )
                    .aliases(&[$($ralias),*]),
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
                    .expected(),
                )*)?
                $($(
                    $crate::schema::Field::new(
                        stringify!($ofield),
                        $owire,
                        <$otype as $crate::schema::HasKind>::KIND,
                        false,
                        $crate::macros::type_code!($($ocode)?),
                        concat!($($odoc, "\n"),*),
                    )
                    .aliases(&[$($oalias),*]),
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
                    .derived(),
                )*)?
            ];
            const SCHEMA: $crate::schema::Schema = $crate::schema::Schema::new(
                stringify!($name),
                concat!($($doc, "\n"),*),
                Self::FIELDS,
            );

            fn has(&self, wire: &str) -> bool {
                $crate::json::fill::has(self, Self::FIELDS, wire)
            }

            fn extra(&self) -> &$crate::extra::Extra {
                &self.extra
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct(stringify!($name));
                $($( $crate::redact::field(&mut shown, $cwire, &self.$cfield); )*)?
                $($( $crate::redact::field(&mut shown, $rwire, &self.$rfield); )*)?
                $($( $crate::redact::field(&mut shown, $ewire, &self.$efield); )*)?
                $($( $crate::redact::field(&mut shown, $owire, &self.$ofield); )*)?
                $($( $crate::redact::field(&mut shown, $dwire, &self.$dfield); )*)?
                shown.finish_non_exhaustive()
            }
        }
    };
}

macro_rules! type_code {
    () => {
        None
    };
    ($code:ident) => {
        Some(&$crate::problem::codes::$code)
    };
}

/// The member of a model at a place, counted in the order of its fields.
macro_rules! places {
    ($place:ident, $($field:ident = $member:expr;)*) => {{
        #[allow(non_camel_case_types)]
        enum At { $($field),* }
        $( if $place == At::$field as usize {
            return Some($member);
        } )*
        None
    }};
}

pub(crate) use crate::open_enum::open_enum;
pub(crate) use {model, type_code};

pub(crate) use places;

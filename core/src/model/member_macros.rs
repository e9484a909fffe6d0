//! Macros for the parts of `model!` that depend on the attributes of a member.

/// Writes a member of a request. The HTTP body contains the member only if its location is the body; the JSON form of the whole
/// request always contains it.
macro_rules! write_member {
    ($map:ident, $is_body:ident, $wire:literal, $value:expr, []) => {
        $map.serialize_entry($wire, $value)?;
    };
    ($map:ident, $is_body:ident, $wire:literal, $value:expr, [json_string]) => {
        if $is_body {
            $map.serialize_entry($wire, &$crate::request::encoding::JsonString($value))?;
        } else {
            $map.serialize_entry($wire, $value)?;
        }
    };
    ($map:ident, $is_body:ident, $wire:literal, $value:expr, [comma_list]) => {
        $map.serialize_entry($wire, $value)?;
    };
    ($map:ident, $is_body:ident, $wire:literal, $value:expr, [$location:ident $($format:ident)?]) => {
        if !$is_body {
            $map.serialize_entry($wire, $value)?;
        }
    };
}

macro_rules! location_of {
    () => {
        $crate::schema::Location::Body
    };
    (path) => {
        $crate::schema::Location::Path
    };
    (query) => {
        $crate::schema::Location::Query
    };
    (header) => {
        $crate::schema::Location::Header
    };
}

macro_rules! format_of {
    () => {
        $crate::schema::Format::Plain
    };
    (json_string) => {
        $crate::schema::Format::JsonString
    };
    (comma_list) => {
        $crate::schema::Format::CommaList
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

/// The two setters of each optional member: `name` for a value, and `maybe_name` for an optional value. After `in`, the field that
/// contains the members.
macro_rules! optional_setters {
    (@ $(#[doc = $doc:literal])* $field:ident : $type:ty, $($place:tt)+) => {
        pastey::paste! {
            $(#[doc = $doc])*
            #[doc = concat!("\n\nFor an optional value: [`maybe_", stringify!($field), "`](Self::maybe_", stringify!($field), ").")]
            #[must_use]
            pub fn $field(mut self, value: impl Into<$type>) -> Self {
                self.$($place)+ = Some(value.into());
                self
            }

            #[doc = concat!("As [`", stringify!($field), "`](Self::", stringify!($field), ") for an optional value; `None` removes it.")]
            #[must_use]
            pub fn [<maybe_ $field>](mut self, value: Option<impl Into<$type>>) -> Self {
                self.$($place)+ = value.map(Into::into);
                self
            }
        }
    };
    (in $inner:tt; $( $(#[doc = $doc:literal])* $field:ident : $type:ty; )*) => {
        $( $crate::model::optional_setters! { @ $(#[doc = $doc])* $field: $type, $inner . $field } )*
    };
    ($( $(#[doc = $doc:literal])* $field:ident : $type:ty; )*) => {
        $( $crate::model::optional_setters! { @ $(#[doc = $doc])* $field: $type, $field } )*
    };
}

/// The member of a model at an index, counted in the order of its fields.
macro_rules! member_at {
    ($model:ident, $index:ident, $($field:ident;)*) => {{
        #[allow(non_camel_case_types)]
        enum At { $($field),* }
        $( if $index == At::$field as usize {
            return Some(&mut $model.$field);
        } )*
        None
    }};
}

/// The members of a model that are set, as bits in the order of its fields.
macro_rules! set_members {
    ($model:ident, $($field:ident;)*) => {{
        #[allow(non_camel_case_types)]
        enum At { $($field),* }
        0 $( | u64::from($crate::json::fill_model::FieldMut::is_set(&$model.$field)) << At::$field as u32 )*
    }};
}

pub(crate) use {format_of, location_of, member_at, optional_setters, set_members, type_code, write_member};

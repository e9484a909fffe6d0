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

/// The member of a model at an index, counted in the order of its fields.
macro_rules! members {
    ($index:ident, $($field:ident = $member:expr;)*) => {{
        #[allow(non_camel_case_types)]
        enum At { $($field),* }
        $( if $index == At::$field as usize {
            return Some($member);
        } )*
        None
    }};
}

pub(crate) use {format_of, location_of, members, type_code, write_member};

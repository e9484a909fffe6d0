//! Types and fields of arrays.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Fields};

/// The accepted types of a column of text, for messages.
pub(super) const STRINGS: &str = "utf8, large_utf8, utf8_view or a dictionary of these";

/// The name of a type, for messages.
pub(super) fn type_label(data_type: &DataType) -> String {
    match data_type {
        DataType::Utf8View => "utf8_view".to_owned(),
        DataType::LargeUtf8 => "large_utf8".to_owned(),
        DataType::Struct(fields) => format!("a struct of {}", joined(fields)),
        DataType::Dictionary(_, values) => format!("a dictionary of {}", type_label(values)),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            format!("a list of {}", type_label(item.data_type()))
        }
        DataType::Map(..) => "a map".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

/// What to do about a column of a type that is not text, for messages: libraries read the digits of phone numbers as numbers, and as
/// floats if some are missing.
pub(super) fn cast_advice(data_type: &DataType) -> &'static str {
    if data_type.is_integer() {
        "; cast to text where the numbers are read: leading zeros and `+` are lost in integers"
    } else if data_type.is_floating() {
        "; cast to text where the numbers are read: leading zeros and `+` are lost in floats"
    } else {
        ""
    }
}

/// The names of fields, for messages.
pub(super) fn joined(fields: &Fields) -> String {
    fields.iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(", ")
}

/// A nullable field.
pub(super) fn nullable(name: &str, data_type: DataType) -> FieldRef {
    Arc::new(Field::new(name, data_type, true))
}

/// A field without nulls.
pub(super) fn required(name: &str, data_type: DataType) -> FieldRef {
    Arc::new(Field::new(name, data_type, false))
}

/// The same fields, which may be null.
pub(super) fn all_nullable(fields: &Fields) -> Fields {
    fields.iter().map(|field| Arc::new(field.as_ref().clone().with_nullable(true))).collect()
}

/// Whether a type is text, or the type of a column of nulls.
pub(super) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(keys, values) => keys.is_dictionary_key_type() && is_text(values),
        _ => false,
    }
}

/// The members of a result with a prefix before their names, or the result as one column.
pub(super) fn added_fields(result: &Field, prefix: &str, name: &str) -> Vec<FieldRef> {
    let renamed = |field: &Field, name: &str| Arc::new(field.clone().with_name(format!("{prefix}{name}")));
    match result.data_type() {
        DataType::Struct(fields) => fields.iter().map(|field| renamed(field, field.name())).collect(),
        _ => vec![renamed(result, name)],
    }
}

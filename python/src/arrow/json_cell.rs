//! Writes values of Arrow arrays as JSON. Null members of structs are left out.

use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, TimeUnit};
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::string_column::{Keys, Strings, items};

/// An array whose items can be written as JSON.
pub(super) struct Cells<'a> {
    nulls: Option<&'a NullBuffer>,
    values: Values<'a>,
}

enum Values<'a> {
    Null,
    Boolean { bits: &'a [u8], offset: usize },
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Decimal { values: &'a [i128], scale: i8 },
    Date(&'a [i32]),
    Timestamp { values: &'a [i64], unit: TimeUnit, has_zone: bool },
    Strings(Strings<'a>),
    Dictionary { keys: Keys<'a>, values: Box<Cells<'a>> },
    Struct { members: Vec<(&'a str, Cells<'a>)>, offset: usize },
    List { offsets: &'a [i32], items: Box<Cells<'a>> },
    LargeList { offsets: &'a [i64], items: Box<Cells<'a>> },
    FixedList { size: usize, offset: usize, items: Box<Cells<'a>> },
    Map { offsets: &'a [i32], names: Strings<'a>, values: Box<Cells<'a>>, offset: usize },
}

/// Whether `Cells` can read arrays of a type.
pub(super) fn is_supported(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(keys, values) => {
            keys.is_dictionary_key_type() && !values.is_nested() && is_supported(values)
        }
        DataType::Struct(fields) => fields.iter().all(|field| is_supported(field.data_type())),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            is_supported(item.data_type())
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) => match fields.iter().as_slice() {
                [name, value] => super::input::is_text(name.data_type()) && is_supported(value.data_type()),
                _ => false,
            },
            _ => false,
        },
        DataType::Float16 => false,
        other => {
            super::input::is_text(other)
                || other.is_integer()
                || other.is_floating()
                || matches!(
                    other,
                    DataType::Boolean | DataType::Date32 | DataType::Timestamp(..) | DataType::Decimal128(..)
                )
        }
    }
}

impl<'a> Cells<'a> {
    /// Reads an array of a supported type; others read as nulls.
    pub(super) fn new(data: &'a ArrayData) -> Self {
        Self { nulls: data.nulls(), values: Values::new(data).unwrap_or(Values::Null) }
    }

    fn is_null(&self, row: usize) -> bool {
        match &self.values {
            Values::Null => true,
            // pandas stores missing numbers as NaN, and JSON has neither NaN nor infinity.
            Values::F32(values) => {
                self.is_marked_null(row) || !values.get(row).is_some_and(|value| value.is_finite())
            }
            Values::F64(values) => {
                self.is_marked_null(row) || !values.get(row).is_some_and(|value| value.is_finite())
            }
            Values::Dictionary { keys, values } => {
                self.is_marked_null(row) || keys.get(row).is_some_and(|key| values.is_null(key))
            }
            Values::Strings(strings) => self.is_marked_null(row) || matches!(strings.get(row), Ok(None)),
            _ => self.is_marked_null(row),
        }
    }

    fn is_marked_null(&self, row: usize) -> bool {
        self.nulls.is_some_and(|nulls| row < nulls.len() && nulls.is_null(row))
    }

    /// An item, which serializes as JSON; `None` for null.
    pub(super) fn get(&self, row: usize) -> Option<Cell<'_>> {
        (!self.is_null(row)).then_some(Cell { cells: self, row })
    }
}

impl<'a> Values<'a> {
    fn new(data: &'a ArrayData) -> Option<Self> {
        let child = |index: usize| data.child_data().get(index);
        Some(match data.data_type() {
            DataType::Boolean => {
                Self::Boolean { bits: data.buffers().first()?.as_slice(), offset: data.offset() }
            }
            DataType::Int8 => Self::I8(items(data, 0)),
            DataType::Int16 => Self::I16(items(data, 0)),
            DataType::Int32 => Self::I32(items(data, 0)),
            DataType::Int64 => Self::I64(items(data, 0)),
            DataType::UInt8 => Self::U8(items(data, 0)),
            DataType::UInt16 => Self::U16(items(data, 0)),
            DataType::UInt32 => Self::U32(items(data, 0)),
            DataType::UInt64 => Self::U64(items(data, 0)),
            DataType::Float32 => Self::F32(items(data, 0)),
            DataType::Float64 => Self::F64(items(data, 0)),
            DataType::Decimal128(_, scale) => Self::Decimal { values: items(data, 0), scale: *scale },
            DataType::Date32 => Self::Date(items(data, 0)),
            DataType::Timestamp(unit, zone) => {
                Self::Timestamp { values: items(data, 0), unit: *unit, has_zone: zone.is_some() }
            }
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Self::Strings(Strings::new(data)),
            DataType::Dictionary(..) => {
                Self::Dictionary { keys: Keys::new(data)?, values: Box::new(Cells::new(child(0)?)) }
            }
            DataType::Struct(fields) => Self::Struct {
                members: fields
                    .iter()
                    .zip(data.child_data())
                    .map(|(field, child)| (field.name().as_str(), Cells::new(child)))
                    .collect(),
                offset: data.offset(),
            },
            DataType::List(_) => {
                Self::List { offsets: items(data, 1), items: Box::new(Cells::new(child(0)?)) }
            }
            DataType::LargeList(_) => {
                Self::LargeList { offsets: items(data, 1), items: Box::new(Cells::new(child(0)?)) }
            }
            DataType::FixedSizeList(_, size) => Self::FixedList {
                size: usize::try_from(*size).ok()?,
                offset: data.offset(),
                items: Box::new(Cells::new(child(0)?)),
            },
            DataType::Map(..) => {
                let entries = child(0)?;
                let (names, values) = (entries.child_data().first()?, entries.child_data().get(1)?);
                Self::Map {
                    offsets: items(data, 1),
                    names: Strings::new(names),
                    values: Box::new(Cells::new(values)),
                    offset: entries.offset(),
                }
            }
            _ => return None,
        })
    }
}

/// An item that is not null.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    cells: &'a Cells<'a>,
    row: usize,
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = self.row;
        match &self.cells.values {
            Values::Null => serializer.serialize_unit(),
            Values::Boolean { bits, offset } => {
                let at = offset + row;
                let byte = item(bits.get(at / 8))?;
                serializer.serialize_bool(byte >> (at % 8) & 1 == 1)
            }
            Values::I8(values) => item(values.get(row))?.serialize(serializer),
            Values::I16(values) => item(values.get(row))?.serialize(serializer),
            Values::I32(values) => item(values.get(row))?.serialize(serializer),
            Values::I64(values) => item(values.get(row))?.serialize(serializer),
            Values::U8(values) => item(values.get(row))?.serialize(serializer),
            Values::U16(values) => item(values.get(row))?.serialize(serializer),
            Values::U32(values) => item(values.get(row))?.serialize(serializer),
            Values::U64(values) => item(values.get(row))?.serialize(serializer),
            Values::F32(values) => number(f64::from(*item(values.get(row))?), serializer),
            Values::F64(values) => number(*item(values.get(row))?, serializer),
            Values::Decimal { values, scale } => {
                serializer.serialize_str(&decimal(*item(values.get(row))?, *scale))
            }
            Values::Date(values) => serializer.serialize_str(&date(*item(values.get(row))?)?),
            Values::Timestamp { values, unit, has_zone } => {
                serializer.serialize_str(&timestamp(*item(values.get(row))?, *unit, *has_zone)?)
            }
            Values::Strings(strings) => match strings.get(row) {
                Ok(text) => serializer.serialize_str(text.unwrap_or_default()),
                Err(_) => Err(S::Error::custom("must be valid UTF-8")),
            },
            Values::Dictionary { keys, values } => match values.get(item(keys.get(row))?) {
                Some(value) => value.serialize(serializer),
                None => serializer.serialize_unit(),
            },
            Values::Struct { members, offset } => {
                let members = members.iter().map(|(name, cells)| (*name, cells));
                object(members, offset + row, serializer)
            }
            Values::List { offsets, items } => {
                list(items, item(offsets.get(row))?, item(offsets.get(row + 1))?, serializer)
            }
            Values::LargeList { offsets, items } => {
                list(items, item(offsets.get(row))?, item(offsets.get(row + 1))?, serializer)
            }
            Values::FixedList { size, offset, items } => {
                let first = (offset + row) * size;
                sequence(items, first, first + size, serializer)
            }
            Values::Map { offsets, names, values, offset } => {
                let (start, end) = (item(offsets.get(row))?, item(offsets.get(row + 1))?);
                map(names, values, bounds(values, start, end, *offset)?, serializer)
            }
        }
    }
}

/// Returns an item of a buffer, or an error if the item is missing, because then the array is malformed.
fn item<T, E: Error>(item: Option<T>) -> Result<T, E> {
    item.ok_or_else(|| E::custom("the Arrow array is malformed"))
}

/// Writes the members that are not null.
pub(super) fn object<'a, S: Serializer>(
    members: impl Iterator<Item = (&'a str, &'a Cells<'a>)>,
    row: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(None)?;
    for (name, cells) in members {
        if let Some(cell) = cells.get(row) {
            object.serialize_entry(name, &cell)?;
        }
    }
    object.end()
}

/// Writes a float. A float without a fraction is written as an integer, because pandas stores integers as floats in a column
/// with missing values.
fn number<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        serializer.serialize_i64(value as i64)
    } else {
        serializer.serialize_f64(value)
    }
}

fn list<T: Copy + TryInto<usize>, S: Serializer>(
    items: &Cells<'_>,
    start: &T,
    end: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (start, end) = bounds(items, start, end, 0)?;
    sequence(items, start, end, serializer)
}

/// The items of a list, checked against the length of the child.
fn bounds<T: Copy + TryInto<usize>, E: Error>(
    items: &Cells<'_>,
    start: &T,
    end: &T,
    offset: usize,
) -> Result<(usize, usize), E> {
    let start: usize = item((*start).try_into().ok())?;
    let end: usize = item((*end).try_into().ok())?;
    let is_valid = start <= end && (start == end || items.has_row(offset + end - 1));
    item(is_valid.then_some((offset + start, offset + end)))
}

impl Cells<'_> {
    /// Whether the array has this row. A column of nulls has no buffer, so its length is limited to 2^20 rows.
    fn has_row(&self, row: usize) -> bool {
        match &self.values {
            Values::Null => row < 1 << 20,
            Values::Boolean { bits, offset } => (offset + row) / 8 < bits.len(),
            Values::I8(values) => row < values.len(),
            Values::I16(values) => row < values.len(),
            Values::I32(values) => row < values.len(),
            Values::I64(values) => row < values.len(),
            Values::U8(values) => row < values.len(),
            Values::U16(values) => row < values.len(),
            Values::U32(values) => row < values.len(),
            Values::U64(values) => row < values.len(),
            Values::F32(values) => row < values.len(),
            Values::F64(values) => row < values.len(),
            Values::Decimal { values, .. } => row < values.len(),
            Values::Date(values) => row < values.len(),
            Values::Timestamp { values, .. } => row < values.len(),
            Values::Strings(strings) => strings.get(row).is_ok(),
            Values::Dictionary { keys, .. } => keys.get(row).is_some(),
            Values::Struct { members, offset } => {
                members.iter().all(|(_, cells)| cells.has_row(offset + row))
            }
            Values::List { offsets, .. } | Values::Map { offsets, .. } => row + 1 < offsets.len(),
            Values::LargeList { offsets, .. } => row + 1 < offsets.len(),
            Values::FixedList { size, offset, items } => {
                *size == 0 || items.has_row((offset + row + 1) * size - 1)
            }
        }
    }
}

fn sequence<S: Serializer>(
    items: &Cells<'_>,
    start: usize,
    end: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(None)?;
    for row in start..end {
        list.serialize_element(&items.get(row))?;
    }
    list.end()
}

fn map<S: Serializer>(
    names: &Strings<'_>,
    values: &Cells<'_>,
    (start, end): (usize, usize),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(None)?;
    for row in start..end {
        let name = names.get(row).map_err(|_| S::Error::custom("must be valid UTF-8"))?;
        if let Some(value) = values.get(row) {
            object.serialize_entry(name.unwrap_or_default(), &value)?;
        }
    }
    object.end()
}

/// A decimal without an exponent. A negative scale is a number of zeros after the digits.
fn decimal(value: i128, scale: i8) -> String {
    let zeros = if value == 0 { 0 } else { usize::try_from(-i16::from(scale)).unwrap_or_default() };
    let scale = usize::try_from(scale).unwrap_or_default();
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1) + &"0".repeat(zeros);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// A date as ISO 8601.
fn date<E: Error>(days: i32) -> Result<String, E> {
    let span = jiff::Span::new().try_days(days);
    let date = span.and_then(|span| jiff::civil::date(1970, 1, 1).checked_add(span));
    date.map(|date| date.to_string()).map_err(|_| E::custom("must be a date of the years -9999 to 9999"))
}

/// A time as ISO 8601, with `Z` if its type has a time zone.
fn timestamp<E: Error>(value: i64, unit: TimeUnit, has_zone: bool) -> Result<String, E> {
    let time = match unit {
        TimeUnit::Second => jiff::Timestamp::from_second(value),
        TimeUnit::Millisecond => jiff::Timestamp::from_millisecond(value),
        TimeUnit::Microsecond => jiff::Timestamp::from_microsecond(value),
        TimeUnit::Nanosecond => jiff::Timestamp::from_nanosecond(value.into()),
    };
    let time = time.map_err(|_| E::custom("must be a time of the years -9999 to 9999"))?;
    let civil = || time.to_zoned(jiff::tz::TimeZone::UTC).datetime().to_string();
    Ok(if has_zone { time.to_string() } else { civil() })
}

//! Writes values of Arrow arrays as JSON. Null members of structs are left out.

use arrow_buffer::{NullBuffer, i256};
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
    Decimal32 { values: &'a [i32], scale: i8 },
    Decimal64 { values: &'a [i64], scale: i8 },
    Decimal128 { values: &'a [i128], scale: i8 },
    Decimal256 { values: &'a [i256], scale: i8 },
    Date32(&'a [i32]),
    Date64(&'a [i64]),
    Time32 { values: &'a [i32], unit: TimeUnit },
    Time64 { values: &'a [i64], unit: TimeUnit },
    Duration { values: &'a [i64], unit: TimeUnit },
    Timestamp { values: &'a [i64], unit: TimeUnit, zone: Option<Zone> },
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
                [name, value] => super::fields::is_text(name.data_type()) && is_supported(value.data_type()),
                _ => false,
            },
            _ => false,
        },
        DataType::Float16 => false,
        other => {
            super::fields::is_text(other)
                || other.is_integer()
                || other.is_floating()
                || matches!(
                    other,
                    DataType::Boolean
                        | DataType::Date32
                        | DataType::Date64
                        | DataType::Time32(_)
                        | DataType::Time64(_)
                        | DataType::Duration(_)
                        | DataType::Timestamp(..)
                        | DataType::Decimal32(..)
                        | DataType::Decimal64(..)
                        | DataType::Decimal128(..)
                        | DataType::Decimal256(..)
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

    /// Whether an item or a value inside of it is null.
    pub(super) fn has_null(&self, row: usize) -> bool {
        self.is_null(row)
            || match &self.values {
                Values::Struct { members, offset } => {
                    members.iter().any(|(_, cells)| cells.has_null(offset + row))
                }
                Values::List { offsets, items } => items.has_null_within(offsets, row),
                Values::LargeList { offsets, items } => items.has_null_within(offsets, row),
                Values::FixedList { size, offset, items } => {
                    let first = (offset + row) * size;
                    (first..first + size).any(|row| items.has_null(row))
                }
                Values::Map { offsets, values, offset, .. } => {
                    let at = |index| offsets.get(index).and_then(|at| usize::try_from(*at).ok());
                    let rows = at(row).zip(at(row + 1)).map(|(start, end)| offset + start..offset + end);
                    rows.is_some_and(|mut rows| rows.any(|row| values.has_null(row)))
                }
                _ => false,
            }
    }

    fn has_null_within<T: Copy + TryInto<usize>>(&self, offsets: &[T], row: usize) -> bool {
        let at = |index: usize| offsets.get(index).and_then(|offset| (*offset).try_into().ok());
        at(row).zip(at(row + 1)).is_some_and(|(start, end)| (start..end).any(|row| self.has_null(row)))
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
            DataType::Decimal32(_, scale) => Self::Decimal32 { values: items(data, 0), scale: *scale },
            DataType::Decimal64(_, scale) => Self::Decimal64 { values: items(data, 0), scale: *scale },
            DataType::Decimal128(_, scale) => Self::Decimal128 { values: items(data, 0), scale: *scale },
            DataType::Decimal256(_, scale) => Self::Decimal256 { values: items(data, 0), scale: *scale },
            DataType::Date32 => Self::Date32(items(data, 0)),
            DataType::Date64 => Self::Date64(items(data, 0)),
            DataType::Time32(unit) => Self::Time32 { values: items(data, 0), unit: *unit },
            DataType::Time64(unit) => Self::Time64 { values: items(data, 0), unit: *unit },
            DataType::Duration(unit) => Self::Duration { values: items(data, 0), unit: *unit },
            DataType::Timestamp(unit, zone) => {
                let zone = zone.as_deref().map(Zone::new);
                Self::Timestamp { values: items(data, 0), unit: *unit, zone }
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
            Values::F32(values) => number(shortest(*item(values.get(row))?), EXACT_F32, serializer),
            Values::F64(values) => number(*item(values.get(row))?, EXACT_F64, serializer),
            Values::Decimal32 { values, scale } => {
                serializer.serialize_str(&decimal(item(values.get(row))?, *scale))
            }
            Values::Decimal64 { values, scale } => {
                serializer.serialize_str(&decimal(item(values.get(row))?, *scale))
            }
            Values::Decimal128 { values, scale } => {
                serializer.serialize_str(&decimal(item(values.get(row))?, *scale))
            }
            Values::Decimal256 { values, scale } => {
                serializer.serialize_str(&decimal(item(values.get(row))?, *scale))
            }
            Values::Date32(values) => serializer.serialize_str(&date((*item(values.get(row))?).into())?),
            Values::Date64(values) => {
                serializer.serialize_str(&date(item(values.get(row))?.div_euclid(DAY_MS))?)
            }
            Values::Time32 { values, unit } => {
                serializer.serialize_str(&time_of_day((*item(values.get(row))?).into(), *unit)?)
            }
            Values::Time64 { values, unit } => {
                serializer.serialize_str(&time_of_day(*item(values.get(row))?, *unit)?)
            }
            Values::Duration { values, unit } => {
                serializer.serialize_str(&duration(*item(values.get(row))?, *unit))
            }
            Values::Timestamp { values, unit, zone } => {
                serializer.serialize_str(&timestamp(*item(values.get(row))?, *unit, zone.as_ref())?)
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

/// Up to these numbers, each integer is a float of its own, so that no other integer was rounded to it.
const EXACT_F32: f64 = 16_777_216.0;
const EXACT_F64: f64 = 9_007_199_254_740_992.0;

/// Writes a float. A float without a fraction is written as an integer if it is `exact`, because pandas stores integers as floats in a
/// column with missing values. Others keep their decimal point: a phone number that was rounded is that of another person.
fn number<S: Serializer>(value: f64, exact: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && value.abs() <= exact {
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
            Values::Decimal32 { values, .. } | Values::Time32 { values, .. } | Values::Date32(values) => {
                row < values.len()
            }
            Values::Decimal128 { values, .. } => row < values.len(),
            Values::Decimal256 { values, .. } => row < values.len(),
            Values::Decimal64 { values, .. }
            | Values::Date64(values)
            | Values::Time64 { values, .. }
            | Values::Duration { values, .. }
            | Values::Timestamp { values, .. } => row < values.len(),
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

/// The float of 64 bits with the same shortest decimal form: 0.1, and not 0.10000000149011612.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| value.into())
}

/// A decimal without an exponent. A negative scale is a number of zeros after the digits.
fn decimal(value: &impl std::fmt::Display, scale: i8) -> String {
    let text = value.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let zeros = if digits == "0" { 0 } else { usize::try_from(-i16::from(scale)).unwrap_or_default() };
    let scale = usize::try_from(scale).unwrap_or_default();
    let digits = format!("{digits:0>width$}", width = scale + 1) + &"0".repeat(zeros);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

const DAY_MS: i64 = 86_400_000;

/// A date as ISO 8601.
fn date<E: Error>(days: i64) -> Result<String, E> {
    let span = jiff::Span::new().try_days(days);
    let date = span.and_then(|span| jiff::civil::date(1970, 1, 1).checked_add(span));
    date.map(|date| date.to_string()).map_err(|_| E::custom("must be a date of the years -9999 to 9999"))
}

/// A number of units as seconds and nanoseconds.
fn seconds(value: i64, unit: TimeUnit) -> jiff::SignedDuration {
    match unit {
        TimeUnit::Second => jiff::SignedDuration::from_secs(value),
        TimeUnit::Millisecond => jiff::SignedDuration::from_millis(value),
        TimeUnit::Microsecond => jiff::SignedDuration::from_micros(value),
        TimeUnit::Nanosecond => jiff::SignedDuration::from_nanos(value),
    }
}

/// A time of day as ISO 8601.
fn time_of_day<E: Error>(value: i64, unit: TimeUnit) -> Result<String, E> {
    let time = jiff::civil::Time::midnight().checked_add(seconds(value, unit)).ok();
    let time = time.filter(|_| value >= 0).ok_or_else(|| E::custom("must be a time of one day"))?;
    Ok(time.to_string())
}

/// A duration as ISO 8601.
fn duration(value: i64, unit: TimeUnit) -> String {
    seconds(value, unit).to_string()
}

/// The time zone of a column.
enum Zone {
    Utc,
    Other(jiff::tz::TimeZone),
    Unknown,
}

impl Zone {
    /// A name of the IANA database, or an offset such as `+02:00`.
    fn new(name: &str) -> Self {
        if ["UTC", "Z", "Etc/UTC", "+00:00", "+0000"].contains(&name) {
            return Self::Utc;
        }
        let zone = offset(name).map(jiff::tz::TimeZone::fixed);
        zone.or_else(|| cpaas_campaign::time_zone(name).ok()).map_or(Self::Unknown, Self::Other)
    }
}

/// An offset such as `+02:00` or `-0530`.
fn offset(name: &str) -> Option<jiff::tz::Offset> {
    let (sign, digits) = match name.split_at_checked(1)? {
        ("+", digits) => (1, digits.replace(':', "")),
        ("-", digits) => (-1, digits.replace(':', "")),
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let hours = hours.parse::<u8>().ok()?;
    let minutes =
        if minutes.is_empty() { 0 } else { minutes.parse::<u8>().ok().filter(|minutes| *minutes < 60)? };
    let seconds = sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60);
    jiff::tz::Offset::from_seconds(seconds).ok()
}

/// A time as RFC 3339 with the offset of its time zone; without one, as ISO 8601 without an offset.
fn timestamp<E: Error>(value: i64, unit: TimeUnit, zone: Option<&Zone>) -> Result<String, E> {
    let time = match unit {
        TimeUnit::Second => jiff::Timestamp::from_second(value),
        TimeUnit::Millisecond => jiff::Timestamp::from_millisecond(value),
        TimeUnit::Microsecond => jiff::Timestamp::from_microsecond(value),
        TimeUnit::Nanosecond => jiff::Timestamp::from_nanosecond(value.into()),
    };
    let time = time.map_err(|_| E::custom("must be a time of the years -9999 to 9999"))?;
    Ok(match zone {
        None => time.to_zoned(jiff::tz::TimeZone::UTC).datetime().to_string(),
        Some(Zone::Utc) => time.to_string(),
        Some(Zone::Other(zone)) => time.display_with_offset(zone.to_offset(time)).to_string(),
        Some(Zone::Unknown) => return Err(E::custom("the time zone of the column must be known")),
    })
}

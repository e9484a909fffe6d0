//! Reads the items of arrays as Python objects. Offsets, views, keys and UTF-8 are checked, because the columns of an appended table
//! come from another library.

use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, TimeUnit};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use super::fields::type_label;
use super::string_column::{Keys, Strings, items};
use crate::argument_errors::{bad_type, bad_value};

/// Returns the item of a row.
pub(super) type Reader<'a> = Box<dyn for<'py> Fn(Python<'py>, usize) -> PyResult<Bound<'py, PyAny>> + 'a>;

/// The reader of an array.
pub(super) fn reader<'a>(py: Python<'_>, data: &'a ArrayData) -> PyResult<Reader<'a>> {
    let read = not_null_reader(py, data)?;
    let Some(nulls) = data.nulls() else { return Ok(read) };
    Ok(Box::new(move |py, row| if is_null(nulls, row) { none(py) } else { read(py, row) }))
}

fn is_null(nulls: &NullBuffer, row: usize) -> bool {
    row < nulls.len() && nulls.is_null(row)
}

fn none(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    Ok(py.None().into_bound(py))
}

fn not_null_reader<'a>(py: Python<'_>, data: &'a ArrayData) -> PyResult<Reader<'a>> {
    let offset = data.offset();
    Ok(match data.data_type() {
        DataType::Null => Box::new(|py, _| none(py)),
        DataType::Boolean => {
            let bits = data.buffers().first().map_or(&[][..], |buffer| buffer.as_slice());
            Box::new(move |py, row| {
                let byte = item(bits.get((offset + row) / 8))?;
                (byte >> ((offset + row) % 8) & 1 == 1).into_bound_py_any(py)
            })
        }
        DataType::Int8 => numbers::<i8>(data),
        DataType::Int16 => numbers::<i16>(data),
        DataType::Int32 => numbers::<i32>(data),
        DataType::Int64 => numbers::<i64>(data),
        DataType::UInt8 => numbers::<u8>(data),
        DataType::UInt16 => numbers::<u16>(data),
        DataType::UInt32 => numbers::<u32>(data),
        DataType::UInt64 => numbers::<u64>(data),
        DataType::Float32 => numbers::<f32>(data),
        DataType::Float64 => numbers::<f64>(data),
        DataType::Decimal32(_, scale) => decimals::<i32>(py, data, *scale)?,
        DataType::Decimal64(_, scale) => decimals::<i64>(py, data, *scale)?,
        DataType::Decimal128(_, scale) => decimals::<i128>(py, data, *scale)?,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let strings = Strings::new(data);
            Box::new(move |py, row| match strings.get(row) {
                Ok(text) => text.into_bound_py_any(py),
                Err(_) => Err(malformed()),
            })
        }
        DataType::Binary => bytes(items::<i32>(data, 1), data),
        DataType::LargeBinary => bytes(items::<i64>(data, 1), data),
        DataType::FixedSizeBinary(size) => {
            let (size, bytes) = (size_of(*size)?, data.buffers().first());
            Box::new(move |py, row| {
                let start = (offset + row) * size;
                let found = bytes.and_then(|bytes| bytes.as_slice().get(start..start + size));
                PyBytes::new(py, item(found)?).into_bound_py_any(py)
            })
        }
        DataType::Dictionary(..) => {
            let (keys, values) = (item(Keys::new(data))?, reader(py, item(data.child_data().first())?)?);
            let len = data.child_data().first().map_or(0, ArrayData::len);
            Box::new(move |py, row| {
                let key = item(keys.get(row).filter(|key| *key < len))?;
                values(py, key)
            })
        }
        DataType::Struct(fields) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            let names: Vec<Py<PyString>> =
                names.into_iter().map(|name| PyString::new(py, name).unbind()).collect();
            let members = data.child_data().iter().map(|child| reader(py, child));
            let members = members.collect::<PyResult<Vec<_>>>()?;
            Box::new(move |py, row| {
                let dict = PyDict::new(py);
                for (name, member) in names.iter().zip(&members) {
                    dict.set_item(name, member(py, offset + row)?)?;
                }
                Ok(dict.into_any())
            })
        }
        DataType::List(_) => lists(py, items::<i32>(data, 1), data)?,
        DataType::LargeList(_) => lists(py, items::<i64>(data, 1), data)?,
        DataType::FixedSizeList(_, size) => {
            let (size, child) = (size_of(*size)?, item(data.child_data().first())?);
            let values = reader(py, child)?;
            Box::new(move |py, row| list(py, &values, (offset + row) * size, size, child.len()))
        }
        DataType::Map(..) => {
            let (offsets, entries) = (items::<i32>(data, 1), item(data.child_data().first())?);
            let (names, values) = (item(entries.child_data().first())?, item(entries.child_data().get(1))?);
            let (names, values, first) = (reader(py, names)?, reader(py, values)?, entries.offset());
            Box::new(move |py, row| {
                let (start, len) = range(offsets, row, entries.len())?;
                let pairs = PyList::empty(py);
                for at in first + start..first + start + len {
                    pairs.append(PyTuple::new(py, [names(py, at)?, values(py, at)?])?)?;
                }
                Ok(pairs.into_any())
            })
        }
        DataType::Date32 => {
            let (values, date) = (items::<i32>(data, 0), attribute(py, "datetime", "date")?);
            Box::new(move |py, row| {
                let days = i64::from(*item(values.get(row))?) + UNIX_EPOCH;
                date.bind(py).call_method1("fromordinal", (days,))
            })
        }
        DataType::Timestamp(unit, zone) => timestamps(py, data, *unit, zone.as_deref())?,
        DataType::Duration(unit) => {
            let (values, unit) = (items::<i64>(data, 0), *unit);
            let timedelta = attribute(py, "datetime", "timedelta")?;
            Box::new(move |py, row| {
                let microseconds = microseconds(*item(values.get(row))?, unit)?;
                timedelta.bind(py).call1((0, 0, microseconds))
            })
        }
        other => {
            let found = type_label(other);
            return Err(bad_type(format!("a column of {found} has no Python values here: use pyarrow")));
        }
    })
}

/// The ordinal of 1970-01-01 in Python.
const UNIX_EPOCH: i64 = 719_163;

fn attribute(py: Python<'_>, module: &str, name: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import(module)?.getattr(name)?.unbind())
}

fn numbers<'a, T>(data: &'a ArrayData) -> Reader<'a>
where
    T: ArrowNativeType + for<'py> IntoPyObject<'py>,
{
    let values = items::<T>(data, 0);
    Box::new(move |py, row| (*item(values.get(row))?).into_bound_py_any(py))
}

fn decimals<'a, T: ArrowNativeType + std::fmt::Display>(
    py: Python<'_>,
    data: &'a ArrayData,
    scale: i8,
) -> PyResult<Reader<'a>> {
    let (values, decimal) = (items::<T>(data, 0), attribute(py, "decimal", "Decimal")?);
    let exponent = -i16::from(scale);
    Ok(Box::new(move |py, row| {
        let value = item(values.get(row))?;
        decimal.bind(py).call1((format!("{value}E{exponent}"),))
    }))
}

fn bytes<'a, T: Copy + TryInto<usize>>(offsets: &'a [T], data: &'a ArrayData) -> Reader<'a> {
    let bytes = data.buffers().get(1);
    Box::new(move |py, row| {
        let length = bytes.map_or(0, |bytes| bytes.len());
        let (start, len) = range(offsets, row, length)?;
        let found = bytes.and_then(|bytes| bytes.as_slice().get(start..start + len)).unwrap_or_default();
        PyBytes::new(py, found).into_bound_py_any(py)
    })
}

fn lists<'a, T: Copy + TryInto<usize>>(
    py: Python<'_>,
    offsets: &'a [T],
    data: &'a ArrayData,
) -> PyResult<Reader<'a>> {
    let child = item(data.child_data().first())?;
    let values = reader(py, child)?;
    Ok(Box::new(move |py, row| {
        let (start, len) = range(offsets, row, child.len())?;
        list(py, &values, start, len, child.len())
    }))
}

fn list<'py>(
    py: Python<'py>,
    values: &Reader<'_>,
    start: usize,
    len: usize,
    limit: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if start + len > limit {
        return Err(malformed());
    }
    let found = (start..start + len).map(|row| values(py, row)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, found)?.into_any())
}

/// The first item and the number of items of a row, checked against the number of all items.
fn range<T: Copy + TryInto<usize>>(offsets: &[T], row: usize, limit: usize) -> PyResult<(usize, usize)> {
    let at = |index: usize| offsets.get(index).and_then(|offset| (*offset).try_into().ok());
    let (start, end): (usize, usize) = (item(at(row))?, item(at(row + 1))?);
    if start <= end && end <= limit { Ok((start, end - start)) } else { Err(malformed()) }
}

fn timestamps<'a>(
    py: Python<'_>,
    data: &'a ArrayData,
    unit: TimeUnit,
    zone: Option<&'a str>,
) -> PyResult<Reader<'a>> {
    let values = items::<i64>(data, 0);
    let (datetime, timedelta) =
        (attribute(py, "datetime", "datetime")?, attribute(py, "datetime", "timedelta")?);
    let utc = py.import("datetime")?.getattr("timezone")?.getattr("utc")?.unbind();
    let zone = match zone {
        None => None,
        Some("UTC" | "Z" | "+00:00") => Some(utc.clone_ref(py)),
        Some(name) => {
            let zone = match name.as_bytes() {
                [b'+' | b'-', ..] => {
                    let parse = datetime.bind(py).call_method1("strptime", (name, "%z"))?;
                    parse.getattr("tzinfo")?
                }
                _ => py.import("zoneinfo")?.getattr("ZoneInfo")?.call1((name,))?,
            };
            Some(zone.unbind())
        }
    };
    Ok(Box::new(move |py, row| {
        let microseconds = microseconds(*item(values.get(row))?, unit)?;
        let epoch = datetime.bind(py).call1((1970, 1, 1))?;
        let time = epoch.add(timedelta.bind(py).call1((0, 0, microseconds))?)?;
        let Some(zone) = &zone else { return Ok(time) };
        let arguments = PyDict::new(py);
        arguments.set_item("tzinfo", &utc)?;
        time.call_method("replace", (), Some(&arguments))?.call_method1("astimezone", (zone,))
    }))
}

fn microseconds(value: i64, unit: TimeUnit) -> PyResult<i64> {
    let scaled = match unit {
        TimeUnit::Second => value.checked_mul(1_000_000),
        TimeUnit::Millisecond => value.checked_mul(1_000),
        TimeUnit::Microsecond => Some(value),
        TimeUnit::Nanosecond if value % 1_000 == 0 => Some(value / 1_000),
        TimeUnit::Nanosecond => return Err(bad_value("a time has nanoseconds, which Python's times lack")),
    };
    scaled.ok_or_else(|| bad_value("a time must be in the years 1 to 9999"))
}

fn size_of(size: i32) -> PyResult<usize> {
    usize::try_from(size).map_err(|_| malformed())
}

fn item<T>(item: Option<T>) -> PyResult<T> {
    item.ok_or_else(malformed)
}

fn malformed() -> PyErr {
    bad_value("expected an array of the Arrow C Data Interface, got a malformed one")
}

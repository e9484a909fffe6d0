//! Functions for columns of text.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, Int16Array, Int32Array, StringArray, StructArray,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, FieldRef, Fields};
use cpaas::markup::{Mode, parse};
use cpaas::text::msisdn::{
    Assignment, NotANumber, NumberCheck, NumberType, OwnPlans, assignment, check_number, normalize_number,
};
use cpaas::text::{self, Count, Encoding};
use cpaas_campaign::{Prices, parse_amount};
use pyo3::prelude::*;

use super::arrays::internal;
use super::chunked_array::ArrowArray;
use super::fields::{all_nullable, nullable, required};
use super::input::Input;
use super::name_column::{Names, name_field, name_type};
use super::parallel::{Piece, run, run_prepared};
use super::string_column::Strings;
use crate::argument_errors::bad_value;

/// The number of texts that are checked and counted at once. Their addresses fit into the first-level cache.
const BLOCK: usize = 1024;

/// The number of rows between two checks for signals.
const CHECKED_ROWS: usize = 64;

/// The maximum number of parts of a message. A longer text has no total price.
const MAX_PARTS: u32 = 255;

/// The precision and the scale of prices.
const PRICE: (u8, i8) = (38, 9);

/// Counts the SMS parts of each text.
#[pyfunction]
#[pyo3(signature = (column, threads=None, /))]
pub(crate) fn arrow_segments(column: &Bound<'_, PyAny>, threads: Option<i64>) -> PyResult<ArrowArray> {
    let input = Input::strings(column, "column")?;
    let field = struct_field("segments", Counts::fields());
    let encodings = encodings();
    run(column.py(), vec![input], threads, field, |piece| {
        let mut counts = Counts::with_capacity(piece.len);
        count_texts(piece, &mut counts, |_, _, _| ())?;
        let (columns, nulls) = counts.finish(&encodings)?;
        struct_array(&Counts::fields(), columns, nulls)
    })
}

/// Checks each number against the numbering plans. `regions` is a column of regions.
#[pyfunction]
#[pyo3(signature = (column, region=None, regions=None, normalized=false, threads=None, /))]
pub(crate) fn arrow_check_numbers(
    column: &Bound<'_, PyAny>,
    region: Option<&str>,
    regions: Option<&Bound<'_, PyAny>>,
    normalized: bool,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let (inputs, regions) = with_regions(column, region, regions)?;
    let fields = || {
        let mut fields = vec![
            required("valid", DataType::Boolean),
            required("possible", DataType::Boolean),
            name_field("region"),
            required("type", name_type()),
        ];
        if normalized {
            fields.push(nullable("normalized", DataType::Utf8));
        }
        Fields::from(fields)
    };
    let region_names = Names::new(text::msisdn::regions());
    let types = Names::new(NumberType::ALL.iter().map(|kind| kind.as_str()));
    run_prepared(
        column.py(),
        inputs,
        threads,
        struct_field("numbers", fields()),
        OwnPlans::of_thread,
        |piece| {
            let mut checks = Vec::with_capacity(piece.len);
            let mut forms = StringBuilder::new();
            for_each_number(piece, &regions, |number, region| {
                if !normalized {
                    checks.push(number.map(|number| checked(number, region)));
                    return;
                }
                let form = number
                    .zip(region.ok())
                    .and_then(|(number, region)| normalize_number(number, region).ok());
                // The canonical form has the check of the number, and is not read again.
                checks.push(number.map(|_| {
                    form.as_deref().map_or_else(NumberCheck::not_a_number, |form| checked(form, Ok(None)))
                }));
                forms.append_option(form);
            })?;
            let flag = |of: fn(&NumberCheck) -> bool| -> ArrayRef {
                Arc::new(checks.iter().map(|check| check.as_ref().map(of)).collect::<BooleanArray>())
            };
            let regions = checks.iter().map(|check| check.as_ref().and_then(|check| check.region.as_deref()));
            let kinds = checks.iter().map(|check| check.as_ref().map(|check| check.kind.as_str()));
            let mut columns: Vec<ArrayRef> = vec![
                flag(|check| check.valid),
                flag(|check| check.possible),
                region_names.column_of(regions)?,
                types.column_of(kinds)?,
            ];
            if normalized {
                columns.push(Arc::new(forms.finish()));
            }
            struct_array(&fields(), columns, validity(checks.iter().map(Option::is_some)))
        },
    )
}

/// Writes each number in the form that is sent; null if it is not a number. `regions` is a column of regions.
#[pyfunction]
#[pyo3(signature = (column, region=None, regions=None, threads=None, /))]
pub(crate) fn arrow_normalize_numbers(
    column: &Bound<'_, PyAny>,
    region: Option<&str>,
    regions: Option<&Bound<'_, PyAny>>,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let (inputs, regions) = with_regions(column, region, regions)?;
    let field = nullable("number", DataType::Utf8);
    run_prepared(column.py(), inputs, threads, field, OwnPlans::of_thread, |piece| {
        let mut numbers = StringBuilder::with_capacity(piece.len, 12 * piece.len);
        for_each_number(piece, &regions, |number, region| {
            let form =
                number.zip(region.ok()).and_then(|(number, region)| normalize_number(number, region).ok());
            numbers.append_option(form);
        })?;
        Ok(Arc::new(numbers.finish()))
    })
}

/// In which regions numbers are dialed.
enum Regions {
    /// All numbers have their country code, or are dialed in this region.
    One(Option<String>),
    /// Those of the second input. A null is no region.
    Column,
}

/// The region of a row is unknown.
#[derive(Clone, Copy)]
struct UnknownRegion;

/// The inputs of a function of numbers: the numbers, and perhaps the regions.
fn with_regions(
    column: &Bound<'_, PyAny>,
    region: Option<&str>,
    regions: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Input>, Regions)> {
    let regions_input = match regions {
        Some(regions) => {
            let input = Input::strings(regions, "region")?;
            Some(column.py().detach(|| input.buffered())?)
        }
        None => None,
    };
    let has_column = regions_input.is_some();
    let inputs = std::iter::once(Input::strings(column, "column")?).chain(regions_input).collect();
    if has_column {
        return Ok((inputs, Regions::Column));
    }
    if let Err(NotANumber::Region) = normalize_number("+306912345678", region) {
        return Err(bad_value(format!("region: {}", NotANumber::Region)));
    }
    Ok((inputs, Regions::One(region.map(str::to_owned))))
}

/// Calls `visit` with each number and its region.
fn for_each_number<'a>(
    piece: &'a Piece,
    regions: &'a Regions,
    mut visit: impl FnMut(Option<&'a str>, Result<Option<&'a str>, UnknownRegion>),
) -> PyResult<()> {
    let one = match regions {
        Regions::One(region) => region.as_deref(),
        Regions::Column => {
            let mut found = Vec::with_capacity(piece.len);
            for_each_text(piece, 1, |region| found.push(region))?;
            let mut found = found.into_iter().enumerate();
            let mut unknown = None;
            for_each_text(piece, 0, |number| {
                let Some((row, region)) = found.next() else { return };
                let region = region.map(str::trim).filter(|region| !region.is_empty());
                let is_known = region.is_none_or(text::msisdn::is_region);
                if !is_known {
                    unknown.get_or_insert(row);
                }
                visit(number, if is_known { Ok(region) } else { Err(UnknownRegion) });
            })?;
            return match unknown {
                Some(row) => Err(piece.error("region", row, &NotANumber::Region.to_string())),
                None => Ok(()),
            };
        }
    };
    for_each_text(piece, 0, |number| visit(number, Ok(one)))
}

/// The check of a number that is dialed in a region, or has its country code.
fn checked(number: &str, region: Result<Option<&str>, UnknownRegion>) -> NumberCheck {
    let found = region.ok().and_then(|region| check_number(number, region).ok());
    found.unwrap_or_else(NumberCheck::not_a_number)
}

/// Parses the markup of each text.
#[pyfunction]
#[pyo3(signature = (column, mode, threads=None, /))]
pub(crate) fn arrow_parse_markup(
    column: &Bound<'_, PyAny>,
    mode: &str,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let mode = Mode::from_name(mode)
        .ok_or_else(|| bad_value("mode must be \"Default\", \"Markdown\", \"Html\" or \"MarkdownV2\""))?;
    let input = Input::strings(column, "column")?;
    let fields = || {
        Fields::from(vec![
            required("ok", DataType::Boolean),
            nullable("length", DataType::Int32),
            nullable("text", DataType::Utf8),
        ])
    };
    run(column.py(), vec![input], threads, struct_field("markup", fields()), |piece| {
        let mut parsed = Vec::with_capacity(piece.len);
        for_each_text(piece, 0, |text| parsed.push(text.map(|text| parse(text, mode).ok())))?;
        let valid = || parsed.iter().map(|parsed| parsed.as_ref().and_then(Option::as_ref));
        let lengths = valid()
            .map(|parsed| parsed.map(|parsed| i32::try_from(parsed.sent.code_points).unwrap_or(i32::MAX)));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(
                parsed.iter().map(|parsed| parsed.as_ref().map(Option::is_some)).collect::<BooleanArray>(),
            ),
            Arc::new(lengths.collect::<Int32Array>()),
            Arc::new(
                valid().map(|parsed| parsed.map(|parsed| parsed.text.as_str())).collect::<StringArray>(),
            ),
        ];
        struct_array(&fields(), columns, validity(parsed.iter().map(Option::is_some)))
    })
}

/// Calculates the price of each text, by the number in the column `to` or with one price for all.
#[pyfunction]
#[pyo3(signature = (column, price, prices, to, threads=None, /))]
pub(crate) fn arrow_estimate(
    column: &Bound<'_, PyAny>,
    price: Option<&str>,
    prices: Option<&str>,
    to: Option<&Bound<'_, PyAny>>,
    threads: Option<i64>,
) -> PyResult<ArrowArray> {
    let invalid = |error: cpaas_campaign::Error| bad_value(error.to_string());
    let price = price.map(parse_amount).transpose().map_err(invalid)?;
    let table = Prices::read(prices.unwrap_or("prefix,price,currency\n").as_bytes()).map_err(invalid)?;
    let has_numbers = to.is_some();
    let to = match to {
        Some(to) => {
            let input = Input::strings(to, "to")?;
            Some(column.py().detach(|| input.buffered())?)
        }
        None => None,
    };
    let inputs: Vec<Input> = std::iter::once(Input::strings(column, "column")?).chain(to).collect();
    let fields = || {
        let decimal = || DataType::Decimal128(PRICE.0, PRICE.1);
        let prices = [
            nullable("price_per_part", decimal()),
            nullable("total", decimal()),
            nullable("prefix", DataType::Utf8),
            nullable("currency", DataType::Utf8),
            name_field("unpriced"),
        ];
        Counts::fields().iter().cloned().chain(prices).collect::<Fields>()
    };
    let (encodings, reasons_of_rows) = (encodings(), Names::new(Unpriced::ALL.map(Unpriced::as_str)));
    run_prepared(
        column.py(),
        inputs,
        threads,
        struct_field("estimate", fields()),
        OwnPlans::of_thread,
        |piece| {
            let mut rows = Vec::with_capacity(piece.len);
            if has_numbers {
                for_each_text(piece, 1, |number| rows.push(row_price(number, price, &table)))?;
            } else {
                rows.resize(piece.len, price.map(RowPrice::of_all).ok_or(Unpriced::Missing));
            }
            let (mut prefixes, mut parts, mut totals) = (Vec::new(), Vec::new(), Vec::new());
            let (mut currencies, mut reasons) = (Vec::new(), Vec::new());
            let mut counts = Counts::with_capacity(piece.len);
            count_texts(piece, &mut counts, |index, count, is_present| {
                let row = rows.get(index).filter(|_| is_present);
                let priced = row.and_then(|row| row.as_ref().ok());
                let is_sendable = count.count <= MAX_PARTS;
                prefixes.push(priced.and_then(|row| row.prefix));
                currencies.push(priced.and_then(|row| row.currency));
                parts.push(priced.map(|row| i128::from(row.price)));
                let total = priced.map(|row| i128::from(row.price) * i128::from(count.count));
                totals.push(total.filter(|_| is_sendable));
                reasons.push(row.and_then(|row| row.as_ref().err()).map(|reason| reason.as_str()));
            })?;
            let (mut columns, nulls) = counts.finish(&encodings)?;
            columns.extend([
                decimals(&parts)?,
                decimals(&totals)?,
                Arc::new(prefixes.into_iter().collect::<StringArray>()),
                Arc::new(currencies.into_iter().collect::<StringArray>()),
                reasons_of_rows.column_of(reasons.into_iter())?,
            ]);
            struct_array(&fields(), columns, nulls)
        },
    )
}

/// Why a row has no price.
#[derive(Clone, Copy)]
enum Unpriced {
    /// There is no number.
    Missing,
    /// The text has no canonical form.
    NotANumber,
    /// The number is not in an assigned range.
    Invalid,
    /// No prefix of the number has a price.
    NoPrefix,
}

impl Unpriced {
    const ALL: [Self; 4] = [Self::Missing, Self::NotANumber, Self::Invalid, Self::NoPrefix];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::NotANumber => "not_a_number",
            Self::Invalid => "invalid",
            Self::NoPrefix => "no_prefix",
        }
    }
}

/// The price of one part for a row.
#[derive(Clone, Copy)]
struct RowPrice<'a> {
    prefix: Option<&'a str>,
    currency: Option<&'a str>,
    price: i64,
}

impl RowPrice<'_> {
    /// One price for all numbers.
    const fn of_all(price: i64) -> Self {
        Self { prefix: None, currency: None, price }
    }
}

/// The price of one part for a number: `price`, or that of the table. A number that `check_numbers` calls invalid has none, because
/// its messages do not arrive.
fn row_price<'a>(
    number: Option<&str>,
    price: Option<i64>,
    table: &'a Prices,
) -> Result<RowPrice<'a>, Unpriced> {
    let number = normalize_number(number.ok_or(Unpriced::Missing)?, None);
    let number = number.map_err(|_| Unpriced::NotANumber)?;
    if assignment(&number) != Assignment::Assigned {
        return Err(Unpriced::Invalid);
    }
    if let Some(price) = price {
        return Ok(RowPrice::of_all(price));
    }
    let found = table.find(&number).ok_or(Unpriced::NoPrefix)?;
    let currency = Some(found.currency).filter(|currency| !currency.is_empty());
    Ok(RowPrice { prefix: Some(found.prefix), currency, price: found.billionths })
}

fn decimals(values: &[Option<i128>]) -> PyResult<ArrayRef> {
    let array = values.iter().copied().collect::<Decimal128Array>();
    let array = array.with_precision_and_scale(PRICE.0, PRICE.1).map_err(internal)?;
    Ok(Arc::new(array))
}

/// The field of a result that consists of structs: no row is null if no row of the input is.
pub(super) fn struct_field(name: &str, fields: Fields) -> FieldRef {
    required(name, DataType::Struct(fields))
}

/// Creates a struct array, whose members are nullable. Where a struct is null, the columns must be null too, for readers that ignore
/// the nulls of structs.
pub(super) fn struct_array(
    fields: &Fields,
    columns: Vec<ArrayRef>,
    nulls: Option<NullBuffer>,
) -> PyResult<ArrayRef> {
    StructArray::try_new(all_nullable(fields), columns, nulls)
        .map(|array| Arc::new(array) as ArrayRef)
        .map_err(internal)
}

/// The validity of rows; `None` if all are valid.
pub(super) fn validity(rows: impl Iterator<Item = bool>) -> Option<NullBuffer> {
    Some(NullBuffer::from_iter(rows)).filter(|nulls| nulls.null_count() > 0)
}

/// Calls `visit` with the text of each row of an input.
fn for_each_text<'a>(piece: &'a Piece, input: usize, mut visit: impl FnMut(Option<&'a str>)) -> PyResult<()> {
    for_each_block(piece, input, |_, block| {
        for texts in block.chunks(CHECKED_ROWS) {
            piece.check_signals()?;
            texts.iter().for_each(|text| visit(*text));
        }
        Ok(())
    })
}

/// Calls `visit` with the texts of blocks of rows, and the first row of each block.
fn for_each_block<'a>(
    piece: &'a Piece,
    input: usize,
    mut visit: impl FnMut(usize, &[Option<&'a str>]) -> PyResult<()>,
) -> PyResult<()> {
    let Some((batch, at)) = piece.inputs.get(input) else { return Ok(()) };
    let Some(column) = batch.columns.first() else { return Ok(()) };
    let strings = Strings::new(column);
    let first = batch.first + at;
    let mut block = Vec::with_capacity(BLOCK);
    for start in (0..piece.len).step_by(BLOCK) {
        piece.check_signals()?;
        let len = BLOCK.min(piece.len - start);
        strings
            .block(first + start, len, &mut block)
            .map_err(|error| piece.invalid_text(input, first, error))?;
        if let Some(nulls) = &batch.nulls {
            let rows = block.iter_mut().enumerate();
            rows.filter(|(row, _)| nulls.is_null(at + start + row)).for_each(|(_, text)| *text = None);
        }
        visit(start, &block)?;
    }
    Ok(())
}

/// Counts the texts of the first input. `visit` receives each row, its count, and whether its text is not null.
fn count_texts(
    piece: &Piece,
    counts: &mut Counts,
    mut visit: impl FnMut(usize, &Count, bool),
) -> PyResult<()> {
    let (mut texts, mut found) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
    for_each_block(piece, 0, |start, block| {
        texts.clear();
        texts.extend(block.iter().map(|text| text.unwrap_or_default()));
        text::count_batch(&texts, &mut found);
        for (index, (count, text)) in found.iter().zip(block).enumerate() {
            counts.push(count, text.is_some());
            visit(start + index, count, text.is_some());
        }
        Ok(())
    })
}

/// The names of encodings.
fn encodings() -> Names {
    Names::new([Encoding::Gsm7, Encoding::Ucs2].map(Encoding::as_str))
}

/// The columns `encoding`, `count`, `units` and `remaining`.
struct Counts {
    /// The keys of [`encodings`].
    encodings: Vec<i16>,
    counts: Vec<i32>,
    units: Vec<i32>,
    remaining: Vec<i32>,
    present: BooleanBufferBuilder,
}

impl Counts {
    fn fields() -> Fields {
        Fields::from(vec![
            required("encoding", name_type()),
            required("count", DataType::Int32),
            required("units", DataType::Int32),
            required("remaining", DataType::Int32),
        ])
    }

    fn with_capacity(rows: usize) -> Self {
        Self {
            encodings: Vec::with_capacity(rows),
            counts: Vec::with_capacity(rows),
            units: Vec::with_capacity(rows),
            remaining: Vec::with_capacity(rows),
            present: BooleanBufferBuilder::new(rows),
        }
    }

    fn push(&mut self, count: &Count, is_present: bool) {
        // Only texts of more than 2^31 characters have larger counts. A null has the count of the empty text.
        let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        self.encodings.push((count.encoding == Encoding::Ucs2).into());
        self.counts.push(number(count.count));
        self.units.push(number(count.units));
        self.remaining.push(number(count.remaining));
        self.present.append(is_present);
    }

    fn finish(mut self, encodings: &Names) -> PyResult<(Vec<ArrayRef>, Option<NullBuffer>)> {
        let nulls = Some(NullBuffer::new(self.present.finish())).filter(|nulls| nulls.null_count() > 0);
        let numbers =
            |values: Vec<i32>| -> ArrayRef { Arc::new(Int32Array::new(values.into(), nulls.clone())) };
        let columns = vec![
            encodings.column(Int16Array::new(self.encodings.into(), nulls.clone()))?,
            numbers(self.counts),
            numbers(self.units),
            numbers(self.remaining),
        ];
        Ok((columns, nulls))
    }
}

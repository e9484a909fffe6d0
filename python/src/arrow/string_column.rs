//! Reads text from the layouts of Arrow without copying it. Offsets, views and UTF-8 are checked.

use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// A column of text.
pub(super) struct Strings<'a> {
    nulls: Option<&'a NullBuffer>,
    layout: Layout<'a>,
}

enum Layout<'a> {
    Null,
    Small { offsets: &'a [i32], bytes: &'a [u8] },
    Large { offsets: &'a [i64], bytes: &'a [u8] },
    Views { views: &'a [u128], buffers: &'a [Buffer] },
    Dictionary { keys: Keys<'a>, values: Box<Strings<'a>>, len: usize },
}

/// An item that is not valid text: an offset is out of bounds, or its bytes are not UTF-8.
#[derive(Debug, Clone, Copy)]
pub(super) struct InvalidText {
    /// The index of the item in the column.
    pub(super) index: usize,
    /// Whether its index in a dictionary is out of range.
    pub(super) is_key: bool,
}

impl InvalidText {
    const fn at(index: usize) -> Self {
        Self { index, is_key: false }
    }
}

/// The maximum length of a text that is stored in its view instead of a buffer.
const INLINE_BYTES: usize = 12;

impl<'a> Strings<'a> {
    /// Reads an array of a type that `is_text` accepts; others read as nulls.
    pub(super) fn new(data: &'a ArrayData) -> Self {
        let bytes = || data.buffers().get(1).map_or(&[][..], Buffer::as_slice);
        let layout = match data.data_type() {
            DataType::Utf8 => Layout::Small { offsets: items(data, 1), bytes: bytes() },
            DataType::LargeUtf8 => Layout::Large { offsets: items(data, 1), bytes: bytes() },
            DataType::Utf8View => {
                Layout::Views { views: items(data, 0), buffers: data.buffers().get(1..).unwrap_or_default() }
            }
            DataType::Dictionary(..) => match (Keys::new(data), data.child_data().first()) {
                (Some(keys), Some(values)) => {
                    Layout::Dictionary { keys, values: Box::new(Strings::new(values)), len: values.len() }
                }
                _ => Layout::Null,
            },
            _ => Layout::Null,
        };
        Self { nulls: data.nulls(), layout }
    }

    /// The text of an item; `None` for null.
    pub(super) fn get(&self, index: usize) -> Result<Option<&'a str>, InvalidText> {
        if self.is_null(index) {
            return Ok(None);
        }
        if let Layout::Dictionary { keys, values, len } = &self.layout {
            let key = keys.get(index).filter(|key| key < len);
            let key = key.ok_or(InvalidText { index, is_key: true })?;
            return values.get(key).map_err(|_| InvalidText::at(index));
        }
        let bytes = self.bytes(index).ok_or(InvalidText::at(index))?;
        simdutf8::basic::from_utf8(bytes).map(Some).map_err(|_| InvalidText::at(index))
    }

    fn is_null(&self, index: usize) -> bool {
        matches!(self.layout, Layout::Null)
            || self.nulls.is_some_and(|nulls| index < nulls.len() && nulls.is_null(index))
    }

    fn bytes(&self, index: usize) -> Option<&'a [u8]> {
        match &self.layout {
            Layout::Small { offsets, bytes } => range(bytes, *offsets.get(index)?, *offsets.get(index + 1)?),
            Layout::Large { offsets, bytes } => range(bytes, *offsets.get(index)?, *offsets.get(index + 1)?),
            Layout::Views { views, buffers } => view_bytes(views.get(index)?, buffers),
            Layout::Dictionary { .. } | Layout::Null => None,
        }
    }

    /// Reads the texts of consecutive items. If the layout stores them one after the other, their UTF-8 is checked at once, which
    /// is faster than a check of each text.
    pub(super) fn block(
        &self,
        start: usize,
        len: usize,
        texts: &mut Vec<Option<&'a str>>,
    ) -> Result<(), InvalidText> {
        texts.clear();
        let whole = match &self.layout {
            Layout::Small { offsets, bytes } => block_text(offsets, bytes, start, len),
            Layout::Large { offsets, bytes } => block_text(offsets, bytes, start, len),
            _ => None,
        };
        for index in start..start + len {
            let text = match whole {
                Some(whole) if !self.is_null(index) => match self.part(whole, start, index) {
                    Some(text) => Some(text),
                    None => return Err(InvalidText::at(index)),
                },
                _ => self.get(index)?,
            };
            texts.push(text);
        }
        Ok(())
    }

    /// The text of an item within the text of a block that begins with the item `start`.
    fn part(&self, whole: &'a str, start: usize, index: usize) -> Option<&'a str> {
        let offset = |index| match &self.layout {
            Layout::Small { offsets, .. } => offsets.get(index).map(|offset| i64::from(*offset)),
            Layout::Large { offsets, .. } => offsets.get(index).copied(),
            _ => None,
        };
        let first = offset(start)?;
        let at = |index| usize::try_from(offset(index)?.checked_sub(first)?).ok();
        whole.get(at(index)?..at(index + 1)?)
    }
}

/// The text of a block. `None` if it is not UTF-8. This is not an error, because the bytes of a null may be anything.
fn block_text<'a, T: Copy + TryInto<usize>>(
    offsets: &[T],
    bytes: &'a [u8],
    start: usize,
    len: usize,
) -> Option<&'a str> {
    let bytes = range(bytes, *offsets.get(start)?, *offsets.get(start + len)?)?;
    simdutf8::basic::from_utf8(bytes).ok()
}

fn range<T: TryInto<usize>>(bytes: &[u8], start: T, end: T) -> Option<&[u8]> {
    bytes.get(start.try_into().ok()?..end.try_into().ok()?)
}

pub(super) fn view_bytes<'a>(view: &'a u128, buffers: &'a [Buffer]) -> Option<&'a [u8]> {
    // The low half contains the length and the first bytes, the high half the buffer and the offset.
    let length = (*view as u32) as usize;
    if length <= INLINE_BYTES {
        let inline: &[u8; 16] = bytes_of(view);
        return inline.get(4..4 + length);
    }
    let buffer = buffers.get((*view >> 64) as u32 as usize)?;
    let offset = (*view >> 96) as u32 as usize;
    buffer.as_slice().get(offset..offset.checked_add(length)?)
}

fn bytes_of(view: &u128) -> &[u8; 16] {
    // SAFETY: both types have 16 bytes, and bytes need no alignment.
    unsafe { &*std::ptr::from_ref(view).cast() }
}

/// The items of the first buffer that belong to the array, and `more` items after them. `more` is 1 for offsets, because an array
/// has one more offset than rows.
pub(super) fn items<T: arrow_buffer::ArrowNativeType>(data: &ArrayData, more: usize) -> &[T] {
    let items = data.buffers().first().map_or(&[][..], |buffer| buffer.typed_data::<T>());
    items.get(data.offset()..data.offset() + data.len() + more).unwrap_or_default()
}

/// The keys of a dictionary.
pub(super) enum Keys<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

impl<'a> Keys<'a> {
    pub(super) fn new(data: &'a ArrayData) -> Option<Self> {
        let DataType::Dictionary(keys, _) = data.data_type() else { return None };
        Some(match keys.as_ref() {
            DataType::Int8 => Self::I8(items(data, 0)),
            DataType::Int16 => Self::I16(items(data, 0)),
            DataType::Int32 => Self::I32(items(data, 0)),
            DataType::Int64 => Self::I64(items(data, 0)),
            DataType::UInt8 => Self::U8(items(data, 0)),
            DataType::UInt16 => Self::U16(items(data, 0)),
            DataType::UInt32 => Self::U32(items(data, 0)),
            DataType::UInt64 => Self::U64(items(data, 0)),
            _ => return None,
        })
    }

    pub(super) fn get(&self, index: usize) -> Option<usize> {
        match self {
            Self::I8(keys) => usize::try_from(*keys.get(index)?).ok(),
            Self::I16(keys) => usize::try_from(*keys.get(index)?).ok(),
            Self::I32(keys) => usize::try_from(*keys.get(index)?).ok(),
            Self::I64(keys) => usize::try_from(*keys.get(index)?).ok(),
            Self::U8(keys) => Some((*keys.get(index)?).into()),
            Self::U16(keys) => Some((*keys.get(index)?).into()),
            Self::U32(keys) => usize::try_from(*keys.get(index)?).ok(),
            Self::U64(keys) => usize::try_from(*keys.get(index)?).ok(),
        }
    }
}

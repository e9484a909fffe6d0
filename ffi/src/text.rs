use std::ffi::c_char;

/// A text that the library gives to the caller: UTF-8, `len` bytes, with a NUL after them. Free it
/// with `cpaas_text_free`. `{NULL, 0}` is no text.
#[repr(C)]
#[derive(Debug)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_text {
    /// The bytes, or NULL.
    pub data: *const c_char,
    /// How many, without the NUL.
    pub len: usize,
}

impl cpaas_text {
    pub(crate) const NONE: Self = Self { data: std::ptr::null(), len: 0 };

    pub(crate) fn new(text: String) -> Self {
        let len = text.len();
        let mut bytes = text.into_bytes();
        bytes.push(0);
        let data = Box::into_raw(bytes.into_boxed_slice()).cast::<c_char>();
        Self { data, len }
    }
}

/// Frees a text of this library and sets it to `{NULL, 0}`. NULL and `{NULL, 0}` are allowed, so a
/// second call does no harm. A copy of the struct does not own the text: free one of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_text_free(text: *mut cpaas_text) {
    // SAFETY: the caller gives NULL or a valid pointer.
    let Some(text) = (unsafe { text.as_mut() }) else { return };
    let owned = std::mem::replace(text, cpaas_text::NONE);
    if owned.data.is_null() {
        return;
    }
    let bytes = std::ptr::slice_from_raw_parts_mut(owned.data.cast_mut().cast::<u8>(), owned.len + 1);
    // SAFETY: `cpaas_text::new` made this allocation with this length.
    drop(unsafe { Box::from_raw(bytes) });
}

//! The texts of a call: the wrapper writes their bytes where they are read, and reads the answer where it stands.
#![expect(unsafe_code, reason = "texts that another language wrote, names without mangling")]

use std::cell::Cell;

use crate::{heap, packed};

/// The length of a second text that is not there.
const NONE: usize = u32::MAX as usize;

thread_local! {
    static ANSWERED: Cell<usize> = const { Cell::new(0) };
}

/// Where the texts of a call are written, one behind the other: room for so many bytes. What was answered before is gone.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    // SAFETY: between two calls nothing in the module refers to allocated memory: statics hold numbers alone.
    unsafe { heap::start(bytes) }
}

/// Answers; where the text stands until the next call for room.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn ask(what: u32, first: usize, second: usize) -> *const u8 {
    let other = (second != NONE).then(|| written(first, second));
    let said = crate::answer(what, written(0, first), other);
    ANSWERED.set(said.len());
    said.leak().as_ptr()
}

/// The bytes of the last answer.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn answered() -> usize {
    ANSWERED.get()
}

/// Counts the text that was written; the four numbers in one double, see `packed`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn count(length: usize) -> f64 {
    packed::one(written(0, length))
}

/// A text in the room.
fn written<'a>(start: usize, length: usize) -> &'a str {
    // SAFETY: the wrapper asked for room for both texts and wrote them with a `TextEncoder`, which makes UTF-8 alone;
    // nobody writes there before the next call.
    unsafe {
        let bytes = std::slice::from_raw_parts(heap::first().add(start), length);
        std::str::from_utf8_unchecked(bytes)
    }
}

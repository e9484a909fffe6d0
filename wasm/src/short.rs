//! Short texts without a call for memory: the wrapper writes their UTF-16 units where they are counted.
#![expect(unsafe_code, reason = "names without mangling")]

use std::cell::RefCell;

use cpaas::text;

use crate::packed;

/// The most units of a short text.
const UNITS: usize = 2048;

thread_local! {
    static ROOM: RefCell<[u16; UNITS]> = const { RefCell::new([0; UNITS]) };
}

/// Where the units of a short text are written; it never moves.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn short_text() -> *const u16 {
    ROOM.with_borrow(|units| units.as_ptr())
}

/// Counts the text that was written there; the four numbers in one of 32 bits, see `packed`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn count_short(length: usize) -> u32 {
    ROOM.with_borrow(|units| {
        packed::short(text::scalar::count_utf16(units.get(..length).unwrap_or_default()))
    })
}

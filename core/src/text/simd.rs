//! The counter with vector instructions, 64 bytes at a time.
//!
//! A block of UTF-8 becomes bit masks: the starts of characters, the second units (the second septet of an extension
//! character, the second unit of a surrogate pair), and characters outside the default alphabet. Population counts of the
//! masks give the units; a cut inside a block is found by bisecting the masks.
//!
//! `#[inline(always)]` is required here: a function that is not inlined into the dispatch is compiled without the vector
//! instructions.

use std::sync::OnceLock;

use fearless_simd::{Level, Simd, dispatch};

use super::part_limits::Limits;
use super::part_limits::{Cuts, Measured};
use super::{Count, Encoding, ReferenceBits};

mod block_walk;
mod gsm7;
#[cfg(all(test, target_arch = "x86_64"))]
mod instruction_set_tests;
mod ucs2;

/// The instruction set, detected once; `None` if it has no byte shuffle, so that the scalar counter is faster.
#[inline]
fn level() -> Option<Level> {
    static DETECTED: OnceLock<Option<Level>> = OnceLock::new();
    // `usable` is called again on the stored level: the compiler then knows which levels cannot occur, and generates no counter
    // for them.
    DETECTED.get_or_init(|| usable(Level::new())).and_then(usable)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(always)]
fn usable(level: Level) -> Option<Level> {
    (!matches!(level, Level::Sse2(_))).then_some(level)
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
#[inline(always)]
fn usable(level: Level) -> Option<Level> {
    (!level.is_fallback()).then_some(level)
}

/// Counts a text; `None` if the scalar counter is faster.
pub(super) fn count(text: &str) -> Option<Count> {
    Some(dispatch!(level()?, simd => count_one(simd, text)))
}

/// Counts texts; false, without counts, if the scalar counter is faster.
pub(super) fn count_batch<T: AsRef<str>>(texts: &[T], counts: &mut Vec<Count>) -> bool {
    let Some(level) = level() else { return false };
    dispatch!(level, simd => count_all(simd, texts, counts));
    true
}

/// Like the scalar function of this name; the outer `None` if the scalar function is faster.
pub(super) fn measure_gsm7(text: &str, limits: Limits, cuts: &mut impl Cuts) -> Option<Option<Measured>> {
    Some(dispatch!(level()?, simd => gsm7::measure(simd, text.as_bytes(), limits, cuts)))
}

/// Like the scalar function of this name; `None` if the scalar function is faster.
pub(super) fn measure_ucs2(text: &str, limits: Limits, cuts: &mut impl Cuts) -> Option<Measured> {
    Some(dispatch!(level()?, simd => ucs2::measure(simd, text.as_bytes(), limits, cuts)))
}

/// A loop, because the closures of an iterator are compiled without the vector instructions.
#[inline(always)]
fn count_all<S: Simd, T: AsRef<str>>(simd: S, texts: &[T], counts: &mut Vec<Count>) {
    for text in texts {
        counts.push(count_one(simd, text.as_ref()));
    }
}

#[inline(always)]
fn count_one<S: Simd>(simd: S, text: &str) -> Count {
    let bytes = text.as_bytes();
    let (encoding, measured) = match gsm7::measure(simd, bytes, Limits::GSM7, &mut ()) {
        Some(measured) => (Encoding::Gsm7, measured),
        None => (Encoding::Ucs2, ucs2::measure(simd, bytes, Limits::UCS2, &mut ())),
    };
    measured.count(encoding, Limits::of(encoding, ReferenceBits::Eight))
}

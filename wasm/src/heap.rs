//! The module's memory: blocks of powers of two, each size with a list of free ones. It is a tenth of the
//! standard allocator's code, and a call allocates and frees the same sizes again and again.
#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

const PAGE: usize = 65_536;
/// The smallest block, as a power of two.
const SMALLEST: u32 = 4;
const SIZES: usize = 32;

struct Heap(UnsafeCell<State>);

struct State {
    /// For each size the first free block; a free block holds the address of the next.
    free: [*mut u8; SIZES],
    next: usize,
    end: usize,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Heap {}

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(State { free: [null_mut(); SIZES], next: 0, end: 0 }));

/// The power of two that holds so many bytes.
const fn power(layout: Layout) -> u32 {
    let size = if layout.size() > layout.align() { layout.size() } else { layout.align() };
    let power = usize::BITS - size.saturating_sub(1).leading_zeros();
    if power < SMALLEST { SMALLEST } else { power }
}

// SAFETY: blocks do not overlap, and each is aligned to its own size or, from a page on, to a page.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let power = power(layout);
        // SAFETY: one thread, and no reference leaves this function.
        let state = unsafe { &mut *self.0.get() };
        let Some(first) = state.free.get_mut(power as usize) else { return null_mut() };
        if first.is_null() {
            return state.fresh(1 << power);
        }
        let block = *first;
        // SAFETY: a free block holds the next one's address.
        *first = unsafe { block.cast::<*mut u8>().read() };
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        if let Some(first) = state.free.get_mut(power(layout) as usize) {
            // SAFETY: a block has room for an address, and nobody uses it any more.
            unsafe { block.cast::<*mut u8>().write(*first) };
            *first = block;
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise about `size` and the alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if power(wanted) == power(layout) {
            return block;
        }
        // SAFETY: both blocks hold the smaller of the sizes, and do not overlap.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

impl State {
    /// A block that was never used, of a size that is a power of two.
    fn fresh(&mut self, size: usize) -> *mut u8 {
        let start = (self.next + size.min(PAGE) - 1) & !(size.min(PAGE) - 1);
        if start + size > self.end {
            let pages = size.div_ceil(PAGE);
            let before = core::arch::wasm32::memory_grow::<0>(pages);
            if before == usize::MAX {
                return null_mut();
            }
            // What was left of the former pages is too small for this block, and stays unused.
            if before * PAGE != self.end {
                self.next = before * PAGE;
            }
            self.end = (before + pages) * PAGE;
            return self.fresh(size);
        }
        self.next = start + size;
        start as *mut u8
    }
}

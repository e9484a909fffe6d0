//! The module's memory: a call takes what it needs from one block after the other and gives nothing back; the next call
//! starts over. What frees memory is then no code at all, and what takes it is a few additions.
#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

const PAGE: usize = 65_536;
/// Memory grows by so many pages at least.
const PAGES: usize = 16;

struct Heap(UnsafeCell<State>);

struct State {
    /// Where a call's memory starts.
    base: usize,
    next: usize,
    end: usize,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Heap {}

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(State { base: 0, next: 0, end: 0 }));

/// Starts over: the first block of a call, of at least so many bytes.
///
/// # Safety
/// Nothing that was allocated before may be used any more.
pub(crate) unsafe fn start(bytes: usize) -> *mut u8 {
    // SAFETY: one thread, and no reference leaves this function.
    let state = unsafe { &mut *HEAP.0.get() };
    state.next = state.base;
    // Of no bytes too there is a place.
    state.take(bytes.max(1), 8)
}

/// The first block of the call under way.
pub(crate) fn first() -> *const u8 {
    // SAFETY: one thread, and no reference leaves this function.
    unsafe { (*HEAP.0.get()).base as *const u8 }
}

// SAFETY: blocks do not overlap until the module starts over, and are aligned as asked for.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: one thread, and no reference leaves this function.
        unsafe { &mut *self.0.get() }.take(layout.size(), layout.align())
    }

    #[inline(always)]
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        let start = block as usize;
        // The last block grows where it stands.
        if start + layout.size() == state.next && size <= state.end - start {
            state.next = start + size;
            return block;
        }
        let moved = state.take(size, layout.align());
        if !moved.is_null() {
            // SAFETY: both blocks hold the smaller of the sizes, and do not overlap.
            unsafe { moved.copy_from_nonoverlapping(block, layout.size().min(size)) };
        }
        moved
    }
}

impl State {
    #[inline(never)]
    fn take(&mut self, size: usize, align: usize) -> *mut u8 {
        let start = (self.next + align - 1) & !(align - 1);
        if self.end < start || self.end - start < size {
            return if self.grow(size) { self.take(size, align) } else { null_mut() };
        }
        self.next = start + size;
        start as *mut u8
    }

    fn grow(&mut self, size: usize) -> bool {
        let pages = (size / PAGE + 1).max(PAGES);
        let before = core::arch::wasm32::memory_grow::<0>(pages);
        if before == usize::MAX {
            return false;
        }
        // The first growth, or somebody else's before it: what is left of the former pages stays unused.
        if before * PAGE != self.end {
            self.next = before * PAGE;
            if self.base == 0 {
                self.base = self.next;
            }
        }
        self.end = (before + pages) * PAGE;
        true
    }
}

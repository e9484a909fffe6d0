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

/// Memory that nobody has.
struct Region {
    next: usize,
    end: usize,
}

const NOTHING: Region = Region { next: 0, end: 0 };

struct State {
    /// Where a call's memory starts.
    base: usize,
    /// What lies behind all blocks.
    top: Region,
    /// The largest block that was left behind when it grew: small ones are taken from it.
    left: Region,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Heap {}

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(State { base: 0, top: NOTHING, left: NOTHING }));

/// Starts over: the first block of a call, of at least so many bytes.
///
/// # Safety
/// Nothing that was allocated before may be used any more.
pub(crate) unsafe fn start(bytes: usize) -> *mut u8 {
    // SAFETY: one thread, and no reference leaves this function.
    let state = unsafe { &mut *HEAP.0.get() };
    state.top.next = state.base;
    state.left = NOTHING;
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
        if size <= layout.size() {
            return block;
        }
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        let former = Region { next: block as usize, end: block as usize + layout.size() };
        // The last block grows where it stands: memory grows behind it.
        for region in [&mut state.left, &mut state.top] {
            if former.end == region.next {
                region.next = former.next;
            }
        }
        let moved = state.take(size, layout.align());
        if !moved.is_null() && moved != block {
            // SAFETY: both blocks hold the smaller of the sizes, and do not overlap.
            unsafe { moved.copy_from_nonoverlapping(block, layout.size().min(size)) };
            if layout.size() > state.left.end - state.left.next {
                state.left = former;
            }
        }
        moved
    }
}

impl Region {
    #[inline(always)]
    fn take(&mut self, size: usize, align: usize) -> Option<usize> {
        let start = (self.next + align - 1) & !(align - 1);
        let has_room = start <= self.end && self.end - start >= size;
        has_room.then(|| {
            self.next = start + size;
            start
        })
    }
}

impl State {
    #[inline(never)]
    fn take(&mut self, size: usize, align: usize) -> *mut u8 {
        let place = self.left.take(size, align).or_else(|| self.top.take(size, align));
        match place {
            Some(place) => place as *mut u8,
            None if self.grow(size) => self.take(size, align),
            None => null_mut(),
        }
    }

    fn grow(&mut self, size: usize) -> bool {
        let pages = (size / PAGE + 1).max(PAGES);
        let before = core::arch::wasm32::memory_grow::<0>(pages);
        if before == usize::MAX {
            return false;
        }
        // The first growth, or somebody else's before it: what is left of the former pages stays unused.
        if before * PAGE != self.top.end {
            self.top.next = before * PAGE;
            if self.base == 0 {
                self.base = self.top.next;
            }
        }
        self.top.end = (before + pages) * PAGE;
        true
    }
}

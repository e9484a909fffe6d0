//! The numbering plans that a thread reads: libphonenumber's metadata.

use std::cell::{OnceCell, RefCell};
use std::marker::PhantomData;

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumberUtil};

thread_local! {
    /// The own plans of a thread with [`OwnPlans`]: loaded when they are first read, `None` in the cell if that failed.
    static OWN: RefCell<Option<OnceCell<Option<PhoneNumberUtil>>>> = const { RefCell::new(None) };
}

/// Calls `read` with the plans of this thread, or with those of the process. The first call loads them.
pub(super) fn with_plans<T>(read: impl FnOnce(&PhoneNumberUtil) -> T) -> T {
    OWN.with_borrow(|own| {
        let own = own.as_ref().and_then(|own| own.get_or_init(|| PhoneNumberUtil::new().ok()).as_ref());
        read(own.unwrap_or(&PHONE_NUMBER_UTIL))
    })
}

/// While it exists, this thread reads plans of its own, which need about 20 MB and 10 ms when they are first read. Threads that check
/// many numbers at the same time are then independent of each other. With the plans of the process, two threads are as slow as one,
/// because a regular expression writes to its memory when it is used.
#[doc(hidden)]
#[derive(Debug)]
pub struct OwnPlans(PhantomData<*const ()>);

impl OwnPlans {
    /// From now on, this thread reads plans of its own.
    #[must_use]
    pub fn of_thread() -> Self {
        OWN.set(Some(OnceCell::new()));
        Self(PhantomData)
    }
}

impl Drop for OwnPlans {
    fn drop(&mut self) {
        OWN.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_number;
    use super::*;

    #[test]
    fn own_plans_contain_what_those_of_the_process_contain() {
        let numbers = ["+30 691 234 5678", "+44 7400 123456", "+1 310 1234", "+999 1", "", "2101234567"];
        let check = || numbers.map(|number| check_number(number, Some("GR")));
        let of_process = check();
        let own = OwnPlans::of_thread();
        assert_eq!(check(), of_process);
        assert!(OWN.with_borrow(|own| own.as_ref().unwrap().get().unwrap().is_some()));
        drop(own);
        assert!(OWN.with_borrow(Option::is_none));
    }
}

//! The rate limit of `--rate` (D50): at most so many requests in any window.

use std::collections::VecDeque;

use crate::options::Rate;

#[derive(Debug, Default)]
pub(crate) struct Window(VecDeque<u64>);

impl Window {
    /// Counts a request; the wait in milliseconds when there were too many.
    pub(crate) fn hit(&mut self, rate: Option<Rate>, now: u64) -> Option<u64> {
        let rate = rate?;
        while self.0.front().is_some_and(|first| first + rate.window <= now) {
            self.0.pop_front();
        }
        match self.0.front() {
            Some(first) if self.0.len() >= rate.count as usize => Some(first + rate.window - now),
            _ => {
                self.0.push_back(now);
                None
            }
        }
    }
}

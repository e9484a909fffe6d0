//! Ids that the provider made for calls of this client: the same id for another call means that a response reached the
//! wrong call.

use std::collections::hash_map::RandomState;
use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use crate::operation::Family;

/// How many ids are remembered; the oldest are forgotten first.
const REMEMBERED: usize = 8192;

/// The memory of a client and its clones. It keeps keyed hashes and not the ids.
#[derive(Default)]
pub(crate) struct Minted {
    hasher: RandomState,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    hashes: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Minted {
    /// Remembers the ids of one call; false when one of them belongs to an earlier call.
    pub(crate) fn admit(&self, family: Family, ids: &[String]) -> bool {
        let hashes: Vec<u64> = ids.iter().map(|id| self.hasher.hash_one((family, id))).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = hashes.iter().all(|hash| !known.hashes.contains(hash));
        for hash in hashes {
            known.remember(hash);
        }
        is_new
    }
}

impl Known {
    fn remember(&mut self, hash: u64) {
        if !self.hashes.insert(hash) {
            return;
        }
        self.order.push_back(hash);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.hashes.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_id_of_another_call_is_found() {
        let minted = Minted::default();
        assert!(minted.admit(Family::Sms, &ids(&["a", "b", "b"])));
        assert!(!minted.admit(Family::Sms, &ids(&["c", "b"])));
        assert!(minted.admit(Family::Otp, &ids(&["a"])), "families count apart");
        assert!(!minted.admit(Family::Sms, &ids(&["c"])), "also those of a call that repeated another one");
    }

    #[test]
    fn the_memory_is_bounded() {
        let minted = Minted::default();
        for number in 0..3 * REMEMBERED {
            assert!(minted.admit(Family::Sms, &[number.to_string()]));
        }
        let known = minted.known.lock().unwrap();
        assert_eq!((known.hashes.len(), known.order.len()), (REMEMBERED, REMEMBERED));
    }
}

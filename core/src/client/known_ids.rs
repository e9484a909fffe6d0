//! The ids that the provider created for calls of this client. The same id for another call shows that a response reached
//! the wrong call.

use std::collections::hash_map::RandomState;
use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use crate::operation::Family;

/// The maximum number of ids; the oldest are removed first.
const MAX_IDS: usize = 8192;

/// The ids known to a client and its clones, stored as keyed hashes.
#[derive(Default)]
pub(crate) struct KnownIds {
    hasher: RandomState,
    recent: Mutex<Recent>,
}

#[derive(Default)]
struct Recent {
    hashes: HashSet<u64>,
    order: VecDeque<u64>,
}

impl KnownIds {
    /// Adds the ids of one call; returns false if one of them belongs to an earlier call.
    pub(crate) fn insert(&self, family: Family, ids: &[String]) -> bool {
        let mut hashes: Vec<u64> = ids.iter().map(|id| self.hasher.hash_one((family, id))).collect();
        // A bulk response may repeat an id.
        hashes.sort_unstable();
        hashes.dedup();
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.into_iter().filter(|hash| !recent.insert(*hash)).count() == 0
    }
}

impl Recent {
    fn insert(&mut self, hash: u64) -> bool {
        if !self.hashes.insert(hash) {
            return false;
        }
        self.order.push_back(hash);
        if self.order.len() > MAX_IDS
            && let Some(oldest) = self.order.pop_front()
        {
            self.hashes.remove(&oldest);
        }
        true
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
        let known = KnownIds::default();
        assert!(known.insert(Family::Sms, &ids(&["a", "b", "b"])));
        assert!(!known.insert(Family::Sms, &ids(&["c", "b"])));
        assert!(known.insert(Family::Otp, &ids(&["a"])), "each family has its own ids");
        assert!(
            !known.insert(Family::Sms, &ids(&["c"])),
            "ids of a call that repeated another id are known too"
        );
    }

    #[test]
    fn the_number_of_ids_is_bounded() {
        let known = KnownIds::default();
        for number in 0..3 * MAX_IDS {
            assert!(known.insert(Family::Sms, &[number.to_string()]));
        }
        let recent = known.recent.lock().unwrap();
        assert_eq!((recent.hashes.len(), recent.order.len()), (MAX_IDS, MAX_IDS));
    }
}

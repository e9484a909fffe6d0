//! The ids that the provider created for calls of this client. The same id for another call shows that a response reached
//! the wrong call.

use std::collections::{HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use siphasher::sip::SipHasher13;
use siphasher::sip128::{Hasher128, SipHasher13 as SipHasher13With128Bits};

use crate::clock::{Clock, NoEntropy};
use crate::operation::Family;

/// The maximum number of ids; the oldest are removed first.
const MAX_IDS: usize = 8192;

/// The ids known to a client and its clones, stored as keyed hashes.
pub(crate) struct KnownIds {
    key: [u8; 16],
    recent: Mutex<Recent>,
    hashes: AtomicU64,
}

#[derive(Default)]
struct Recent {
    hashes: HashSet<u64>,
    order: VecDeque<u64>,
}

impl KnownIds {
    /// Takes a random key, so that nobody can choose ids with equal hashes.
    pub(crate) fn new(clock: &dyn Clock) -> Result<Self, NoEntropy> {
        let mut key = [0; 16];
        clock.fill_random(&mut key)?;
        Ok(Self { key, recent: Mutex::default(), hashes: AtomicU64::default() })
    }

    /// A number that differs from all others of this client, and that nobody can predict; for ids without random bytes.
    pub(crate) fn next_hash(&self) -> u128 {
        let mut hasher = SipHasher13With128Bits::new_with_key(&self.key);
        self.hashes.fetch_add(1, Ordering::Relaxed).hash(&mut hasher);
        hasher.finish128().as_u128()
    }

    fn hash(&self, family: Family, id: &str) -> u64 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        (family, id).hash(&mut hasher);
        hasher.finish()
    }

    /// Whether one of the ids belongs to a call whose response contained it.
    pub(crate) fn contains(&self, family: Family, ids: &[String]) -> bool {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        ids.iter().any(|id| recent.hashes.contains(&self.hash(family, id)))
    }

    /// Adds the ids of one call; returns false if one of them belongs to an earlier call.
    pub(crate) fn insert(&self, family: Family, ids: &[String]) -> bool {
        let mut hashes: Vec<u64> = ids.iter().map(|id| self.hash(family, id)).collect();
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

#[cfg(all(test, feature = "http"))]
mod tests {
    use super::*;
    use crate::client::tokio_clock::TokioClock;

    fn ids(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_id_of_another_call_is_found() {
        let known = KnownIds::new(&TokioClock).unwrap();
        assert!(known.insert(Family::Sms, &ids(&["a", "b", "b"])));
        assert!(!known.insert(Family::Sms, &ids(&["c", "b"])));
        assert!(known.insert(Family::Otp, &ids(&["a"])), "each family has its own ids");
        assert!(
            !known.insert(Family::Sms, &ids(&["c"])),
            "ids of a call that repeated another id are known too"
        );
    }

    #[test]
    fn a_search_adds_no_id() {
        let known = KnownIds::new(&TokioClock).unwrap();
        assert!(!known.contains(Family::Otp, &ids(&["a"])));
        assert!(known.insert(Family::Otp, &ids(&["a"])), "a response has the id first");
        assert!(known.contains(Family::Otp, &ids(&["b", "a"])));
        assert!(!known.contains(Family::Sms, &ids(&["a"])), "each family has its own ids");
    }

    #[test]
    fn the_number_of_ids_is_bounded() {
        let known = KnownIds::new(&TokioClock).unwrap();
        for number in 0..3 * MAX_IDS {
            assert!(known.insert(Family::Sms, &[number.to_string()]));
        }
        let recent = known.recent.lock().unwrap();
        assert_eq!((recent.hashes.len(), recent.order.len()), (MAX_IDS, MAX_IDS));
    }
}

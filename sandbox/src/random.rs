//! Random numbers and identifiers: from the system, or from `--seed`.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

pub(crate) struct Random(StdRng);

impl Random {
    /// A cryptographically secure generator. With a seed, its numbers are the same in each run.
    pub(crate) fn new(seed: Option<u64>) -> std::io::Result<Self> {
        if let Some(seed) = seed {
            return Ok(Self(StdRng::seed_from_u64(seed)));
        }
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(StdRng::from_seed(bytes)))
    }

    /// A new generator, seeded by this one.
    pub(crate) fn child(&mut self) -> Self {
        let mut seed = [0; 32];
        self.0.fill_bytes(&mut seed);
        Self(StdRng::from_seed(seed))
    }

    pub(crate) fn u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform below `bound`, without the bias of a plain remainder.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let zone = u64::MAX - u64::MAX % bound.max(1);
        loop {
            let value = self.u64();
            if value < zone {
                return value % bound.max(1);
            }
        }
    }

    /// A number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn hex(&mut self) -> String {
        format!("{:016x}{:016x}", self.u64(), self.u64())
    }

    /// An identifier with its prefix: `OTP`, `OTC`, `OTE`, `LM`, `WF`, `AC`, `SM`.
    pub(crate) fn sid(&mut self, prefix: &str) -> String {
        format!("{prefix}{:016x}{:016x}", self.u64(), self.u64())
    }

    /// A UUID of version 4 (RFC 9562).
    pub(crate) fn uuid(&mut self) -> String {
        let (high, low) = (self.u64(), self.u64());
        Id(high & !0xf000 | 0x4000, low >> 2 | 1 << 63).to_string()
    }

    pub(crate) fn six_digits(&mut self) -> String {
        format!("{:06}", self.below(1_000_000))
    }
}

/// 128 bits written as a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Id(pub(crate) u64, pub(crate) u64);

impl Id {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut part = |width: usize| {
            let part = parts.next().filter(|part| part.len() == width)?;
            u64::from_str_radix(part, 16).ok()
        };
        let high = part(8)? << 32 | part(4)? << 16 | part(4)?;
        let low = part(4)? << 48 | part(12)?;
        parts.next().is_none().then_some(Self(high, low))
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'-'; 36];
        let mut value = u128::from(self.0) << 64 | u128::from(self.1);
        for (index, digit) in text.iter_mut().enumerate().rev() {
            if !matches!(index, 8 | 13 | 18 | 23) {
                *digit = DIGITS.get((value & 15) as usize).copied().unwrap_or(b'0');
                value >>= 4;
            }
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_written_id_parses_to_the_same_id() {
        let id = Id(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210);
        assert_eq!(id.to_string(), "01234567-89ab-cdef-fedc-ba9876543210");
        assert_eq!(Id::parse(&id.to_string()), Some(id));
        assert_eq!(Id::parse("01234567-89ab-cdef-fedc"), None);
    }

    #[test]
    fn acc_034_a_million_sids_are_unique() {
        let mut random = Random::new(None).unwrap();
        let mut seen = std::collections::HashSet::new();
        for prefix in ["OTP", "OTC", "OTE", "LM", "WF", "AC", "SM"].iter().cycle().take(1_000_000) {
            let sid = random.sid(prefix);
            assert!(sid.starts_with(prefix));
            assert!(seen.insert(sid));
        }
    }
}

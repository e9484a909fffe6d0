//! The assumptions of the sandbox (D01 to D66): its behavior where the specification defines none.

/// An assumption, `D01` to `D66`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AssumptionId(pub(crate) u8);

/// A set of assumptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct AssumptionSet(u128);

/// The highest number of an assumption.
const LAST: u8 = 66;

impl AssumptionSet {
    pub(crate) const ALL: Self = Self(((1 << LAST) - 1) << 1);

    pub(crate) fn add(&mut self, id: AssumptionId) {
        self.0 |= 1 << id.0;
    }

    pub(crate) fn with(mut self, id: AssumptionId) -> Self {
        self.add(id);
        self
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn ids(self) -> impl Iterator<Item = String> {
        (1..=LAST).filter(move |id| self.0 & (1 << id) != 0).map(|id| format!("D{id:02}"))
    }

    /// The value of the header `X-Sandbox-Assumed`.
    pub(crate) fn header(self) -> String {
        let mut text = String::with_capacity(16);
        for id in (1..=LAST).filter(|id| self.0 & (1 << id) != 0) {
            if !text.is_empty() {
                text.push(',');
            }
            text.push('D');
            text.push(char::from(b'0' + id / 10));
            text.push(char::from(b'0' + id % 10));
        }
        text
    }

    /// Reads `D08,D26`.
    pub(crate) fn parse(list: &str) -> Option<Self> {
        let mut assumptions = Self::default();
        for id in list.split(',') {
            let number = id.trim().strip_prefix('D')?.parse().ok().filter(|id| (1..=LAST).contains(id))?;
            assumptions.add(AssumptionId(number));
        }
        Some(assumptions)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_assumptions_is_read_and_written() {
        let assumptions = AssumptionSet::parse("D08,D26, D66").unwrap();
        assert_eq!(assumptions.header(), "D08,D26,D66");
        assert!(
            AssumptionSet::parse("D67").is_none()
                && AssumptionSet::parse("D0").is_none()
                && AssumptionSet::parse("8").is_none()
        );
        assert_eq!(AssumptionSet::ALL.ids().count(), 66);
    }
}

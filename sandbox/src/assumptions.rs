//! The labelled defaults: what a response relies on where the specification is silent.

/// A labelled default, `D01` to `D66`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct D(pub(crate) u8);

/// A set of labelled defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Marks(u128);

/// The highest default.
const LAST: u8 = 66;

impl Marks {
    pub(crate) const ALL: Self = Self(((1 << LAST) - 1) << 1);

    pub(crate) fn add(&mut self, default: D) {
        self.0 |= 1 << default.0;
    }

    pub(crate) fn with(mut self, default: D) -> Self {
        self.add(default);
        self
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn both(self, other: Self) -> Self {
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
        let mut marks = Self::default();
        for id in list.split(',') {
            let number = id.trim().strip_prefix('D')?.parse().ok().filter(|id| (1..=LAST).contains(id))?;
            marks.add(D(number));
        }
        Some(marks)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_defaults_is_read_and_written() {
        let marks = Marks::parse("D08,D26, D66").unwrap();
        assert_eq!(marks.header(), "D08,D26,D66");
        assert!(Marks::parse("D67").is_none() && Marks::parse("D0").is_none() && Marks::parse("8").is_none());
        assert_eq!(Marks::ALL.ids().count(), 66);
    }
}

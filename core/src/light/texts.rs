//! Texts by name: the part of `BTreeMap` that a request needs.

use serde::ser::{Serialize, Serializer};

/// Texts by name, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(Vec<(String, String)>);

impl Texts {
    /// No texts.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Sets a text; gives its former one back.
    pub fn insert(&mut self, name: String, text: String) -> Option<String> {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => Some(std::mem::replace(old, text)),
            None => {
                self.add(name, text);
                None
            }
        }
    }

    /// Adds a text with a name that none has.
    pub(crate) fn add(&mut self, name: String, text: String) {
        self.0.push((name, text));
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts and their names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter().map(|(name, text)| (name, text))
    }
}

impl<'a> IntoIterator for &'a Texts {
    type Item = (&'a String, &'a String);
    type IntoIter = std::vec::IntoIter<(&'a String, &'a String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

impl FromIterator<(String, String)> for Texts {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(texts: I) -> Self {
        let mut all = Self::new();
        for (name, text) in texts {
            all.insert(name, text);
        }
        all
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

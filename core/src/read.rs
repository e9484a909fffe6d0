//! Models out of a [`Tree`]: the lane of builds that must be small (the browser's module). A model only lists
//! its members; what fills them is written once. The answers are those of the typed lane.

use std::collections::BTreeMap;

use crate::extra::Extra;
use crate::shape::Field;
use crate::validate::tree::{Member, Tree};
use crate::value::Value;
use crate::values::{GivenText, Listed, NumericText, OneOrMany, Scalar};

/// A type that a tree becomes. What has another type was reported and replaced before.
pub(crate) trait Read: Default {
    fn read(tree: Tree) -> Self;

    /// Whether it is the default.
    fn is_blank(&self) -> bool;
}

/// A member of a model, whatever its type.
pub(crate) trait Slot {
    fn fill(&mut self, tree: Tree);
    fn is_set(&self) -> bool;
}

impl<T: Read> Slot for T {
    fn fill(&mut self, tree: Tree) {
        *self = T::read(tree);
    }

    fn is_set(&self) -> bool {
        !self.is_blank()
    }
}

/// A model that is filled in place.
pub(crate) trait Members {
    fn fill(&mut self, tree: Tree);
}

/// Fills the members of a model, which stand in the order of its fields.
#[inline(never)]
pub(crate) fn object(tree: Tree, fields: &'static [Field], slots: &mut [&mut dyn Slot], extra: &mut Extra) {
    let Tree::Object(members) = tree else { return };
    let mut unknown = Vec::new();
    for Member { name, value, .. } in members {
        let place = fields.iter().position(|field| field.is_named(&name));
        match place.and_then(|place| slots.get_mut(place)) {
            Some(slot) => slot.fill(value),
            None => unknown.push((name, value.into_value())),
        }
    }
    extra.keep_all(unknown);
}

/// Gives the elements of an array on.
#[inline(never)]
fn items(tree: Tree, take: &mut dyn FnMut(Tree)) {
    if let Tree::Array(items) = tree {
        for item in items {
            take(item);
        }
    }
}

/// Whether the member with that wire name is set.
#[inline(never)]
pub(crate) fn has(fields: &'static [Field], wire: &str, slots: &[&dyn Slot]) -> bool {
    let place = fields.iter().position(|field| field.wire == wire);
    place.and_then(|place| slots.get(place)).is_some_and(|slot| slot.is_set())
}

/// Whether no member is set.
#[inline(never)]
pub(crate) fn is_blank(slots: &[&dyn Slot], extra: &Extra) -> bool {
    extra.is_empty() && !slots.iter().any(|slot| slot.is_set())
}

impl Read for Value {
    fn read(tree: Tree) -> Self {
        tree.into_value()
    }

    fn is_blank(&self) -> bool {
        self.is_null()
    }
}

impl Read for String {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Text(text) => text,
            _ => Self::new(),
        }
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl Read for bool {
    fn read(tree: Tree) -> Self {
        matches!(tree, Tree::Bool(true))
    }

    fn is_blank(&self) -> bool {
        !*self
    }
}

impl Read for i64 {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => number.as_i64().unwrap_or_default(),
            _ => 0,
        }
    }

    fn is_blank(&self) -> bool {
        *self == 0
    }
}

impl Read for f64 {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => number.as_f64().unwrap_or_default(),
            _ => 0.0,
        }
    }

    fn is_blank(&self) -> bool {
        self.abs() == 0.0
    }
}

impl<T: Read> Read for Option<T> {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Null => None,
            tree => Some(T::read(tree)),
        }
    }

    fn is_blank(&self) -> bool {
        self.is_none()
    }
}

impl<T: Read> Read for Box<T> {
    fn read(tree: Tree) -> Self {
        Self::new(T::read(tree))
    }

    fn is_blank(&self) -> bool {
        T::is_blank(self)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(tree: Tree) -> Self {
        let mut list = Self::new();
        items(tree, &mut |item| list.push(T::read(item)));
        list
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(tree: Tree) -> Self {
        let mut map = Self::new();
        if let Tree::Object(members) = tree {
            for Member { name, value, .. } in members {
                map.insert(name, T::read(value));
            }
        }
        map
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl Read for Scalar {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => Self::Number(number),
            tree => Self::Text(String::read(tree)),
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_empty())
    }
}

impl Read for NumericText {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => number.to_string().into(),
            tree => String::read(tree).into(),
        }
    }

    fn is_blank(&self) -> bool {
        self.as_str().is_empty()
    }
}

impl Read for GivenText {
    fn read(tree: Tree) -> Self {
        String::read(tree).into()
    }

    fn is_blank(&self) -> bool {
        self.as_str().is_none()
    }
}

impl Read for OneOrMany {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Text(one) => Self::One(one),
            tree => Self::Many(Vec::read(tree)),
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Self::Many(many) if many.is_empty())
    }
}

impl<T: Read> Read for Listed<T> {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Array(_) => Self::Items(Vec::read(tree)),
            Tree::Text(text) => match Tree::parse(&text) {
                Ok(inner @ Tree::Array(_)) => Self::Items(Vec::read(inner)),
                _ => Self::Untouched(Value::String(text)),
            },
            tree => Self::Untouched(Value::read(tree)),
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Self::Items(items) if items.is_empty())
    }
}

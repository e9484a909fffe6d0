//! Models out of a [`Tree`]: the lane of builds that must be small (the browser's module). One function a
//! model instead of a parser a model; the answers are those of the typed lane.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::extra::Extra;
use crate::validate::tree::{Member, Tree};
use crate::values::{GivenText, Listed, NumericText, OneOrMany, Scalar};

/// A type that a tree becomes. What has another type was reported and replaced before.
pub(crate) trait Read: Default {
    fn read(tree: Tree) -> Self;
}

/// The members of a model.
pub(crate) trait Members {
    /// Takes a documented member; gives any other back.
    fn set(&mut self, name: &str, tree: Tree) -> Option<Tree>;
    /// The rest.
    fn rest(&mut self) -> &mut Extra;
}

/// Fills a model with the members of an object.
#[inline(never)]
pub(crate) fn object(tree: Tree, model: &mut dyn Members) {
    let Tree::Object(members) = tree else { return };
    for Member { name, value, .. } in members {
        if let Some(tree) = model.set(&name, value) {
            model.rest().keep(name, Value::read(tree));
        }
    }
}

impl Read for Value {
    fn read(tree: Tree) -> Self {
        tree.into_value()
    }
}

impl Read for String {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Text(text) => text,
            _ => Self::new(),
        }
    }
}

impl Read for bool {
    fn read(tree: Tree) -> Self {
        matches!(tree, Tree::Bool(true))
    }
}

impl Read for i64 {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => number.as_i64().unwrap_or_default(),
            _ => 0,
        }
    }
}

impl Read for f64 {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => number.as_f64().unwrap_or_default(),
            _ => 0.0,
        }
    }
}

impl<T: Read> Read for Option<T> {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Null => None,
            tree => Some(T::read(tree)),
        }
    }
}

impl<T: Read> Read for Box<T> {
    fn read(tree: Tree) -> Self {
        Self::new(T::read(tree))
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Array(items) => items.into_iter().map(T::read).collect(),
            _ => Self::new(),
        }
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
}

impl Read for Scalar {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => Self::Number(number),
            tree => Self::Text(String::read(tree)),
        }
    }
}

impl Read for NumericText {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Number(number) => number.to_string().into(),
            tree => String::read(tree).into(),
        }
    }
}

impl Read for GivenText {
    fn read(tree: Tree) -> Self {
        String::read(tree).into()
    }
}

impl Read for OneOrMany {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Text(one) => Self::One(one),
            tree => Self::Many(Vec::read(tree)),
        }
    }
}

impl<T: Read> Read for Listed<T> {
    fn read(tree: Tree) -> Self {
        match tree {
            Tree::Array(_) => Self::Items(Vec::read(tree)),
            Tree::Text(text) => match serde_json::from_str(&text) {
                Ok(inner @ Tree::Array(_)) => Self::Items(Vec::read(inner)),
                _ => Self::Untouched(Value::String(text)),
            },
            tree => Self::Untouched(Value::read(tree)),
        }
    }
}

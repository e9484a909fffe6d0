//! Models out of a [`Tree`]: the lane of builds that must be small (the browser's module). A model only says which
//! member stands at which place; what fills and asks them is written once. The answers are those of the typed lane.

use crate::extra::Extra;
use crate::shape::Field;
use crate::validate::tree::{Member, Tree};
use crate::value::Value;
use crate::values::{GivenText, Listed, NumericText, OneOrMany, Scalar, Texts};

/// A member of a model, whatever its type, or a model.
pub(crate) trait Slot {
    /// Reads a tree into what is blank. What has another type was reported and replaced before.
    fn fill(&mut self, tree: Tree);

    /// Whether it is not the default.
    fn is_set(&self) -> bool;
}

/// A model, whatever its members.
pub(crate) trait Object {
    /// The member at a place, counted in the order of the model's fields.
    fn slot(&self, place: usize) -> Option<&dyn Slot>;
    fn slot_mut(&mut self, place: usize) -> Option<&mut dyn Slot>;
    fn extra(&self) -> &Extra;
    fn extra_mut(&mut self) -> &mut Extra;
}

/// Fills the members of a model.
#[inline(never)]
pub(crate) fn object(model: &mut dyn Object, fields: &'static [Field], tree: Tree) {
    let Tree::Object(members) = tree else { return };
    let mut unknown = Vec::new();
    for Member { name, value, .. } in members {
        let place = fields.iter().position(|field| field.is_named(&name));
        match place.and_then(|place| model.slot_mut(place)) {
            Some(slot) => slot.fill(value),
            None => unknown.push((name, value.into_value())),
        }
    }
    model.extra_mut().keep_all(unknown);
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

/// Which of the values stands there, else the text.
#[inline(never)]
pub(crate) fn choice(tree: Tree, values: &[&str]) -> (Option<usize>, String) {
    let text = text(tree);
    (values.iter().position(|value| *value == text), text)
}

fn text(tree: Tree) -> String {
    match tree {
        Tree::Text(text) => text,
        _ => String::new(),
    }
}

/// Whether the member with that wire name is set.
#[inline(never)]
pub(crate) fn has(model: &dyn Object, fields: &'static [Field], wire: &str) -> bool {
    let place = fields.iter().position(|field| field.wire == wire);
    place.and_then(|place| model.slot(place)).is_some_and(Slot::is_set)
}

/// Whether no member is set.
#[inline(never)]
pub(crate) fn is_blank(model: &dyn Object) -> bool {
    let mut slots = (0..).map_while(|place| model.slot(place));
    model.extra().is_empty() && !slots.any(Slot::is_set)
}

impl Slot for Value {
    fn fill(&mut self, tree: Tree) {
        *self = tree.into_value();
    }

    fn is_set(&self) -> bool {
        !self.is_null()
    }
}

impl Slot for String {
    fn fill(&mut self, tree: Tree) {
        *self = text(tree);
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

impl Slot for bool {
    fn fill(&mut self, tree: Tree) {
        *self = matches!(tree, Tree::Bool(true));
    }

    fn is_set(&self) -> bool {
        *self
    }
}

impl Slot for i64 {
    fn fill(&mut self, tree: Tree) {
        if let Tree::Number(number) = tree {
            *self = number.as_i64().unwrap_or_default();
        }
    }

    fn is_set(&self) -> bool {
        *self != 0
    }
}

impl Slot for f64 {
    fn fill(&mut self, tree: Tree) {
        if let Tree::Number(number) = tree {
            *self = number.as_f64().unwrap_or_default();
        }
    }

    fn is_set(&self) -> bool {
        self.abs() > 0.0
    }
}

impl<T: Slot + Default> Slot for Option<T> {
    fn fill(&mut self, tree: Tree) {
        if !matches!(tree, Tree::Null) {
            self.insert(T::default()).fill(tree);
        }
    }

    fn is_set(&self) -> bool {
        self.is_some()
    }
}

impl<T: Slot> Slot for Box<T> {
    fn fill(&mut self, tree: Tree) {
        T::fill(self, tree);
    }

    fn is_set(&self) -> bool {
        T::is_set(self)
    }
}

impl<T: Slot + Default> Slot for Vec<T> {
    fn fill(&mut self, tree: Tree) {
        items(tree, &mut |item| {
            let mut element = T::default();
            element.fill(item);
            self.push(element);
        });
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

impl Slot for Texts {
    fn fill(&mut self, tree: Tree) {
        if let Tree::Object(members) = tree {
            for Member { name, value, .. } in members {
                self.add(name, text(value));
            }
        }
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

impl Slot for Scalar {
    fn fill(&mut self, tree: Tree) {
        *self = match tree {
            Tree::Number(number) => Self::Number(number),
            tree => Self::Text(text(tree)),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Text(text) if text.is_empty())
    }
}

impl Slot for NumericText {
    fn fill(&mut self, tree: Tree) {
        *self = match tree {
            Tree::Number(number) => number.to_string().into(),
            tree => text(tree).into(),
        };
    }

    fn is_set(&self) -> bool {
        !self.as_str().is_empty()
    }
}

impl Slot for GivenText {
    fn fill(&mut self, tree: Tree) {
        *self = text(tree).into();
    }

    fn is_set(&self) -> bool {
        self.as_str().is_some()
    }
}

impl Slot for OneOrMany {
    fn fill(&mut self, tree: Tree) {
        *self = match tree {
            Tree::Text(one) => Self::One(one),
            tree => Self::Many(many(tree)),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Many(many) if many.is_empty())
    }
}

impl<T: Slot + Default> Slot for Listed<T> {
    fn fill(&mut self, tree: Tree) {
        *self = match tree {
            Tree::Array(_) => Self::Items(many(tree)),
            Tree::Text(text) => match Tree::parse(&text) {
                Ok(inner @ Tree::Array(_)) => Self::Items(many(inner)),
                _ => Self::Untouched(Value::String(text)),
            },
            tree => Self::Untouched(tree.into_value()),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Items(items) if items.is_empty())
    }
}

fn many<T: Slot + Default>(tree: Tree) -> Vec<T> {
    let mut list = Vec::new();
    list.fill(tree);
    list
}

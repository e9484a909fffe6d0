//! Models out of a [`Tape`](cpaas_scan::Tape): the lane of builds that must be small (the browser's module). A model only says which
//! member stands at which place; what fills and asks them is written once. The answers are those of the typed lane.

use cpaas_scan::{Entry, Mark, Tape, UNSEEN};

use crate::extra::Extra;
use crate::operation::Validate;
use crate::shape::Field;
use crate::value::{Value, number, value};
use crate::values::{GivenText, Listed, NumericText, OneOrMany, Scalar, Texts};

/// A member of a model, whatever its type, or a model.
pub(crate) trait Slot {
    /// Reads a value into what is blank. What has another type was reported and replaced before.
    fn fill(&mut self, entry: Entry<'_>);

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

/// A request, whatever its operation.
pub(crate) trait Request: Validate {
    /// Fills a blank one, whose members these are.
    fn read(&mut self, fields: &'static [Field], entry: Entry<'_>);
}

impl<T: Object + Validate> Request for T {
    fn read(&mut self, fields: &'static [Field], entry: Entry<'_>) {
        object(self, fields, entry);
    }
}

/// Fills the members of a model. Those of a tape that was walked know their places.
#[inline(never)]
pub(crate) fn object(model: &mut dyn Object, fields: &'static [Field], entry: Entry<'_>) {
    let mut unknown = Vec::new();
    for member in entry.children() {
        let place = match member.node().place {
            UNSEEN => fields.iter().position(|field| field.is_named(member.name())).unwrap_or(fields.len()),
            place => place.into(),
        };
        match model.slot_mut(place) {
            Some(slot) => slot.fill(member),
            None => unknown.push((member.name().to_owned(), value(member))),
        }
    }
    model.extra_mut().keep_all(unknown);
}

/// Which of the values stands there, else the text.
#[inline(never)]
pub(crate) fn choice(entry: Entry<'_>, values: &[&str]) -> (Option<usize>, String) {
    let place = values.iter().position(|value| *value == entry.text());
    (place, if place.is_some() { String::new() } else { text(entry) })
}

fn text(entry: Entry<'_>) -> String {
    if entry.mark() == Mark::Text { entry.owned() } else { String::new() }
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
    fn fill(&mut self, entry: Entry<'_>) {
        *self = value(entry);
    }

    fn is_set(&self) -> bool {
        !self.is_null()
    }
}

impl Slot for String {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = text(entry);
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

impl Slot for bool {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = entry.mark() == Mark::True;
    }

    fn is_set(&self) -> bool {
        *self
    }
}

impl Slot for i64 {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = number(entry.text()).and_then(|number| number.as_i64()).unwrap_or_default();
    }

    fn is_set(&self) -> bool {
        *self != 0
    }
}

impl Slot for f64 {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = number(entry.text()).and_then(|number| number.as_f64()).unwrap_or_default();
    }

    fn is_set(&self) -> bool {
        self.abs() > 0.0
    }
}

impl<T: Slot + Default> Slot for Option<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        if entry.mark() != Mark::Null {
            self.insert(T::default()).fill(entry);
        }
    }

    fn is_set(&self) -> bool {
        self.is_some()
    }
}

impl<T: Slot> Slot for Box<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        T::fill(self, entry);
    }

    fn is_set(&self) -> bool {
        T::is_set(self)
    }
}

/// A list of slots, whatever their type.
trait List {
    /// A blank one behind the others.
    fn add(&mut self) -> Option<&mut dyn Slot>;
}

impl<T: Slot + Default> List for Vec<T> {
    fn add(&mut self) -> Option<&mut dyn Slot> {
        self.push(T::default());
        Some(self.last_mut()?)
    }
}

#[inline(never)]
fn list(list: &mut dyn List, entry: Entry<'_>) {
    if entry.mark() == Mark::Array {
        for item in entry.children() {
            if let Some(slot) = list.add() {
                slot.fill(item);
            }
        }
    }
}

impl<T: Slot + Default> Slot for Vec<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        list(self, entry);
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

impl Slot for Texts {
    fn fill(&mut self, entry: Entry<'_>) {
        if entry.mark() == Mark::Object {
            for member in entry.children() {
                self.add(member.name().to_owned(), text(member));
            }
        }
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

#[inline(never)]
fn scalar(entry: Entry<'_>) -> Scalar {
    match number(entry.text()) {
        Some(number) if entry.mark() == Mark::Number => Scalar::Number(number),
        _ => Scalar::Text(text(entry)),
    }
}

impl Slot for Scalar {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = scalar(entry);
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Text(text) if text.is_empty())
    }
}

impl Slot for NumericText {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = match scalar(entry) {
            Scalar::Number(number) => number.text().into(),
            Scalar::Text(text) => text.into(),
        };
    }

    fn is_set(&self) -> bool {
        !self.as_str().is_empty()
    }
}

impl Slot for GivenText {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = text(entry).into();
    }

    fn is_set(&self) -> bool {
        self.as_str().is_some()
    }
}

impl Slot for OneOrMany {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = match entry.mark() {
            Mark::Text => Self::One(entry.owned()),
            _ => Self::Many(many(entry)),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Many(many) if many.is_empty())
    }
}

impl<T: Slot + Default> Slot for Listed<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = match (entry.mark(), Tape::read(entry.text())) {
            (Mark::Array, _) => Self::Items(many(entry)),
            (Mark::Text, Ok(inner)) if inner.node(0).mark == Mark::Array => Self::Items(many(inner.entry(0))),
            _ => Self::Untouched(value(entry)),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Items(items) if items.is_empty())
    }
}

fn many<T: Slot + Default>(entry: Entry<'_>) -> Vec<T> {
    let mut list = Vec::new();
    list.fill(entry);
    list
}

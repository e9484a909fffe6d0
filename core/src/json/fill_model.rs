//! Fills models from a [`Tape`](crate::json::Tape). A model only maps an index to a member; the rest of the code is shared.

use super::{Entry, NOT_LOOKED_UP, Tape, ValueKind};

use super::tape_value::{number, value};
use crate::extra::Extra;
use crate::member_types::{ExplicitString, Listed, NumericText, OneOrMany, Scalar, StringMap};
use crate::model::newtypes::{Code, RequestId};
use crate::model::recipient::{RecipientKind, RecipientText, VisitRecipient};
use crate::problem::{Pointer, Validate};
use crate::schema::{Field, Format, Kind};
use crate::value::Value;

/// A model, or a member of one, without its concrete type.
pub trait FieldMut {
    /// Reads a value into a default value. The walk has already reported and replaced values of invalid types.
    fn fill(&mut self, entry: Entry<'_>);

    /// Whether the value differs from the default.
    fn is_set(&self) -> bool
    where
        Self: Sized;

    /// Passes each string of a string or a list of strings to `visit`, in a list with its index.
    fn texts_mut(&mut self, _visit: &mut dyn FnMut(Option<usize>, &mut String)) {}
}

/// A model, without its concrete type.
pub trait Object {
    /// The members that are set: bit N belongs to the member with the index N, counted in the order of the model's fields.
    fn set_members(&self) -> u64;
    /// The member at an index.
    fn field_mut(&mut self, index: usize) -> Option<&mut dyn FieldMut>;
    fn extra(&self) -> &Extra;
    fn extra_mut(&mut self) -> &mut Extra;
}

/// A request, without its concrete type.
pub trait FillRequest: Validate {
    /// Fills a default request that has these fields.
    fn read(&mut self, fields: &'static [Field], entry: Entry<'_>);

    /// Passes each recipient that may be a phone number to `visit`.
    fn recipients(&mut self, fields: &'static [Field], visit: &mut VisitRecipient<'_>);
}

impl<T: Object + Validate> FillRequest for T {
    fn read(&mut self, fields: &'static [Field], entry: Entry<'_>) {
        object(self, fields, entry);
    }

    fn recipients(&mut self, fields: &'static [Field], visit: &mut VisitRecipient<'_>) {
        recipients(self, fields, visit);
    }
}

fn recipients(model: &mut dyn Object, fields: &'static [Field], visit: &mut VisitRecipient<'_>) {
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.is_phone) {
        if let Some(member) = model.field_mut(index) {
            visit_member(field, member, RecipientKind::Number, visit);
        }
    }
}

/// Passes the recipients in a member to `visit`.
pub(crate) fn visit_member(
    field: &'static Field,
    member: &mut dyn FieldMut,
    kind: RecipientKind,
    visit: &mut VisitRecipient<'_>,
) {
    let root = Pointer::ROOT;
    let at = root.key(field.wire);
    let is_comma_list = field.format == Format::CommaList;
    member.texts_mut(&mut |index, text| {
        let is_list = is_comma_list && (matches!(field.kind, Kind::String) || text.contains(','));
        let at = match index {
            Some(index) => at.index(index),
            None => at,
        };
        visit(RecipientText { at, text, kind, is_list });
    });
}

/// Fills the members of a model; `null` is absent. After a walk, each node contains the index of its member.
pub(crate) fn object(model: &mut dyn Object, fields: &'static [Field], entry: Entry<'_>) {
    let mut unknown = Vec::new();
    for member in entry.children() {
        let index = match member.node().index {
            NOT_LOOKED_UP => {
                fields.iter().position(|field| field.is_named(member.name())).unwrap_or(fields.len())
            }
            index => index.into(),
        };
        match model.field_mut(index) {
            Some(_) if member.kind() == ValueKind::Null => {}
            Some(field) => field.fill(member),
            None => unknown.push((member.name().to_owned(), value(member))),
        }
    }
    model.extra_mut().keep_request_members(unknown);
}

/// The index of a string in `values`, or the string itself if it is not one of them.
pub(crate) fn choice(entry: Entry<'_>, values: &[&str]) -> (Option<usize>, String) {
    let index = values.iter().position(|value| *value == entry.text());
    (index, if index.is_some() { String::new() } else { text(entry) })
}

fn text(entry: Entry<'_>) -> String {
    if entry.kind() == ValueKind::Text { entry.owned() } else { String::new() }
}

/// Whether the member with that wire name is set.
pub(crate) fn has(model: &dyn Object, fields: &'static [Field], wire: &str) -> bool {
    let set = model.set_members();
    fields.iter().enumerate().any(|(index, field)| field.wire == wire && set >> index & 1 == 1)
}

/// Whether no member is set.
pub(crate) fn is_blank(model: &dyn Object) -> bool {
    model.extra().is_empty() && model.set_members() == 0
}

impl FieldMut for Value {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = value(entry);
    }

    fn is_set(&self) -> bool {
        !self.is_null()
    }
}

impl FieldMut for String {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = text(entry);
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn texts_mut(&mut self, visit: &mut dyn FnMut(Option<usize>, &mut String)) {
        visit(None, self);
    }
}

impl FieldMut for RequestId {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = Self::new(text(entry));
    }

    fn is_set(&self) -> bool {
        !self.as_str().is_empty()
    }
}

impl FieldMut for Code {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = Self::new(text(entry));
    }

    fn is_set(&self) -> bool {
        !self.as_str().is_empty()
    }
}

impl FieldMut for bool {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = entry.kind() == ValueKind::True;
    }

    fn is_set(&self) -> bool {
        *self
    }
}

impl FieldMut for i64 {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = number(entry.text()).and_then(|number| number.as_i64()).unwrap_or_default();
    }

    fn is_set(&self) -> bool {
        *self != 0
    }
}

impl FieldMut for f64 {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = number(entry.text()).and_then(|number| number.as_f64()).unwrap_or_default();
    }

    fn is_set(&self) -> bool {
        self.abs() > 0.0
    }
}

impl<T: FieldMut + Default> FieldMut for Option<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        self.get_or_insert_default().fill(entry);
    }

    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn texts_mut(&mut self, visit: &mut dyn FnMut(Option<usize>, &mut String)) {
        if let Some(value) = self {
            value.texts_mut(visit);
        }
    }
}

impl<T: FieldMut> FieldMut for Box<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        T::fill(self, entry);
    }

    fn is_set(&self) -> bool {
        T::is_set(self)
    }
}

/// A list of elements, without their concrete type.
trait List {
    /// Appends a default element.
    fn add(&mut self) -> Option<&mut dyn FieldMut>;
}

impl<T: FieldMut + Default> List for Vec<T> {
    fn add(&mut self) -> Option<&mut dyn FieldMut> {
        self.push(T::default());
        Some(self.last_mut()?)
    }
}

fn list(list: &mut dyn List, entry: Entry<'_>) {
    if entry.kind() == ValueKind::Array {
        for item in entry.children() {
            if let Some(field) = list.add() {
                field.fill(item);
            }
        }
    }
}

impl<T: FieldMut + Default> FieldMut for Vec<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        list(self, entry);
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn texts_mut(&mut self, visit: &mut dyn FnMut(Option<usize>, &mut String)) {
        for (index, item) in self.iter_mut().enumerate() {
            item.texts_mut(&mut |_, text| visit(Some(index), text));
        }
    }
}

impl FieldMut for StringMap {
    fn fill(&mut self, entry: Entry<'_>) {
        if entry.kind() == ValueKind::Object {
            for member in entry.children() {
                self.insert(member.name().to_owned(), text(member));
            }
        }
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}

fn scalar(entry: Entry<'_>) -> Scalar {
    match number(entry.text()) {
        Some(number) if entry.kind() == ValueKind::Number => Scalar::Number(number),
        _ => Scalar::Text(text(entry)),
    }
}

impl FieldMut for Scalar {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = scalar(entry);
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Text(text) if text.is_empty())
    }
}

impl FieldMut for NumericText {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = match scalar(entry) {
            Scalar::Number(number) => number.to_string().into(),
            Scalar::Text(text) => text.into(),
        };
    }

    fn is_set(&self) -> bool {
        !self.as_str().is_empty()
    }
}

impl FieldMut for ExplicitString {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = text(entry).into();
    }

    fn is_set(&self) -> bool {
        self.as_str().is_some()
    }
}

impl FieldMut for OneOrMany {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = match entry.kind() {
            ValueKind::Text => Self::One(entry.owned()),
            _ => Self::Many(many(entry)),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Many(many) if many.is_empty())
    }

    fn texts_mut(&mut self, visit: &mut dyn FnMut(Option<usize>, &mut String)) {
        match self {
            Self::One(one) => one.texts_mut(visit),
            Self::Many(many) => many.texts_mut(visit),
        }
    }
}

impl<T: FieldMut + Default> FieldMut for Listed<T> {
    fn fill(&mut self, entry: Entry<'_>) {
        *self = match (entry.kind(), Tape::read(entry.text())) {
            (ValueKind::Array, _) => Self::Items(many(entry)),
            (ValueKind::Text, Ok(inner)) if inner.node(0).kind == ValueKind::Array => {
                Self::Items(many(inner.entry(0)))
            }
            _ => Self::Untouched(value(entry)),
        };
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Items(items) if items.is_empty())
    }
}

fn many<T: FieldMut + Default>(entry: Entry<'_>) -> Vec<T> {
    let mut list = Vec::new();
    list.fill(entry);
    list
}

//! Members that the specification does not show, and members that stand twice.

use crate::extra::Extra;
use crate::problem::{Code, Fix, Pointer, Problems, codes};
use crate::rules::nearest;
use crate::shape::{Field, Model};

/// Every model's last check: its undocumented members.
#[inline]
pub(crate) fn unknown<M: Model>(model: &M, extra: &Extra, at: &Pointer<'_>, problems: &mut Problems) {
    if !extra.is_empty() {
        report(M::FIELDS, &|name| model.has(name), extra, at, problems, &|_| None);
    }
}

/// The same, with codes of their own for some names.
#[inline]
pub(crate) fn unknown_or<M: Model>(
    model: &M,
    extra: &Extra,
    at: &Pointer<'_>,
    problems: &mut Problems,
    own: &dyn Fn(&str) -> Own,
) {
    if !extra.is_empty() {
        report(M::FIELDS, &|name| model.has(name), extra, at, problems, own);
    }
}

/// The same for an object that is no model of its own.
#[inline]
pub(crate) fn unknown_in(
    fields: &'static [Field],
    has: &dyn Fn(&str) -> bool,
    extra: &Extra,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    if !extra.is_empty() {
        report(fields, has, extra, at, problems, &|_| None);
    }
}

/// What a name of its own stands for: a code, or nothing more to say of it.
pub(crate) type Own = Option<Option<&'static Code>>;

#[inline(never)]
fn report(
    fields: &'static [Field],
    has: &dyn Fn(&str) -> bool,
    extra: &Extra,
    at: &Pointer<'_>,
    problems: &mut Problems,
    own: &dyn Fn(&str) -> Own,
) {
    for (name, _) in extra.unexpected() {
        match own(name) {
            Some(Some(code)) => problems.add(code, &at.key(name)),
            Some(None) => {}
            None if name == "extra" => {
                problems.tell(&codes::MSG_FIELD_TYPE, &at.key(name)).say(&[": an object"]);
            }
            None => one(fields, has, name, &at.key(name), problems),
        }
    }
    let inside = at.key("extra");
    for (name, _) in extra.explicit() {
        if fields.iter().any(|field| field.wire == name) {
            problems.add(&codes::EXTRA_KNOWN_FIELD, &inside.key(name));
        }
    }
}

/// One member that the specification does not show.
pub(crate) fn one(
    fields: &'static [Field],
    has: &dyn Fn(&str) -> bool,
    name: &str,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let wires = fields.iter().map(|field| field.wire);
    let meant = nearest(name, wires).filter(|meant| !has(meant));
    let added = problems.tell(&codes::MSG_FIELD_UNKNOWN, at);
    if let Some(meant) = meant {
        added
            .say(&["; did you mean `", meant, "`?"])
            .param("suggestion", meant)
            .fix(Some(Fix::rename(name, meant)));
    }
}

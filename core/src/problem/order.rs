//! Field order: problems stand in the order of a model's members, which is that of the specification's tables with the
//! required ones first; those of an object before those of its members, members that nobody shows last, by name.

use std::borrow::Cow;

use super::Problem;
use crate::rules::{repeats, scan};
use crate::shape::{Kind, Shape};
use crate::value::{Map, Value};

/// Sorts problems into field order; those at one place keep the order of finding.
pub(crate) fn sort(problems: &mut Vec<Problem>, shape: &'static Shape) {
    if problems.len() < 2 {
        return;
    }
    let ranks = problems.iter().map(|problem| Cow::Owned(rank(&problem.pointer, shape)));
    let mut ranked: Vec<_> = ranks.zip(0..).collect();
    repeats::sort(&mut ranked);
    let mut found: Vec<Option<Problem>> = problems.drain(..).map(Some).collect();
    problems.extend(ranked.iter().filter_map(|(_, at)| found.get_mut(*at)?.take()));
}

/// Whether a pointer is one of these or below one.
pub(crate) fn below_any(pointer: &str, reported: &Map<String, Value>) -> bool {
    let mut head = pointer;
    loop {
        if reported.contains_key(head) {
            return true;
        }
        match scan::cut_last(head, b'/') {
            Some((above, _)) => head = above,
            None => return false,
        }
    }
}

/// A key that sorts as the pointers do: for each step four bytes of its place and, of a member without one, the
/// name with an end mark.
fn rank(pointer: &str, shape: &'static Shape) -> Vec<u8> {
    let mut kind = Some(Kind::Object(shape));
    let mut key = Vec::new();
    for token in pointer.split('/').skip(1) {
        let (at, inner) = step(kind, token);
        let place = u32::try_from(at).unwrap_or(u32::MAX);
        key.extend_from_slice(&place.to_be_bytes());
        if place == u32::MAX {
            key.extend_from_slice(token.as_bytes());
            key.push(0);
        }
        kind = inner;
    }
    key
}

fn step(kind: Option<Kind>, token: &str) -> (usize, Option<Kind>) {
    let unknown = (usize::MAX, None);
    match kind {
        Some(Kind::Object(shape)) => shape
            .fields
            .iter()
            .enumerate()
            .find(|(_, field)| field.wire == token)
            .map_or(unknown, |(at, field)| (at, Some(field.kind))),
        Some(Kind::Array(inner)) => token.parse().map_or(unknown, |at| (at, Some(*inner))),
        _ => unknown,
    }
}

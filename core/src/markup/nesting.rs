//! Resolves overlapping entities before a text is sent.

use super::entity::{Entity, Piece};
use crate::util::sorted;

/// Links, code, emoji, dates and quotations are kept whole. Of two overlapping quotations the first is kept, and
/// likewise of two overlapping entities of the other four kinds; a link, code, emoji or date that crosses the edge of a
/// quotation is removed.
/// Styles that touch are joined, then divided at every edge of a whole entity and at every start of another style;
/// styles inside code and dates are removed.
pub(super) fn fix(entities: &[Entity]) -> Vec<Piece> {
    let (mut quotes, mut whole, mut styles) = (Vec::new(), Vec::new(), Vec::new());
    let (mut quote_end, mut whole_end) = (0, 0);
    for piece in Piece::all(entities) {
        if piece.is_style() {
            styles.push(piece);
            continue;
        }
        let (kept, end) =
            if piece.is_quote() { (&mut quotes, &mut quote_end) } else { (&mut whole, &mut whole_end) };
        if piece.offset() >= *end {
            *end = piece.end();
            kept.push(piece);
        }
    }
    let mut fixed = Vec::with_capacity(entities.len());
    let mut later = quotes.as_slice();
    for piece in whole {
        later = ending_after(later, piece.offset());
        let fits = later.first().is_none_or(|quote| {
            quote.offset() >= piece.end() || (quote.offset() <= piece.offset() && piece.end() <= quote.end())
        });
        if fits {
            fixed.push(piece);
        }
    }
    let whole = fixed.clone();
    fixed.extend_from_slice(&quotes);
    cut_styles(&join(&styles), &whole, &mut fixed);
    fixed
}

/// The pieces that end after an offset; `pieces` are sorted and do not overlap.
fn ending_after(mut pieces: &[Piece], offset: u32) -> &[Piece] {
    while let Some((_, rest)) = pieces.split_first().filter(|(first, _)| first.end() <= offset) {
        pieces = rest;
    }
    pieces
}

/// Adds the remaining parts of the styles to `fixed`; `whole` are sorted and do not overlap.
fn cut_styles(runs: &[Piece], mut whole: &[Piece], fixed: &mut Vec<Piece>) {
    let mut cuts = Vec::new();
    for piece in fixed.iter() {
        cuts.extend_from_slice(&[u64::from(piece.offset()), u64::from(piece.end())]);
    }
    for run in runs {
        cuts.push(run.offset().into());
    }
    let cuts = sorted(cuts);
    let mut first = 0;
    for run in runs {
        let mut from = run.offset();
        while cuts.get(first).is_some_and(|&cut| cut <= u64::from(from)) {
            first += 1;
        }
        let mut next = first;
        whole = ending_after(whole, from);
        let mut inside = whole;
        while from < run.end() {
            let to = cuts.get(next).map_or(run.end(), |&cut| run.end().min(cut as u32));
            inside = ending_after(inside, from);
            let is_free = inside.first().is_none_or(|whole| !whole.is_plain() || whole.offset() > from);
            if to > from && is_free {
                fixed.push(run.moved(from, to));
            }
            from = to;
            next += 1;
        }
    }
}

/// Joins ranges of one style that overlap or touch.
fn join(styles: &[Piece]) -> Vec<Piece> {
    let mut runs: Vec<Piece> = Vec::with_capacity(styles.len());
    let mut last = [usize::MAX; 5];
    for style in styles {
        let Some(run_index) = last.get_mut(usize::from(style.rank()) - 90) else {
            continue;
        };
        match runs.get_mut(*run_index) {
            Some(run) if style.offset() <= run.end() => {
                *run = run.moved(run.offset(), run.end().max(style.end()));
            }
            _ => {
                *run_index = runs.len();
                runs.push(*style);
            }
        }
    }
    runs
}

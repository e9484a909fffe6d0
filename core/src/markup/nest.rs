//! How entities give way to each other before a text is sent.

use super::entity::{Entity, Piece, sort, sorted};

/// Whole entities (links, code, emoji, dates, quotes) may not overlap: of two the first stays, a quote ousts what sticks out
/// of it. Styles are joined where they touch, then cut at every edge of a whole entity and wherever another style
/// begins; inside code and dates none is left.
pub(super) fn fix(entities: &[Entity]) -> Vec<Piece> {
    let mut pieces = Piece::all(entities);
    sort(&mut pieces);
    let quotes = first_wins(&pieces, Piece::is_quote);
    let mut whole = first_wins(&pieces, |piece| !piece.is_quote() && !piece.is_style());
    whole.retain(|piece| fits(piece, &quotes));
    let plain: Vec<Piece> = whole.iter().filter(|piece| piece.is_plain()).copied().collect();
    whole.extend_from_slice(&quotes);
    pieces.retain(Piece::is_style);
    cut_styles(&pieces, &plain, &mut whole);
    sort(&mut whole);
    whole
}

/// Those of one group that do not begin inside of one before.
fn first_wins(pieces: &[Piece], is_meant: fn(&Piece) -> bool) -> Vec<Piece> {
    let mut kept = Vec::new();
    let mut end = 0;
    for piece in pieces {
        if is_meant(piece) && piece.offset >= end {
            end = piece.end();
            kept.push(*piece);
        }
    }
    kept
}

/// Outside of every quote, or inside of one; `quotes` are sorted and apart.
fn fits(piece: &Piece, quotes: &[Piece]) -> bool {
    let from = quotes.partition_point(|quote| quote.end() <= piece.offset);
    quotes.get(from).is_none_or(|quote| {
        quote.offset >= piece.end() || (quote.offset <= piece.offset && piece.end() <= quote.end())
    })
}

/// Adds to `whole` what is left of the styles; `plain` holds the stretches without styles, sorted and apart.
fn cut_styles(styles: &[Piece], plain: &[Piece], whole: &mut Vec<Piece>) {
    let runs = join(styles);
    let mut cuts = Vec::new();
    for piece in whole.iter() {
        cuts.extend_from_slice(&[u64::from(piece.offset), u64::from(piece.end())]);
    }
    for run in &runs {
        cuts.push(run.offset.into());
    }
    let cuts = sorted(cuts);
    for run in runs {
        let mut from = run.offset;
        let mut next = cuts.partition_point(|&cut| cut <= u64::from(from));
        while from < run.end() {
            let to = cuts.get(next).map_or(run.end(), |&cut| run.end().min(cut as u32));
            let inside = plain.partition_point(|plain| plain.end() <= from);
            if to > from && plain.get(inside).is_none_or(|plain| plain.offset > from) {
                whole.push(Piece { offset: from, length: to - from, ..run });
            }
            from = to;
            next += 1;
        }
    }
}

/// Joins stretches of one style that overlap or touch.
fn join(styles: &[Piece]) -> Vec<Piece> {
    let mut runs: Vec<Piece> = Vec::with_capacity(styles.len());
    let mut last = [const { None }; 5];
    for style in styles {
        let Some(slot) = last.get_mut(usize::from(style.priority) - 90) else {
            continue;
        };
        match slot.and_then(|index: usize| runs.get_mut(index)) {
            Some(run) if style.offset <= run.end() => run.length = run.end().max(style.end()) - run.offset,
            _ => {
                *slot = Some(runs.len());
                runs.push(*style);
            }
        }
    }
    runs
}

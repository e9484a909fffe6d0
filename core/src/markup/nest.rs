//! How entities give way to each other before a text is sent.

use super::entity::{Entity, EntityKind, sort, sorted};

/// Whole entities (links, code, emoji, dates, quotes) may not overlap: of two the first stays, a quote ousts what sticks out
/// of it. Styles are joined where they touch, then cut at every edge of a whole entity and wherever another style
/// begins; inside code and dates none is left.
pub(super) fn fix(mut entities: Vec<Entity>) -> Vec<Entity> {
    sort(&mut entities);
    let (mut styles, mut whole, mut quotes) = (Vec::new(), Vec::new(), Vec::new());
    for entity in entities {
        let group = if entity.kind.is_style() {
            &mut styles
        } else if entity.kind.is_quote() {
            &mut quotes
        } else {
            &mut whole
        };
        group.push(entity);
    }
    first_wins(&mut quotes);
    first_wins(&mut whole);
    whole.retain(|entity| fits(entity, &quotes));
    let plain = whole.iter().filter(|entity| entity.kind.is_plain());
    let plain: Vec<(u32, u32)> = plain.map(|entity| (entity.offset, entity.end())).collect();
    whole.append(&mut quotes);
    cut_styles(styles, &plain, &mut whole);
    sort(&mut whole);
    whole
}

fn first_wins(entities: &mut Vec<Entity>) {
    let mut end = 0;
    entities.retain(|entity| {
        let keep = entity.offset >= end;
        if keep {
            end = entity.end();
        }
        keep
    });
}

/// Outside of every quote, or inside of one; `quotes` are sorted and apart.
fn fits(entity: &Entity, quotes: &[Entity]) -> bool {
    let from = quotes.partition_point(|quote| quote.end() <= entity.offset);
    quotes.get(from).is_none_or(|quote| {
        quote.offset >= entity.end() || (quote.offset <= entity.offset && entity.end() <= quote.end())
    })
}

/// Adds to `whole` what is left of the styles; `plain` holds the stretches without styles, sorted and apart.
fn cut_styles(styles: Vec<Entity>, plain: &[(u32, u32)], whole: &mut Vec<Entity>) {
    let runs = join(styles);
    let edges = whole.iter().flat_map(|entity| [entity.offset, entity.end()]);
    let cuts = sorted(edges.chain(runs.iter().map(|run| run.offset)).map(u128::from).collect());
    for run in runs {
        let mut from = run.offset;
        let first = cuts.partition_point(|&cut| cut <= u128::from(from));
        let inner = cuts.iter().skip(first).map(|&cut| cut as u32).take_while(|&cut| cut < run.end());
        for to in inner.chain([run.end()]) {
            let next = plain.partition_point(|&(_, end)| end <= from);
            if to > from && plain.get(next).is_none_or(|&(start, _)| start > from) {
                whole.push(Entity { offset: from, length: to - from, ..run.clone() });
            }
            from = to;
        }
    }
}

/// Joins stretches of one style that overlap or touch.
fn join(styles: Vec<Entity>) -> Vec<Entity> {
    let mut runs: Vec<Entity> = Vec::with_capacity(styles.len());
    let mut last = [const { None }; 5];
    for style in styles {
        let Some(slot) = last.get_mut(slot(&style.kind)) else {
            continue;
        };
        match slot.and_then(|index: usize| runs.get_mut(index)) {
            Some(run) if style.offset <= run.end() => run.length = run.end().max(style.end()) - run.offset,
            _ => {
                *slot = Some(runs.len());
                runs.push(style);
            }
        }
    }
    runs
}

const fn slot(kind: &EntityKind) -> usize {
    kind.priority() as usize - 90
}

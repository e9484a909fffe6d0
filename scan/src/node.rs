//! The nodes of a tape: what stands at a place, and what a walk puts there instead.

use crate::{Mark, Occurs, Span, Tape, UNSEEN};

/// A value, with its name where it is a member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it is.
    pub mark: Mark,
    /// How often its name occurs.
    pub occurs: Occurs,
    /// The place of its name in a table of the walk.
    pub place: u16,
    pub(crate) name: Span,
    /// Its text, or for arrays and objects the places of what is inside.
    pub(crate) inside: Span,
    /// The place of what stands behind it.
    pub next: usize,
}

impl Node {
    pub(crate) const fn new(mark: Mark, name: Span, inside: Span, next: usize) -> Self {
        Self { mark, occurs: Occurs::Once, place: UNSEEN, name, inside, next }
    }
}

/// What stands at no place.
static NOTHING: Node =
    Node::new(Mark::Null, Span { start: 0, end: 0 }, Span { start: 0, end: 0 }, usize::MAX);

impl Tape<'_> {
    /// The value at a place.
    #[must_use]
    pub fn node(&self, place: usize) -> &Node {
        self.nodes.get(place).unwrap_or(&NOTHING)
    }

    /// What the value at a place is.
    #[inline(always)]
    #[must_use]
    pub fn mark(&self, place: usize) -> Mark {
        self.node(place).mark
    }

    /// The place behind the value at a place.
    #[inline(always)]
    #[must_use]
    pub fn next(&self, place: usize) -> usize {
        self.node(place).next
    }

    /// The node at a place, to note something.
    pub fn node_mut(&mut self, place: usize) -> Option<&mut Node> {
        self.nodes.get_mut(place)
    }

    /// A member's name.
    #[must_use]
    pub fn name(&self, place: usize) -> &str {
        self.slice(self.node(place).name)
    }

    /// A string, or a number as it is written.
    #[must_use]
    pub fn text(&self, place: usize) -> &str {
        let node = self.node(place);
        if matches!(node.mark, Mark::Text | Mark::Number) { self.slice(node.inside) } else { "" }
    }

    /// The first place inside an array or an object, and the one behind the last.
    #[must_use]
    pub fn inside(&self, place: usize) -> (usize, usize) {
        let node = self.node(place);
        let is_filled = matches!(node.mark, Mark::Array | Mark::Object);
        if is_filled { (node.inside.start, node.inside.end) } else { (0, 0) }
    }

    /// The value at a place, to be read.
    #[must_use]
    pub const fn entry(&self, place: usize) -> Entry<'_> {
        Entry { tape: self, place }
    }

    /// Puts a value there: a string, or a number as it is written; what has no text, and an empty array or object.
    pub fn put_text(&mut self, place: usize, mark: Mark, text: &str) {
        let span = self.aside(text);
        self.set(place, mark, span);
    }

    /// Puts an object there whose one member is an empty object.
    pub fn put_object_of(&mut self, place: usize, name: &str) {
        let member = self.nodes.len();
        let name = self.aside(name);
        self.nodes.push(Node::new(Mark::Object, name, Span::default(), member + 1));
        self.set(place, Mark::Object, Span { start: member, end: member + 1 });
    }

    /// Puts the array there that the string at this place holds as JSON; `false` when it holds none.
    pub fn put_array_in_text(&mut self, place: usize) -> bool {
        let text = self.text(place).to_owned();
        let Ok(inner) = Tape::read(&text) else { return false };
        let Some(root) = inner.nodes.first().filter(|root| root.mark == Mark::Array) else { return false };
        let nodes = self.nodes.len();
        let texts = self.aside(&text).start;
        self.aside(&inner.side);
        self.nodes.extend(inner.nodes.iter().map(|node| {
            let is_filled = matches!(node.mark, Mark::Array | Mark::Object);
            Node {
                name: node.name.behind(texts),
                inside: node.inside.behind(if is_filled { nodes } else { texts }),
                next: node.next + nodes,
                ..*node
            }
        }));
        self.set(place, Mark::Array, root.inside.behind(nodes));
        true
    }

    /// Puts the value of another place there; the name stays.
    pub fn put_value_of(&mut self, place: usize, other: usize) {
        let Node { mark, inside, .. } = *self.node(other);
        self.set(place, mark, inside);
    }

    #[inline(never)]
    fn set(&mut self, place: usize, mark: Mark, inside: Span) {
        if let Some(node) = self.nodes.get_mut(place) {
            node.mark = mark;
            node.inside = inside;
        }
    }

    /// Keeps a text beside that which was read.
    #[inline(never)]
    fn aside(&mut self, text: &str) -> Span {
        let start = self.text.len() + self.side.len();
        self.side.push_str(text);
        Span { start, end: start + text.len() }
    }

    #[inline(always)]
    fn slice(&self, span: Span) -> &str {
        let length = self.text.len();
        let text = match span.start.checked_sub(length) {
            None => self.text.get(span.start..span.end),
            Some(start) => self.side.get(start..span.end - length),
        };
        text.unwrap_or_default()
    }
}

/// A value of a tape, to be read.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    tape: &'t Tape<'t>,
    place: usize,
}

impl<'t> Entry<'t> {
    /// Its node.
    #[must_use]
    pub fn node(self) -> &'t Node {
        self.tape.node(self.place)
    }

    /// What it is.
    #[must_use]
    pub fn mark(self) -> Mark {
        self.tape.mark(self.place)
    }

    /// Its name, where it is a member.
    #[must_use]
    pub fn name(self) -> &'t str {
        self.tape.name(self.place)
    }

    /// A string, or a number as it is written; else nothing.
    #[must_use]
    pub fn text(self) -> &'t str {
        self.tape.text(self.place)
    }

    /// The text, to be kept.
    #[inline(never)]
    #[must_use]
    pub fn owned(self) -> String {
        self.text().to_owned()
    }

    /// What is in an array, or the members of an object that count.
    #[must_use]
    pub fn children(self) -> Children<'t> {
        let (next, end) = self.tape.inside(self.place);
        Children { tape: self.tape, next, end }
    }
}

/// See [`Entry::children`].
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tape: &'t Tape<'t>,
    next: usize,
    end: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = Entry<'t>;

    #[inline(always)]
    fn next(&mut self) -> Option<Entry<'t>> {
        while self.next < self.end {
            let place = self.next;
            let node = self.tape.node(place);
            self.next = node.next;
            if node.occurs != Occurs::Never {
                return Some(self.tape.entry(place));
            }
        }
        None
    }
}

//! The nodes of a tape: reading the value at an index, and replacing it during a walk.

use super::{NOT_LOOKED_UP, Occurs, Span, Tape, ValueKind};

/// A value of the tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The kind of the value.
    pub(crate) kind: ValueKind,
    /// Whether its name occurs several times.
    pub(crate) occurs: Occurs,
    /// The index of the member in the schema; set by the walk.
    pub(crate) index: u16,
    /// The name, for a member of an object.
    pub(crate) name: Span,
    /// The range of its text; for an array or object, the range of indices of its content.
    pub(crate) inside: Span,
    /// The index of the first node after the value and its content.
    pub(crate) next: usize,
}

impl Node {
    pub(crate) const fn new(kind: ValueKind, name: Span, inside: Span, next: usize) -> Self {
        Self { kind, occurs: Occurs::Once, index: NOT_LOOKED_UP, name, inside, next }
    }
}

/// The node for an index out of range.
static MISSING: Node =
    Node::new(ValueKind::Null, Span { start: 0, end: 0 }, Span { start: 0, end: 0 }, usize::MAX);

impl Tape<'_> {
    /// The node at an index.
    pub(crate) fn node(&self, index: usize) -> &Node {
        self.nodes.get(index).unwrap_or(&MISSING)
    }

    /// The kind of the value at an index.
    pub(crate) fn kind(&self, index: usize) -> ValueKind {
        self.node(index).kind
    }

    /// The index of the first node after the value at an index and its content.
    pub(crate) fn next(&self, index: usize) -> usize {
        self.node(index).next
    }

    /// The node at an index, mutable.
    pub(crate) fn node_mut(&mut self, index: usize) -> Option<&mut Node> {
        self.nodes.get_mut(index)
    }

    /// A member's name.
    pub(crate) fn name(&self, index: usize) -> &str {
        self.slice(self.node(index).name)
    }

    /// The text of a string, or of a number as written; otherwise empty.
    pub(crate) fn text(&self, index: usize) -> &str {
        let node = self.node(index);
        if matches!(node.kind, ValueKind::Text | ValueKind::Number) { self.slice(node.inside) } else { "" }
    }

    /// The range of indices inside an array or object: its start and its end.
    pub(crate) fn inside(&self, index: usize) -> (usize, usize) {
        let node = self.node(index);
        let is_filled = matches!(node.kind, ValueKind::Array | ValueKind::Object);
        if is_filled { (node.inside.start, node.inside.end) } else { (0, 0) }
    }

    /// A read-only view of the value at an index.
    pub(crate) const fn entry(&self, index: usize) -> Entry<'_> {
        Entry { tape: self, index }
    }

    /// Replaces a value by another kind with this text. An array or object becomes empty.
    pub(crate) fn put_text(&mut self, index: usize, kind: ValueKind, text: &str) {
        let span = self.append(text);
        self.set(index, kind, span);
    }

    /// Replaces a value by an object whose only member is an empty object.
    pub(crate) fn put_object_of(&mut self, index: usize, name: &str) {
        let member = self.nodes.len();
        let name = self.append(name);
        self.nodes.push(Node::new(ValueKind::Object, name, Span::default(), member + 1));
        self.set(index, ValueKind::Object, Span { start: member, end: member + 1 });
    }

    /// Replaces the string at this index by the JSON array that it contains; any other string stays.
    pub(crate) fn put_array_in_text(&mut self, index: usize) {
        let text = self.text(index).to_owned();
        let Ok(inner) = Tape::read(&text) else { return };
        let Some(root) = inner.nodes.first().filter(|root| root.kind == ValueKind::Array) else { return };
        let nodes = self.nodes.len();
        let texts = self.append(&text).start;
        self.append(&inner.decoded_text);
        self.nodes.extend(inner.nodes.iter().map(|node| {
            let is_filled = matches!(node.kind, ValueKind::Array | ValueKind::Object);
            Node {
                name: node.name.moved_by(texts),
                inside: node.inside.moved_by(if is_filled { nodes } else { texts }),
                next: node.next + nodes,
                ..*node
            }
        }));
        self.set(index, ValueKind::Array, root.inside.moved_by(nodes));
    }

    /// Replaces a value by the value at `other`; the name stays.
    pub(crate) fn put_value_of(&mut self, index: usize, other: usize) {
        let Node { kind, inside, .. } = *self.node(other);
        self.set(index, kind, inside);
    }

    fn set(&mut self, index: usize, kind: ValueKind, inside: Span) {
        if let Some(node) = self.nodes.get_mut(index) {
            node.kind = kind;
            node.inside = inside;
        }
    }

    /// Appends text to `decoded_text` and returns its range.
    fn append(&mut self, text: &str) -> Span {
        let start = self.text.len() + self.decoded_text.len();
        self.decoded_text.push_str(text);
        Span { start, end: start + text.len() }
    }

    #[inline(always)]
    fn slice(&self, span: Span) -> &str {
        let length = self.text.len();
        let text = match span.start.checked_sub(length) {
            None => self.text.get(span.start..span.end),
            Some(start) => self.decoded_text.get(start..span.end - length),
        };
        text.unwrap_or_default()
    }
}

/// A read-only view of a value of a tape.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    tape: &'t Tape<'t>,
    index: usize,
}

impl<'t> Entry<'t> {
    /// The node.
    pub(crate) fn node(self) -> &'t Node {
        self.tape.node(self.index)
    }

    /// The kind of the value.
    pub(crate) fn kind(self) -> ValueKind {
        self.tape.kind(self.index)
    }

    /// The name, if the value is a member of an object.
    pub(crate) fn name(self) -> &'t str {
        self.tape.name(self.index)
    }

    /// The text of a string, or of a number as written; otherwise empty.
    pub(crate) fn text(self) -> &'t str {
        self.tape.text(self.index)
    }

    /// The text as an owned string.
    pub(crate) fn owned(self) -> String {
        self.text().to_owned()
    }

    /// The elements of an array, or the members of an object that are not ignored.
    pub(crate) fn children(self) -> Children<'t> {
        let (next, end) = self.tape.inside(self.index);
        Children { tape: self.tape, next, end }
    }
}

/// See [`Entry::children`].
#[derive(Clone, Debug)]
pub(crate) struct Children<'t> {
    tape: &'t Tape<'t>,
    next: usize,
    end: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = Entry<'t>;

    fn next(&mut self) -> Option<Entry<'t>> {
        while self.next < self.end {
            let index = self.next;
            let node = self.tape.node(index);
            self.next = node.next;
            if node.occurs != Occurs::Ignored {
                return Some(self.tape.entry(index));
            }
        }
        None
    }
}

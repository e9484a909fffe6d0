//! Values out of a text, in one pass.

use crate::node::Node;
use crate::{Fault, Mark, Span, Tape};

/// How deep arrays and objects may stand in each other.
const DEPTH: usize = 127;

pub(crate) struct Reader<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) side: String,
    nodes: Vec<Node>,
    depth: usize,
}

pub(crate) fn read(text: &str) -> Result<Tape<'_>, Fault> {
    let mut reader = Reader::new(text);
    // A request has a value in about thirty bytes.
    reader.nodes.reserve(text.len() / 32 + 4);
    reader.value(Span::default())?;
    match reader.behind_space() {
        None => Ok(Tape { text, side: reader.side, nodes: reader.nodes }),
        Some(_) => Err(reader.there()),
    }
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, side: String::new(), nodes: Vec::new(), depth: 0 }
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// The fault behind what was read.
    #[cold]
    #[inline(never)]
    pub(crate) fn here(&self) -> Fault {
        let head = self.text.as_bytes().get(..self.at).unwrap_or(self.text.as_bytes());
        let start = head.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + head.iter().filter(|byte| **byte == b'\n').count();
        Fault { line, column: head.len() - start }
    }

    /// The fault in the byte that comes.
    #[cold]
    #[inline(never)]
    pub(crate) fn there(&mut self) -> Fault {
        self.at += 1;
        self.here()
    }

    #[inline(always)]
    fn behind_space(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    fn value(&mut self, name: Span) -> Result<(), Fault> {
        let first = self.behind_space();
        let (mark, inside) = match first {
            Some(b'"') => {
                self.at += 1;
                (Mark::Text, self.string()?)
            }
            Some(b'{') => return self.filled(Mark::Object, name, Self::object),
            Some(b'[') => return self.filled(Mark::Array, name, Self::array),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                self.number()?;
                (Mark::Number, Span { start, end: self.at })
            }
            Some(b'n') => (Mark::Null, self.word(b"null")?),
            Some(b't') => (Mark::True, self.word(b"true")?),
            Some(b'f') => (Mark::False, self.word(b"false")?),
            _ => return Err(self.there()),
        };
        self.nodes.push(Node::new(mark, name, inside, self.nodes.len() + 1));
        Ok(())
    }

    #[inline(always)]
    fn filled(
        &mut self,
        mark: Mark,
        name: Span,
        read: fn(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.there());
        }
        self.at += 1;
        let place = self.nodes.len();
        self.nodes.push(Node::new(mark, name, Span::default(), 0));
        read(self)?;
        self.depth -= 1;
        let end = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(place) {
            node.inside = Span { start: place + 1, end };
            node.next = end;
        }
        Ok(())
    }

    #[cold]
    fn word(&mut self, word: &[u8]) -> Result<Span, Fault> {
        self.at += 1;
        for expected in word.iter().skip(1) {
            if self.next() != Some(*expected) {
                return Err(self.here());
            }
        }
        Ok(Span::default())
    }

    /// Whether another element comes; what it starts with is next.
    #[inline(always)]
    fn more(&mut self, is_first: bool, end: u8) -> Result<bool, Fault> {
        match self.behind_space() {
            Some(mark) if mark == end => {
                self.at += 1;
                Ok(false)
            }
            Some(b',') if !is_first => {
                self.at += 1;
                match self.behind_space() {
                    Some(mark) if mark != end => Ok(true),
                    _ => Err(self.there()),
                }
            }
            Some(_) if is_first => Ok(true),
            _ => Err(self.there()),
        }
    }

    fn array(&mut self) -> Result<(), Fault> {
        let mut is_first = true;
        while self.more(is_first, b']')? {
            is_first = false;
            self.value(Span::default())?;
        }
        Ok(())
    }

    fn object(&mut self) -> Result<(), Fault> {
        let mut is_first = true;
        while self.more(is_first, b'}')? {
            is_first = false;
            if self.peek() != Some(b'"') {
                return Err(self.there());
            }
            self.at += 1;
            let name = self.string()?;
            if self.behind_space() != Some(b':') {
                return Err(self.there());
            }
            self.at += 1;
            self.value(name)?;
        }
        Ok(())
    }
}

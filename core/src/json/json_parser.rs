//! The JSON parser, which builds a tape in one pass over the text.

use super::tape::Node;
use super::{ErrorKind, ParseError, Span, Tape, ValueKind};

/// The result of a part of the parser; an error is at the position of the parser.
pub(crate) type ParseResult<T> = Result<T, ErrorKind>;

/// The maximum depth of arrays and objects.
pub(crate) const DEPTH: usize = 127;

pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) decoded_text: String,
    nodes: Vec<Node>,
    depth: usize,
}

pub(crate) fn read(text: &str) -> Result<Tape<'_>, ParseError> {
    let mut parser = Parser::new(text);
    // Requests have about one value in thirty bytes.
    parser.nodes.reserve(text.len() / 32 + 4);
    match parser.document() {
        Ok(()) => Ok(Tape { text, decoded_text: parser.decoded_text, nodes: parser.nodes }),
        Err(kind) => Err(parser.error(kind)),
    }
}

impl<'a> Parser<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, decoded_text: String::new(), nodes: Vec::new(), depth: 0 }
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// The line and column of an error at the position of the parser.
    fn error(&self, kind: ErrorKind) -> ParseError {
        let (mut line, mut column) = (1, 0);
        for byte in self.text.bytes().take(self.at) {
            column += 1;
            if byte == b'\n' {
                (line, column) = (line + 1, 0);
            }
        }
        ParseError { kind, line, column }
    }

    /// Returns an error at the next byte.
    pub(crate) fn error_at_next_byte<T>(&mut self) -> ParseResult<T> {
        self.at += 1;
        Err(ErrorKind::Syntax)
    }

    fn document(&mut self) -> ParseResult<()> {
        self.value(Span::default())?;
        if self.skip_whitespace().is_some() { self.error_at_next_byte() } else { Ok(()) }
    }

    #[inline(always)]
    fn skip_whitespace(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    fn value(&mut self, name: Span) -> ParseResult<()> {
        let first = self.skip_whitespace();
        let start = self.at;
        self.at += 1;
        let (kind, inside) = match first {
            Some(b'"') => (ValueKind::Text, self.string()?),
            Some(b'{') => (ValueKind::Object, Span::default()),
            Some(b'[') => (ValueKind::Array, Span::default()),
            Some(b'-' | b'0'..=b'9') => {
                self.at = start;
                self.number()?;
                (ValueKind::Number, Span { start, end: self.at })
            }
            Some(b'n') => (ValueKind::Null, self.literal(b"ull")?),
            Some(b't') => (ValueKind::True, self.literal(b"rue")?),
            Some(b'f') => (ValueKind::False, self.literal(b"alse")?),
            _ => return Err(ErrorKind::Syntax),
        };
        let index = self.nodes.len();
        self.nodes.push(Node::new(kind, name, inside, index + 1));
        match kind {
            ValueKind::Object | ValueKind::Array => {
                self.inside(index, if kind == ValueKind::Array { b']' } else { b'}' })
            }
            _ => Ok(()),
        }
    }

    /// Parses the content of an array or object, up to its closing bracket.
    fn inside(&mut self, index: usize, end: u8) -> ParseResult<()> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(ErrorKind::TooDeep);
        }
        let mut is_first = true;
        loop {
            match self.skip_whitespace() {
                Some(kind) if kind == end => break,
                Some(b',') if !is_first => self.at += 1,
                _ if is_first => {}
                _ => return self.error_at_next_byte(),
            }
            is_first = false;
            let name = if end == b'}' { self.name()? } else { Span::default() };
            self.value(name)?;
        }
        self.at += 1;
        self.depth -= 1;
        let end = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(index) {
            node.inside = Span { start: index + 1, end };
            node.next = end;
        }
        Ok(())
    }

    fn name(&mut self) -> ParseResult<Span> {
        if self.skip_whitespace() != Some(b'"') {
            return self.error_at_next_byte();
        }
        self.at += 1;
        let name = self.string()?;
        if self.skip_whitespace() != Some(b':') {
            return self.error_at_next_byte();
        }
        self.at += 1;
        Ok(name)
    }

    fn literal(&mut self, rest: &[u8]) -> ParseResult<Span> {
        for expected in rest {
            if self.next() != Some(*expected) {
                return Err(ErrorKind::Syntax);
            }
        }
        Ok(Span::default())
    }
}

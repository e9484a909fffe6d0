//! JSON out of a text, in one pass. Faults stand where `serde_json` finds them.

use crate::validate::tree::{Member, Tree};

/// Where a text stops being JSON; both count from one, columns in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// How deep arrays and objects may stand in each other.
const DEPTH: usize = 127;

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
}

/// Reads a text that is one JSON value.
pub(crate) fn read(text: &str) -> Result<Tree, Fault> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let tree = reader.value()?;
    match reader.behind_space() {
        None => Ok(tree),
        Some(_) => Err(reader.there()),
    }
}

impl Reader<'_> {
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// The fault behind what was read.
    #[cold]
    #[inline(never)]
    pub(super) fn here(&self) -> Fault {
        let head = self.text.as_bytes().get(..self.at).unwrap_or(self.text.as_bytes());
        let start = head.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + head.iter().filter(|byte| **byte == b'\n').count();
        Fault { line, column: head.len() - start }
    }

    /// The fault in the byte that comes.
    #[cold]
    #[inline(never)]
    pub(super) fn there(&mut self) -> Fault {
        self.at += 1;
        self.here()
    }

    #[inline(never)]
    fn behind_space(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    fn value(&mut self) -> Result<Tree, Fault> {
        match self.behind_space() {
            Some(b'n') => self.word("null", Tree::Null),
            Some(b't') => self.word("true", Tree::Bool(true)),
            Some(b'f') => self.word("false", Tree::Bool(false)),
            Some(b'-' | b'0'..=b'9') => Ok(Tree::Number(self.number()?)),
            Some(b'"') => {
                self.at += 1;
                Ok(Tree::Text(self.string()?))
            }
            Some(mark @ (b'[' | b'{')) => {
                self.depth += 1;
                if self.depth > DEPTH {
                    return Err(self.there());
                }
                self.at += 1;
                let tree = if mark == b'[' { self.array() } else { self.object() };
                self.depth -= 1;
                tree
            }
            _ => Err(self.there()),
        }
    }

    fn word(&mut self, word: &str, tree: Tree) -> Result<Tree, Fault> {
        self.at += 1;
        for expected in word.bytes().skip(1) {
            if self.next() != Some(expected) {
                return Err(self.here());
            }
        }
        Ok(tree)
    }

    /// Whether another element comes; what it starts with is next.
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

    fn array(&mut self) -> Result<Tree, Fault> {
        let mut items = Vec::new();
        while self.more(items.is_empty(), b']')? {
            items.push(self.value()?);
        }
        Ok(Tree::Array(items))
    }

    fn object(&mut self) -> Result<Tree, Fault> {
        let mut members: Vec<Member> = Vec::new();
        while self.more(members.is_empty(), b'}')? {
            let name = match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    self.string()?
                }
                _ => return Err(self.there()),
            };
            match self.behind_space() {
                Some(b':') => self.at += 1,
                _ => return Err(self.there()),
            }
            let value = self.value()?;
            members.push(Member::new(name, value));
        }
        Ok(Tree::Object(members))
    }
}

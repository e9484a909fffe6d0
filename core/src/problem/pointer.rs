//! JSON pointers (RFC 6901).

use std::fmt;

/// A JSON pointer into a request, written as text only for a problem.
#[derive(Clone, Copy)]
pub struct Pointer<'a> {
    parent: Option<&'a Pointer<'a>>,
    token: Token<'a>,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl Pointer<'static> {
    /// The whole request: the empty string.
    pub const ROOT: Self = Self { parent: None, token: Token::Root };
}

impl<'a> Pointer<'a> {
    /// A member of this object.
    #[must_use]
    pub const fn key(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), token: Token::Key(name) }
    }

    /// An element of this array.
    #[must_use]
    pub const fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), token: Token::Index(index) }
    }
}

impl fmt::Debug for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pointer({:?})", self.text())
    }
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Pointer<'_> {
    /// The pointer as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(text);
        }
        match self.token {
            Token::Root => {}
            Token::Index(index) => {
                text.push('/');
                text.push_str(&index.to_string());
            }
            Token::Key(name) => {
                text.push('/');
                for character in name.chars() {
                    match character {
                        '~' => text.push_str("~0"),
                        '/' => text.push_str("~1"),
                        plain => text.push(plain),
                    }
                }
            }
        }
    }
}

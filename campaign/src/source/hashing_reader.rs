//! A reader that computes the SHA-256 of the bytes that are read.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Hashes everything that is read through it.
pub(super) struct HashingReader<R> {
    inner: R,
    hash: Sha256,
    at_end: bool,
}

impl<R: Read> HashingReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, hash: Sha256::new(), at_end: false }
    }

    /// The digest, after the end was reached.
    pub(super) fn digest(&self) -> Option<String> {
        self.at_end.then(|| crate::chunk::hex(&self.hash.clone().finalize()))
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(buffer.get(..count).unwrap_or_default());
        self.at_end |= count == 0 && !buffer.is_empty();
        Ok(count)
    }
}

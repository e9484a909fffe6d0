//! A reader that computes the SHA-256 of the bytes that are read.

use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

/// The digest of a file in hexadecimal, once its end was reached.
pub(super) type FileDigest = Arc<OnceLock<String>>;

/// Hashes everything that is read through it.
pub(super) struct HashingReader<R> {
    inner: R,
    hash: Sha256,
    digest: FileDigest,
}

impl<R: Read> HashingReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, hash: Sha256::new(), digest: FileDigest::default() }
    }

    /// The digest, which is set when the end is reached.
    pub(super) fn digest(&self) -> FileDigest {
        self.digest.clone()
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(buffer.get(..count).unwrap_or_default());
        if count == 0 && !buffer.is_empty() {
            self.digest.get_or_init(|| crate::hexadecimal::hex(&self.hash.clone().finalize()));
        }
        Ok(count)
    }
}

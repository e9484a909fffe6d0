//! The body of an answer, put together as it comes: what is cut off is kept as far as it came.

use super::connection::Connection;
use super::head::{self, Length};
use crate::error::Reason;

/// The longest line between chunks, extensions included.
const LONGEST_LINE: usize = 4096;
/// So many headers may follow the last chunk.
const MOST_TRAILERS: usize = 100;

impl Connection {
    pub(super) async fn body(&mut self, length: Length, body: &mut Vec<u8>) -> Result<(), Reason> {
        match length {
            Length::Exact(length) => self.exactly(length, body).await,
            Length::Chunked => self.chunks(body).await,
            Length::UntilClose => self.rest(body).await,
        }
    }

    async fn exactly(&mut self, length: u64, body: &mut Vec<u8>) -> Result<(), Reason> {
        let mut left = length;
        loop {
            let count = usize::try_from(left).unwrap_or(usize::MAX).min(self.buffer.len());
            body.extend_from_slice(self.buffer.get(..count).unwrap_or_default());
            self.buffer.drain(..count);
            left -= count as u64;
            if left == 0 {
                return Ok(());
            }
            self.more().await?;
        }
    }

    async fn rest(&mut self, body: &mut Vec<u8>) -> Result<(), Reason> {
        loop {
            body.append(&mut self.buffer);
            if self.fill().await? == 0 {
                return Ok(());
            }
        }
    }

    async fn chunks(&mut self, body: &mut Vec<u8>) -> Result<(), Reason> {
        loop {
            let size = size(&self.line().await?).ok_or(Reason::Reset)?;
            if size == 0 {
                return self.trailers().await;
            }
            self.exactly(size, body).await?;
            if !self.line().await?.is_empty() {
                return Err(Reason::Reset);
            }
        }
    }

    /// Headers behind the last chunk: they are only checked.
    async fn trailers(&mut self) -> Result<(), Reason> {
        let mut block = Vec::new();
        loop {
            let line = self.line().await?;
            block.extend([line.as_slice(), b"\r\n"].concat());
            if block.len() > head::LONGEST {
                return Err(Reason::Reset);
            }
            if line.is_empty() {
                let mut headers = [httparse::EMPTY_HEADER; MOST_TRAILERS];
                return httparse::parse_headers(&block, &mut headers).map(drop).map_err(|_| Reason::Reset);
            }
        }
    }

    /// The next line, without the CR LF that ends it.
    async fn line(&mut self) -> Result<Vec<u8>, Reason> {
        let mut seen = 0;
        loop {
            let new = self.buffer.get(seen..).unwrap_or_default();
            if let Some(at) = new.iter().position(|byte| *byte == b'\n') {
                let mut line: Vec<u8> = self.buffer.drain(..=seen + at).collect();
                line.pop();
                let is_right = line.pop() == Some(b'\r') && !line.contains(&b'\r');
                return if is_right { Ok(line) } else { Err(Reason::Reset) };
            }
            seen = self.buffer.len();
            if seen > LONGEST_LINE {
                return Err(Reason::Reset);
            }
            self.more().await?;
        }
    }

    async fn more(&mut self) -> Result<(), Reason> {
        if self.fill().await? == 0 { Err(Reason::Reset) } else { Ok(()) }
    }
}

/// The size of a chunk; what stands behind a semicolon is an extension.
fn size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii_end();
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_of_chunks() {
        for (line, expected) in
            [("0", Some(0)), ("1f;x=y", Some(31)), ("A \t", Some(10)), ("ffffffffffffffff", Some(u64::MAX))]
        {
            assert_eq!(size(line.as_bytes()), expected, "{line}");
        }
        for wrong in ["", ";", "+1", "-1", "0x1", "g", " 1", "10000000000000000"] {
            assert_eq!(size(wrong.as_bytes()), None, "{wrong}");
        }
    }
}

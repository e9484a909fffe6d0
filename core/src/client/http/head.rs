//! The head of an answer: status, headers, and how long its body is.

use std::mem::MaybeUninit;

use httparse::{Header, ParserConfig, Response, Status};

use crate::http::HttpResponse;

/// The head of an answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Head {
    pub(crate) response: HttpResponse,
    pub(crate) length: Length,
    /// Whether the connection may carry another request.
    pub(crate) keeps: bool,
}

/// How the body of an answer ends.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(crate) enum Length {
    Exact(u64),
    Chunked,
    UntilClose,
}

/// The bytes are no HTTP.
#[derive(Debug, PartialEq)]
pub(crate) struct NoHttp;

/// More is no head.
pub(crate) const LONGEST: usize = 1 << 16;
const MOST_HEADERS: usize = 100;

/// Reads a head and says where it ends; none while it is not whole.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<(Head, usize)>, NoHttp> {
    let mut space = [const { MaybeUninit::<Header<'_>>::uninit() }; MOST_HEADERS];
    let mut parsed = Response::new(&mut []);
    let status = ParserConfig::default().parse_response_with_uninit_headers(&mut parsed, bytes, &mut space);
    let end = match status.map_err(|_| NoHttp)? {
        Status::Partial if bytes.len() > LONGEST => return Err(NoHttp),
        Status::Partial => return Ok(None),
        Status::Complete(end) => end,
    };
    let code = parsed.code.filter(|code| *code >= 100).ok_or(NoHttp)?;
    let is_old = parsed.version != Some(1);
    let length = length(code, is_old, parsed.headers)?;
    let keeps = keeps(is_old, parsed.headers) && length != Length::UntilClose && code != 101;
    let keeps =
        keeps && !(length == Length::Chunked && all(parsed.headers, "content-length").next().is_some());
    let headers = parsed.headers.iter().map(|header| (header.name.to_ascii_lowercase(), text(header.value)));
    let response = HttpResponse::new(code, headers.collect(), Vec::new());
    Ok(Some((Head { response, length, keeps }, end)))
}

fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

fn length(code: u16, is_old: bool, headers: &[Header<'_>]) -> Result<Length, NoHttp> {
    if matches!(code, 100..=199 | 204 | 304) {
        return Ok(Length::Exact(0));
    }
    if let Some(coding) = tokens(headers, "transfer-encoding").last() {
        return match is_old {
            true => Err(NoHttp),
            false if coding.eq_ignore_ascii_case(b"chunked") => Ok(Length::Chunked),
            false => Ok(Length::UntilClose),
        };
    }
    let mut length = None;
    for token in tokens(headers, "content-length") {
        let told = number(token).ok_or(NoHttp)?;
        if length.is_some_and(|length| length != told) {
            return Err(NoHttp);
        }
        length = Some(told);
    }
    Ok(length.map_or(Length::UntilClose, Length::Exact))
}

fn number(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn keeps(is_old: bool, headers: &[Header<'_>]) -> bool {
    let says =
        |word: &str| tokens(headers, "connection").any(|token| token.eq_ignore_ascii_case(word.as_bytes()));
    !says("close") && (!is_old || says("keep-alive"))
}

fn all<'a>(headers: &'a [Header<'a>], name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

/// The members of the lists in all headers of a name.
fn tokens<'a>(headers: &'a [Header<'a>], name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    all(headers, name).flat_map(|value| value.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Head {
        let (head, end) = read(text.as_bytes()).unwrap().unwrap();
        assert_eq!(end, text.len());
        head
    }

    fn of(headers: &str) -> (Length, bool) {
        let head = whole(&format!("HTTP/1.1 200 OK\r\n{headers}\r\n"));
        (head.length, head.keeps)
    }

    #[test]
    fn status_and_headers() {
        let head = whole(
            "HTTP/1.1 503 busy\r\nRetry-After:  5 \r\nX-\r\nx: \u{e9}\r\n\r\n".replace("X-\r\n", "").as_str(),
        );
        assert_eq!(head.response.status, 503);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(head.response.headers, [pair("retry-after", "5"), pair("x", "é")]);
        let (head, _) = read(b"HTTP/1.1 200\r\nx: \xff\r\n\r\n").unwrap().unwrap();
        assert_eq!(head.response.header("x"), Some("\u{fffd}"));
    }

    #[test]
    fn how_the_body_ends() {
        assert_eq!(of("content-length: 5\r\n"), (Length::Exact(5), true));
        assert_eq!(of("Content-Length: 5\r\ncontent-length: 5, 5\r\n"), (Length::Exact(5), true));
        assert_eq!(of("transfer-encoding: gzip, Chunked\r\n"), (Length::Chunked, true));
        assert_eq!(of("transfer-encoding: chunked\r\ncontent-length: 5\r\n"), (Length::Chunked, false));
        assert_eq!(of("transfer-encoding: chunked, gzip\r\n"), (Length::UntilClose, false));
        assert_eq!(of(""), (Length::UntilClose, false));
        assert_eq!(of("connection: close\r\ncontent-length: 0\r\n"), (Length::Exact(0), false));
        for bare in [
            "HTTP/1.1 204 x\r\n\r\n",
            "HTTP/1.1 304 x\r\ncontent-length: 5\r\n\r\n",
            "HTTP/1.1 100 x\r\n\r\n",
        ] {
            assert_eq!(whole(bare).length, Length::Exact(0), "{bare}");
        }
    }

    #[test]
    fn an_older_server_closes_unless_it_says_otherwise() {
        let keeps =
            |headers: &str| whole(&format!("HTTP/1.0 200 OK\r\ncontent-length: 1\r\n{headers}\r\n")).keeps;
        assert!(!keeps(""));
        assert!(keeps("connection: x, Keep-Alive\r\n"));
        assert!(!keeps("connection: keep-alive, close\r\n"));
    }

    #[test]
    fn what_is_no_http() {
        for wrong in [
            "nothing like it\r\n\r\n",
            "HTTP/2 200 OK\r\n\r\n",
            "HTTP/1.1 2x0 OK\r\n\r\n",
            "HTTP/1.1 099 x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: \r\n\r\n",
            "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        ] {
            assert_eq!(read(wrong.as_bytes()), Err(NoHttp), "{wrong}");
        }
        let long = format!("HTTP/1.1 200 OK\r\nx: {}", "y".repeat(LONGEST));
        assert_eq!(read(long.as_bytes()), Err(NoHttp));
        let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(MOST_HEADERS + 1));
        assert_eq!(read(many.as_bytes()), Err(NoHttp));
    }

    #[test]
    fn what_is_not_whole_is_waited_for() {
        let bytes = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n";
        for end in 0..bytes.len() {
            assert_eq!(read(&bytes[..end]), Ok(None), "{end}");
        }
    }
}

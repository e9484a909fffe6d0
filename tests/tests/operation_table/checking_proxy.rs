//! A proxy that checks every response against the OpenAPI document, or adds an undocumented member to every object in it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use cpaas_tests::openapi::{self, Response};
use serde_json::{Value, json};

/// The added member, as JSON text.
pub(crate) const INVENTED: &str = r#""invented":{"deep":[1]}"#;

/// Starts the proxy in front of `url`; it ends with the process.
pub(crate) fn before(url: &str, inventive: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let behind = url.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, behind) = (stream.unwrap(), behind.clone());
            std::thread::spawn(move || carry(stream, TcpStream::connect(behind).unwrap(), inventive));
        }
    });
    format!("http://{address}")
}

fn carry(mut front: TcpStream, mut behind: TcpStream, inventive: bool) -> Option<()> {
    loop {
        let (request, body) = message(&mut front)?;
        behind.write_all(&[request.as_bytes(), &body].concat()).ok()?;
        let (head, mut body) = message(&mut behind)?;
        if inventive {
            body = invent(&body);
        } else {
            hold(&request, &head, &body);
        }
        let lines = head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("content-length"));
        let mut head: String =
            lines.take_while(|line| !line.is_empty()).flat_map(|line| [line, "\r\n"]).collect();
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        front.write_all(&[head.as_bytes(), &body].concat()).ok()?;
    }
}

/// Closes the connection, which fails the test, if the document does not allow the response.
fn hold(request: &str, head: &str, body: &[u8]) {
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = std::str::from_utf8(body).unwrap();
    let answer = Response { status, content_type: header(head, "content-type").unwrap_or(""), body };
    openapi::check(method, target, &answer).unwrap();
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = head.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn message(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let length = header(&head, "content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((head, body))
}

fn invent(body: &[u8]) -> Vec<u8> {
    let Ok(mut answer) = serde_json::from_slice(body) else { return body.to_vec() };
    match &mut answer {
        Value::Array(items) => items.iter_mut().for_each(add),
        one => add(one),
    }
    answer.to_string().into_bytes()
}

fn add(place: &mut Value) {
    if let Some(members) = place.as_object_mut() {
        members.insert("invented".to_owned(), json!({"deep": [1]}));
    }
}

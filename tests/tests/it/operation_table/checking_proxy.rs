//! A proxy that checks every response against the OpenAPI document, or adds an undocumented member to every object of the response.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use cpaas_tests::openapi_check::{self, Response};
use serde_json::{Value, json};

/// The added member, as JSON text.
pub(crate) const ADDED_MEMBER: &str = r#""invented":{"deep":[1]}"#;

/// Starts the proxy in front of `url`; it ends with the process.
pub(crate) fn start(url: &str, adds_members: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let behind = url.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, behind) = (stream.unwrap(), behind.clone());
            std::thread::spawn(move || forward(stream, TcpStream::connect(behind).unwrap(), adds_members));
        }
    });
    format!("http://{address}")
}

fn forward(mut front: TcpStream, mut behind: TcpStream, adds_members: bool) -> Option<()> {
    loop {
        let (request, body) = message(&mut front)?;
        behind.write_all(&[request.as_bytes(), &body].concat()).ok()?;
        let (head, mut body) = message(&mut behind)?;
        if adds_members {
            body = with_added_members(&body);
        } else {
            check(&request, &head, &body);
        }
        let lines = head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("content-length"));
        let mut head: String =
            lines.take_while(|line| !line.is_empty()).flat_map(|line| [line, "\r\n"]).collect();
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        front.write_all(&[head.as_bytes(), &body].concat()).ok()?;
    }
}

/// Closes the connection, which fails the test, if the document does not allow the response.
fn check(request: &str, head: &str, body: &[u8]) {
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = std::str::from_utf8(body).unwrap();
    let response = Response { status, content_type: header(head, "content-type").unwrap_or(""), body };
    openapi_check::check(method, target, &response).unwrap();
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

fn with_added_members(body: &[u8]) -> Vec<u8> {
    let Ok(mut response) = serde_json::from_slice(body) else { return body.to_vec() };
    match &mut response {
        Value::Array(items) => items.iter_mut().for_each(add),
        one => add(one),
    }
    response.to_string().into_bytes()
}

fn add(value: &mut Value) {
    if let Some(members) = value.as_object_mut() {
        members.insert("invented".to_owned(), json!({"deep": [1]}));
    }
}

//! The files that the sandbox writes, and the programs that its request log offers.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use cpaas_sandbox::{BlockingSandbox, Sandbox, StartError};
use serde_json::{Value, json};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cpaas-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn start(db: &Path) -> Result<BlockingSandbox, StartError> {
    Sandbox::builder().set("db", db.to_str().unwrap()).unwrap().start_blocking()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn post(sandbox: &BlockingSandbox, path: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(sandbox.url().strip_prefix("http://").unwrap()).unwrap();
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap())
}

#[test]
fn only_its_owner_can_read_a_ledger() {
    let folder = Folder::new("ledger-mode");
    let db = folder.0.join("ledger");
    let sandbox = start(&db).unwrap();
    assert_eq!(post(&sandbox, "/_sandbox/accounts", "{}").0, 201);
    let files: Vec<PathBuf> =
        std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn a_ledger_that_others_can_access_is_refused_with_the_command_that_mends_it() {
    let folder = Folder::new("ledger-wide");
    let db = folder.0.join("it's a ledger");
    let sandbox = start(&db).unwrap();
    post(
        &sandbox,
        &format!("/sms?key={}", sandbox.credentials().sms_key),
        r#"{"from":"A","to":"306912345678","text":"x"}"#,
    );
    sandbox.stop();
    let contents = std::fs::read(&db).unwrap();
    for wide in [0o640, 0o604, 0o660, 0o666, 0o610, 0o601] {
        std::fs::set_permissions(&db, std::fs::Permissions::from_mode(wide)).unwrap();
        let error = start(&db).unwrap_err().to_string();
        let expected =
            format!("only its owner may have access to it, got the mode {wide:04o}; run `chmod 600 ");
        assert!(error.contains(&expected), "{error}");
        assert_eq!((mode(&db), std::fs::read(&db).unwrap() == contents), (wide, true), "nothing is changed");
        let command = error.split('`').nth(1).unwrap();
        assert!(Command::new("sh").args(["-c", command]).status().unwrap().success(), "{command}");
        start(&db).unwrap().stop();
        std::fs::write(&db, &contents).unwrap();
    }
    // The file of another account, whose name is the same with the same seed.
    let seeded =
        || Sandbox::builder().seed(7).set("db", db.to_str().unwrap()).unwrap().start_blocking().unwrap();
    let sandbox = seeded();
    assert_eq!(post(&sandbox, "/_sandbox/accounts", "{}").0, 201);
    sandbox.stop();
    let files = std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().path());
    let other = files.into_iter().find(|path| *path != db).unwrap();
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (status, error) = post(&seeded(), "/_sandbox/accounts", "{}");
    let message = error["message"].as_str().unwrap();
    assert!(status == 507 && message.contains("got the mode 0644; run `chmod 600 "), "{status} {message}");
}

#[test]
fn the_error_of_a_ledger_names_its_file_and_what_is_wrong() {
    let folder = Folder::new("ledger-errors");
    let other = folder.0.join("notes");
    std::fs::write(&other, "precious").unwrap();
    let cases = [
        (folder.0.join("missing/ledger"), "No such file or directory"),
        (folder.0.clone(), "Is a directory"),
        (other.clone(), "it must be new, empty or a ledger of the sandbox, and contains something else"),
        (PathBuf::from("/dev/null"), "it must be a regular file"),
    ];
    for (path, what) in cases {
        let error = start(&path).unwrap_err().to_string();
        let expected = format!("the ledger of --db cannot be kept in the file {}: {what}", path.display());
        assert!(error.starts_with(&expected), "{error}");
    }
    assert_eq!(std::fs::read_to_string(other).unwrap(), "precious");
    assert_eq!(mode(Path::new("/dev/null")), 0o666);
}

#[test]
fn an_account_whose_ledger_cannot_be_kept_is_refused() {
    let folder = Folder::new("ledger-account");
    let sandbox = start(&folder.0.join("ledger")).unwrap();
    std::fs::remove_dir_all(&folder.0).unwrap();
    let (status, error) = post(&sandbox, "/_sandbox/accounts", "{}");
    let message = error["message"].as_str().unwrap();
    assert_eq!(status, 507);
    assert!(message.starts_with("the ledger of --db cannot be kept in the file "), "{message}");
}

#[test]
fn code_to_copy_for_rust_compiles_and_contains_the_body() {
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    let texts = [
        "plain",
        "\"#",
        "\"##",
        "x\"###\"####y",
        "\\",
        "'quoted' $HOME",
        "\u{202e}reversed\u{2066}",
        "é\u{7f}\u{2028}",
    ];
    let mut bodies: Vec<String> = texts
        .iter()
        .map(|text| json!({"from": "Acme", "to": "306912345678", "text": text}).to_string())
        .collect();
    bodies.extend([
        "{\"from\":\r\"Acme\",\r\n\"text\": \"\"}".to_owned(),
        "\"\"\"#".to_owned(),
        "\u{0}\t\n".to_owned(),
    ]);
    for body in &bodies {
        post(&sandbox, &format!("/sms?key={}", sandbox.credentials().sms_key), body);
    }
    let requests = sandbox.control("GET", "/requests", &Value::Null).unwrap();
    let literals: Vec<String> = requests["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|request| {
            let code = request["copy"]["rust"].as_str().unwrap();
            let call = code.strip_prefix("client.call_json(OperationId::SmsSend, ").unwrap();
            call.strip_suffix(").await?").unwrap().to_owned()
        })
        .collect();
    assert_eq!(literals.len(), bodies.len());
    let folder = Folder::new("snippets");
    let (source, program) = (folder.0.join("main.rs"), folder.0.join("main"));
    let lines: String =
        literals.iter().map(|literal| format!("    println!(\"{{:?}}\", {literal});\n")).collect();
    std::fs::write(&source, format!("fn main() {{\n{lines}}}\n")).unwrap();
    let compiled = Command::new("rustc").arg("-o").args([&program, &source]).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap();
    let mut found: Vec<&str> = output.lines().collect();
    let expected: Vec<String> = bodies.iter().map(|body| format!("{body:?}")).collect();
    let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

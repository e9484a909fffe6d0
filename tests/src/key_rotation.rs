//! Runs a program of docs/callbacks.md in a separate process, to which the sandbox sends callbacks while the program's keys rotate.
#![allow(clippy::indexing_slicing, reason = "four steps and their four clients")]

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use cpaas::callback::{Receiver, Source};
use cpaas::client::blocking::Client;
use cpaas::{OperationId, sms};
use cpaas_sandbox::{BlockingSandbox, ClockMode, Sandbox};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The keys of the program in each step of the rotation; the first one signs.
const STEPS: [&[&str]; 4] = [&["old"], &["old", "new"], &["new", "old"], &["new"]];
const HOUR: Duration = Duration::from_secs(3600);

/// The program, and the sender of the messages.
#[derive(Debug)]
pub struct DocProgram {
    /// A program that serves `http://127.0.0.1:PORT/hooks` and reads `callbacks.json` in its working directory. `{port}` in an
    /// argument is replaced by the port, which is also in the variable `PORT`.
    pub command: Vec<String>,
    /// A program that sends with the configuration in its environment; `None` is the Rust client. `send TO REFERENCE CALLBACK`
    /// sends an SMS and prints its id, `url SOURCE` prints a URL to register.
    pub sender: Option<PathBuf>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Tally {
    /// Attempts of the sandbox while the keys rotated; all returned 200.
    pub accepted: usize,
    /// Attempts with the removed key; all returned 403.
    pub refused: usize,
}

struct App {
    folder: PathBuf,
    url: String,
    child: Child,
}

impl Drop for App {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ring(kids: &[&str]) -> Value {
    let key =
        |kid: &&str| json!({"kid": kid, "secret": format!("the secret of {kid}, thirty-two bytes or more")});
    json!({"keys": kids.iter().map(key).collect::<Vec<_>>()})
}

impl App {
    fn start(program: &DocProgram, folder: &Path) -> Result<Self> {
        let port = free_port()?;
        let mut arguments =
            program.command.iter().map(|argument| argument.replace("{port}", &port.to_string()));
        let url = format!("http://127.0.0.1:{port}/hooks");
        configure(folder, &url, STEPS[0])?;
        let child = Command::new(arguments.next().ok_or("no program")?)
            .args(arguments)
            .env("PORT", port.to_string())
            .current_dir(folder)
            .stdout(File::create(folder.join("out"))?)
            .stderr(File::create(folder.join("err"))?)
            .spawn()?;
        let mut app = Self { folder: folder.to_owned(), url, child };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if app.child.try_wait()?.is_some() || begun.elapsed() > Duration::from_secs(300) {
                return Err(fs::read_to_string(folder.join("err"))?.into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(app)
    }

    /// The lines of this kind that the program printed.
    fn printed(&self, kind: &str) -> io::Result<Vec<String>> {
        let text = fs::read_to_string(self.folder.join("out"))?;
        let is_kind = |line: &&str| line.split(' ').next() == Some(kind);
        Ok(text.lines().filter(is_kind).map(str::to_owned).collect())
    }
}

/// A free port. It is below the ephemeral range, so that no other program receives it before the program binds it.
fn free_port() -> io::Result<u16> {
    let first = std::process::id() as usize * 7;
    let ports = (0..12_000).filter_map(|step| u16::try_from(20_000 + (first + step) % 12_000).ok());
    for port in ports {
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    Err(io::Error::other("no free port"))
}

/// Writes callbacks.json atomically.
fn configure(folder: &Path, url: &str, kids: &[&str]) -> Result<Receiver> {
    let config = json!({"audience": "shop", "public_url": url, "delivery_keys": ring(kids), "inbound_keys": ring(kids)});
    fs::write(folder.join("next"), config.to_string())?;
    fs::rename(folder.join("next"), folder.join("callbacks.json"))?;
    Ok(Receiver::from_json(&config.to_string())?)
}

struct Run<'r> {
    program: &'r DocProgram,
    app: App,
    sandbox: BlockingSandbox,
    clients: Vec<Client>,
    sent: Vec<String>,
}

impl Run<'_> {
    fn send(&mut self, signer: usize, reference: &str) -> Result<()> {
        let id = match &self.program.sender {
            Some(program) => {
                let keys = ring(STEPS[signer]).to_string();
                self.run_sender(program, &["send", "306912345678", reference, &self.app.url], &keys)?
            }
            None => {
                let client = &self.clients[signer];
                let send = sms::SendSms::new("Acme", "306912345678", "Hi").reference(reference);
                let bulk =
                    sms::SendBulkSms::new("Acme", "306900000001,306900000002", "Hi").reference(reference);
                let bulk = client.call(bulk.callback(self.app.url.as_str()))?;
                self.sent.extend(bulk.messages.iter().map(|message| message.id.clone().unwrap_or_default()));
                client.call(send.callback(self.app.url.as_str()))?.id.clone()
            }
        };
        self.sent.push(id);
        Ok(())
    }

    fn run_sender(&self, program: &Path, arguments: &[&str], keys: &str) -> Result<String> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.app.folder);
        command
            .env("CPAAS_SMS_URL", self.sandbox.url())
            .env("CPAAS_SMS_KEY", &self.sandbox.credentials().sms_key);
        command.env("CPAAS_CALLBACK_KEYS", keys).env("CPAAS_CALLBACK_AUDIENCE", "shop");
        let done = command.output()?;
        let text = String::from_utf8(done.stdout)?.trim().to_owned();
        if done.status.success() { Ok(text) } else { Err(format!("{arguments:?}: {text}").into()) }
    }

    /// Registers the URLs whose tokens do not expire, signed with the first key of `receiver`.
    fn register(&self, receiver: &Receiver) -> Result<()> {
        let url = |source: Source, name: &str| -> Result<String> {
            match &self.program.sender {
                Some(program) => self.run_sender(program, &["url", name], "[]"),
                None => Ok(receiver.url(source, "", now())?),
            }
        };
        let account = format!("/accounts/{}", self.sandbox.credentials().account_sid);
        let inbound = url(Source::InboundSms, "inbound_sms")?;
        let settings = json!({"chat_callback": url(Source::ChatReport, "chat_report")?, "inbound_callback": inbound, "two_way": ["Acme"]});
        self.sandbox.control("PUT", &account, &settings)?;
        let webhook = json!({"ta": self.sandbox.credentials().traffic_account_id, "url": url(Source::MessengerB, "messenger_b")?});
        self.call("webhooks.messenger_b.set", &webhook)
    }

    fn call(&self, operation: &str, request: &Value) -> Result<()> {
        let operation = OperationId::find(operation).ok_or("no such operation")?;
        self.clients[0].call_json(operation, &request.to_string())?;
        Ok(())
    }

    /// A user sends an SMS, and the account sends a chat message.
    fn chat(&self) -> Result<()> {
        self.sandbox
            .inbound(json!({"channel": "sms", "from": "306900000009", "to": "Acme", "text": "Hello"}))?;
        let account = &self.sandbox.credentials().traffic_account_id;
        let text = json!({"type": "regular", "regular": {"type": "text", "text": "Hi"}});
        let message =
            json!({"trafficAccountId": account, "destination": "306912345678", "messenger_a": text});
        self.call("messages.send", &message)
    }

    fn statuses(&self) -> Result<Vec<u64>> {
        let found = self.sandbox.control("GET", "/callbacks", &Value::Null)?;
        let attempts = found["attempts"].as_array().ok_or("no attempts")?;
        Ok(attempts.iter().map(|attempt| attempt["status"].as_u64().unwrap_or_default()).collect())
    }

    fn step(&mut self, at: usize) -> Result<()> {
        if at == 3 {
            // All callbacks signed with the old key have arrived; the URLs are registered again with the new key.
            self.register(&configure(&self.app.folder, &self.app.url, STEPS[2])?)?;
            self.sandbox.advance(HOUR);
        }
        configure(&self.app.folder, &self.app.url, STEPS[at])?;
        self.sandbox.advance(HOUR); // reports of messages from the previous step arrive in this step
        for signer in at.saturating_sub(1)..=(at + 1).min(3) {
            self.send(signer, &format!("booking-{at}"))?; // other processes are at most one step behind or ahead
        }
        self.chat()
    }

    fn settle(&mut self) -> Result<Tally> {
        self.sandbox.advance(HOUR);
        let found = self.statuses()?;
        let mut reported = self.app.printed("sms_report")?;
        for line in &mut reported {
            *line = line.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        self.sent.sort();
        reported.sort();
        let once = (
            reported == self.sent,
            self.app.printed("inbound_sms")?.len(),
            self.app.printed("messenger_b")?.len(),
        );
        let chats = self.app.printed("chat_report")?.len();
        if found.iter().any(|status| *status != 200) || once != (true, 4, 2) || chats < 4 {
            return Err(format!(
                "{found:?} {once:?} {chats} {}",
                fs::read_to_string(self.app.folder.join("err"))?
            )
            .into());
        }
        self.send(0, "late")?; // the old key was removed
        self.sandbox.advance(Duration::from_secs(1));
        let late = self.statuses()?.split_off(found.len());
        match late.iter().all(|status| *status == 403) && !late.is_empty() {
            true => Ok(Tally { accepted: found.len(), refused: late.len() }),
            false => Err(format!("with the removed key: {late:?}").into()),
        }
    }
}

fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Rotates the keys of the program in `folder` step by step while the sandbox keeps sending.
///
/// # Errors
/// A report was refused or lost, an event arrived twice, or a removed key was accepted.
pub fn rotate(program: &DocProgram, folder: &Path) -> Result<Tally> {
    let app = App::start(program, folder)?;
    let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start_blocking()?;
    let signer = |kids: &&[&str]| {
        Client::new(&sandbox.config().callback_keys(ring(kids).to_string()).callback_audience("shop"))
    };
    let clients = STEPS.iter().map(signer).collect::<std::result::Result<_, _>>()?;
    let mut run = Run { program, app, sandbox, clients, sent: Vec::new() };
    run.register(&configure(folder, &run.app.url, STEPS[0])?)?;
    (0..STEPS.len()).try_for_each(|at| run.step(at))?;
    run.settle()
}

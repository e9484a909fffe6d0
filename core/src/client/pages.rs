//! The pages of the list operations.

use std::collections::VecDeque;

use futures_util::Stream;
use serde_json::{Map, Value};

use super::{Client, Response};
use crate::error::Error;
use crate::operation::Operation;

/// Where the pages of a list are: pure, shared by the stream, the iterator and the bindings.
///
/// The search gives links, which are followed. Limits and workflows show none: the first request goes
/// without `page`, the next with the echoed page + 1, until `total` records came or a page is empty;
/// so it does not matter whether the provider's first page is 0 or 1.
#[derive(Clone, Default)]
pub struct Pages {
    seen: u64,
    asked: VecDeque<Value>,
}

/// `Debug` shows how many records came, and none of the requests.
impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pages").field("seen", &self.seen).finish_non_exhaustive()
    }
}

impl Pages {
    /// At the first page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The request for the page after `answer`, or none when that was the last one. `known` says
    /// which parameters of a link the operation has.
    #[must_use]
    pub fn next(&mut self, request: &Value, answer: &Value, known: impl Fn(&str) -> bool) -> Option<Value> {
        let list = answer.get("data").filter(|data| data.is_object()).unwrap_or(answer);
        let mut next = request.as_object().cloned().unwrap_or_default();
        match list.get("next_page_uri") {
            Some(Value::String(link)) => follow(link, &mut next, known),
            Some(_) => return None,
            None => self.count(list, &mut next)?,
        }
        let next = Value::Object(next);
        if next == *request || self.asked.contains(&next) {
            return None;
        }
        self.asked.push_back(next.clone());
        if self.asked.len() > REMEMBERED {
            self.asked.pop_front();
        }
        Some(next)
    }

    fn count(&mut self, list: &Value, next: &mut Map<String, Value>) -> Option<()> {
        let records = list.as_object()?.values().find_map(Value::as_array)?.len() as u64;
        self.seen += records;
        let number = |name| list.get(name).and_then(Value::as_u64);
        let (page, total) = (number("page")?, number("total")?);
        if records == 0 || self.seen >= total {
            return None;
        }
        next.insert("page".to_owned(), Value::from(page + 1));
        Some(())
    }
}

/// A provider whose pages go round in a circle ends the list.
const REMEMBERED: usize = 64;

fn follow(link: &str, next: &mut Map<String, Value>, known: impl Fn(&str) -> bool) {
    let query = link.split_once('?').map_or("", |(_, query)| query);
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        if known(name) {
            let value = decode(value);
            let value = value.parse::<u64>().map_or_else(|_| Value::String(value), Value::from);
            next.insert(name.to_owned(), value);
        }
    }
}

fn decode(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16));
                let (high, low) = (digit(), digit());
                high.zip(low).and_then(|(high, low)| u8::try_from(high * 16 + low).ok()).unwrap_or(b'?')
            }
            _ => byte,
        });
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The state between two pages: the next operation, if any.
pub(crate) struct Walk<O> {
    pub(crate) next: Option<O>,
    pages: Pages,
}

impl<O: Operation> Walk<O> {
    pub(crate) fn new(operation: O) -> Self {
        Self { next: Some(operation), pages: Pages::new() }
    }

    /// Takes the request of the page to ask for now, with the request as JSON for [`Walk::arrived`].
    pub(crate) fn take(&mut self) -> Option<(O, Value)> {
        let operation = self.next.take()?;
        let request = serde_json::to_value(&operation).ok()?;
        Some((operation, request))
    }

    pub(crate) fn arrived(&mut self, request: &Value, body: &[u8]) {
        let known = |name: &str| O::FIELDS.iter().any(|field| field.wire == name);
        let answer = serde_json::from_slice(body).unwrap_or_default();
        let next = self.pages.next(request, &answer, known);
        self.next = next.and_then(|request| serde_json::from_value(request).ok());
    }
}

impl Client {
    /// The pages of a list operation, one call each, as a stream; it ends after the first error. An
    /// operation that is no list gives one page.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use futures_util::TryStreamExt;
    /// # use cpaas::{Config, client::Client, http::{HttpRequest, HttpResponse}, sms};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let client = Client::with_transport(&config, |_: HttpRequest| async {
    /// #     Ok(HttpResponse::new(200, vec![], r#"{"id":"m","responseCode":0}"#))
    /// # })?;
    /// # let list = sms::Send::new("Acme", "306912345678", "Hi");
    /// let mut pages = std::pin::pin!(client.pages(list));
    /// while let Some(page) = pages.try_next().await? {
    ///     println!("{page:?}");
    /// }
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    pub fn pages<O: Operation>(
        &self,
        operation: O,
    ) -> impl Stream<Item = Result<Response<O::Output>, Error>> + Send {
        let client = self.clone();
        futures_util::stream::unfold((client, Walk::new(operation)), |(client, mut walk)| async move {
            let (operation, request) = walk.take()?;
            let result = client.call(operation).await;
            if let Ok(answer) = &result {
                walk.arrived(&request, &answer.raw.body);
            }
            Some((result, (client, walk)))
        })
    }
}

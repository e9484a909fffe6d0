//! The pages of the list operations.

use std::collections::VecDeque;

use futures_util::Stream;
use serde_json::{Map, Value};

use super::{Client, Response};
use crate::error::Error;
use crate::operation::Operation;

/// Computes the requests for the pages of a list. Does no I/O; the stream, the iterator and the bindings share it.
///
/// The OTP search returns links, which are followed. Limits and workflows return no links. Their first request has no
/// `page`, because the number of the first page may be 0 or 1. Each further request has the page of the last response
/// plus 1. The list ends when `total` records were received or a page is empty.
#[derive(Clone, Default)]
pub struct Pages {
    /// The number of records received.
    seen: u64,
    /// The latest requests, which detect a list whose links form a cycle.
    requested: VecDeque<Value>,
}

/// `Debug` shows the number of records received, but no requests.
impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pages").field("seen", &self.seen).finish_non_exhaustive()
    }
}

impl Pages {
    /// Starts at the first page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the request for the page after `response`, or `None` if that was the last page. `is_known` states which query
    /// parameters of a link belong to the operation; the others are ignored.
    #[must_use]
    pub fn next(
        &mut self,
        request: &Value,
        response: &Value,
        is_known: impl Fn(&str) -> bool,
    ) -> Option<Value> {
        let list = response.get("data").filter(|data| data.is_object()).unwrap_or(response);
        let mut next = request.as_object().cloned().unwrap_or_default();
        match list.get("next_page_uri") {
            Some(Value::String(link)) => follow(link, &mut next, is_known),
            Some(_) => return None,
            None => self.count(list, &mut next)?,
        }
        let next = Value::Object(next);
        if next == *request || self.requested.contains(&next) {
            return None;
        }
        self.requested.push_back(next.clone());
        if self.requested.len() > MAX_REQUESTED {
            self.requested.pop_front();
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

const MAX_REQUESTED: usize = 64;

fn follow(link: &str, next: &mut Map<String, Value>, is_known: impl Fn(&str) -> bool) {
    let query = link.split_once('?').map_or("", |(_, query)| query);
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| is_known(name)) {
        let value = value.parse::<u64>().map_or_else(|_| Value::from(value.as_ref()), Value::from);
        next.insert(name.into_owned(), value);
    }
}

/// The requests of a list operation, page by page.
pub(crate) struct PageWalk<O> {
    pub(crate) next: Option<O>,
    pages: Pages,
}

impl<O: Operation> PageWalk<O> {
    pub(crate) fn new(operation: O) -> Self {
        Self { next: Some(operation), pages: Pages::new() }
    }

    /// Takes the operation for the next page, with its request as JSON for [`PageWalk::add_page`].
    pub(crate) fn take(&mut self) -> Option<(O, Value)> {
        let operation = self.next.take()?;
        let request = serde_json::to_value(&operation).ok()?;
        Some((operation, request))
    }

    pub(crate) fn add_page(&mut self, request: &Value, body: &[u8]) {
        let is_known = |name: &str| O::FIELDS.iter().any(|field| field.wire == name);
        let response = serde_json::from_slice(body).unwrap_or_default();
        let next = self.pages.next(request, &response, is_known);
        self.next = next.and_then(|request| serde_json::from_value(request).ok());
    }
}

impl Client {
    /// Returns the pages of a list operation as a stream: one call for each page, made when the stream is polled. The stream
    /// ends after the last page or the first error. An operation that is not a list has one page.
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
        futures_util::stream::unfold((client, PageWalk::new(operation)), |(client, mut walk)| async move {
            let (operation, request) = walk.take()?;
            let result = client.call(operation).await;
            if let Ok(response) = &result {
                walk.add_page(&request, &response.raw.body);
            }
            Some((result, (client, walk)))
        })
    }
}

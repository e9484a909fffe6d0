//! The pages of the list operations.

use std::collections::VecDeque;

use futures_util::Stream;
use serde_json::{Map, Value};

use super::{Client, Response};
use crate::error::{Error, Outcome, Reason, SentState};
use crate::operation::ListOperation;
use crate::problem::{Pointer, Problem, codes};

/// Computes the requests for the pages of a list. Does no I/O; the stream, the iterator and the bindings share it.
///
/// The OTP search returns links, which are followed. Limits and workflows return no links. Their first request has no
/// `page`, because the number of the first page may be 0 or 1. Each further request has the page of the last response
/// plus 1. The list ends when `total` records were received or a page is empty.
///
/// A list that ends because its pages repeat, or with a number of records other than `total`, is not complete:
/// [`Pages::repeats`] and [`Pages::contradicts_total`] report it.
#[derive(Clone, Default)]
pub struct Pages {
    /// The number of records received.
    seen: u64,
    /// The number of the last page of a list without links.
    page: Option<u64>,
    /// Whether the first request named a page, so that `total` contains records before it.
    starts_inside: bool,
    repeats: bool,
    contradicts_total: bool,
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
        if self.seen == 0 && self.requested.is_empty() {
            self.starts_inside = next.contains_key("page");
        }
        let records = list.as_object()?.values().find_map(Value::as_array)?.len() as u64;
        self.seen += records;
        let number = |name| list.get(name).and_then(Value::as_u64);
        match (list.get("next_page_uri"), number("page"), number("total")) {
            (Some(Value::String(link)), ..) => follow(link, &mut next, is_known),
            (None, Some(page), Some(total)) if records > 0 && self.seen < total => {
                if self.page.replace(page).is_some_and(|last| page <= last) {
                    self.repeats = true;
                    return None;
                }
                next.insert("page".to_owned(), Value::from(page + 1));
            }
            (_, _, total) => {
                let is_wrong = total.is_some_and(|total| total != self.seen);
                self.contradicts_total = is_wrong && !self.starts_inside;
                return None;
            }
        }
        let next = Value::Object(next);
        if next == *request || self.requested.contains(&next) {
            self.repeats = true;
            return None;
        }
        self.requested.push_back(next.clone());
        if self.requested.len() > MAX_REQUESTED {
            self.requested.pop_front();
        }
        Some(next)
    }

    /// Whether the list ended because a page or a link repeats an earlier one.
    #[must_use]
    pub const fn repeats(&self) -> bool {
        self.repeats
    }

    /// Whether the list ended with a number of records other than its `total`. Records that were added or removed between two
    /// pages have the same effect.
    #[must_use]
    pub const fn contradicts_total(&self) -> bool {
        self.contradicts_total
    }

    /// The error of a list whose pages repeat.
    #[must_use]
    pub fn repeated(operation: &'static str) -> Error {
        let message = "the list is not complete: the provider's response repeats a page or a link to a page";
        Error::new(Outcome::Unknown, SentState::Maybe, Reason::Decode, operation, message)
    }
}

const MAX_REQUESTED: usize = 64;

fn follow(link: &str, next: &mut Map<String, Value>, is_known: impl Fn(&str) -> bool) {
    let query = link.split_once('?').map_or("", |(_, query)| query);
    for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| is_known(name)) {
        let value = value.parse::<u64>().map_or_else(|_| Value::from(value.as_ref()), Value::from);
        next.insert(name.into_owned(), value);
    }
}

/// The requests of a list operation, page by page.
pub(crate) struct PageWalk<O> {
    pub(crate) next: Option<O>,
    pages: Pages,
    /// The error after the last page.
    error: Option<Error>,
}

impl<O: ListOperation> PageWalk<O> {
    pub(crate) fn new(operation: O) -> Self {
        Self { next: Some(operation), pages: Pages::new(), error: None }
    }

    /// Takes the operation for the next page, with its request as JSON for [`PageWalk::add_page`].
    pub(crate) fn take(&mut self) -> Option<(O, Value)> {
        let operation = self.next.take()?;
        let request = serde_json::to_value(&operation).ok()?;
        Some((operation, request))
    }

    /// Takes the error after the last page.
    pub(crate) fn take_error(&mut self) -> Option<Error> {
        self.error.take()
    }

    /// Finds the request for the page after `response`, and adds a warning to the last page if the list contradicts its total.
    pub(crate) fn add_page<T>(&mut self, request: &Value, response: &mut Response<T>) {
        let is_known = |name: &str| O::FIELDS.iter().any(|field| field.wire == name);
        let body = serde_json::from_slice(&response.raw.body).unwrap_or_default();
        let next = self.pages.next(request, &body, is_known);
        self.next = next.and_then(|request| serde_json::from_value(request).ok());
        if self.pages.repeats() {
            self.error = Some(Pages::repeated(O::ID));
        }
        if self.pages.contradicts_total() {
            response.warnings.push(Problem::new(&codes::RESPONSE_PAGES_TOTAL, &Pointer::ROOT));
        }
    }
}

impl Client {
    /// Returns the pages of a list operation as a stream: one call for each page, made when the stream is polled. The stream
    /// ends after the last page or the first error; pages that repeat are an error, and a number of records other than `total` is a
    /// warning of the last page.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use futures_util::TryStreamExt;
    /// use cpaas::otp::limits::ListLimits;
    /// # use cpaas::{Config, client::Client, http::{HttpRequest, HttpResponse}};
    /// # let config = Config::default().otp_url("https://otp.example").account_sid("AC1").api_key("key");
    /// # let client = Client::with_transport(&config, |_: HttpRequest| async {
    /// #     Ok(HttpResponse::new(200, vec![], r#"{"code":200,"data":{"page":0,"total":1,"result":[{"sid":"LM1"}]}}"#))
    /// # })?;
    /// let mut names = Vec::new();
    /// let mut pages = std::pin::pin!(client.pages(ListLimits::new()));
    /// while let Some(page) = pages.try_next().await? {
    ///     names.extend(page.data.result.iter().map(|limit| limit.sid.clone()));
    /// }
    /// assert_eq!(names.len(), 1);
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    pub fn pages<O: ListOperation>(
        &self,
        operation: O,
    ) -> impl Stream<Item = Result<Response<O::Output>, Error>> + Send {
        let client = self.clone();
        futures_util::stream::unfold((client, PageWalk::new(operation)), |(client, mut walk)| async move {
            if let Some(error) = walk.take_error() {
                return Some((Err(error), (client, walk)));
            }
            let (operation, request) = walk.take()?;
            let mut result = client.call(operation).await;
            if let Ok(response) = &mut result {
                walk.add_page(&request, response);
            }
            Some((result, (client, walk)))
        })
    }
}

//! Pages of lists (D19, D20), and the response form of limits and workflows.

use std::sync::Arc;

use axum::response::Response;
use serde_json::{Value, json};

use crate::account::Account;
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::provider_error::{ProviderError, ProviderResult};

const DEFAULT: u64 = 50;
const MAX_PAGE_SIZE: u64 = 1_000;

/// The account of a list: the caller's, or a sub-account of it (D62).
pub(super) fn account(call: &mut Call<'_>, sid: Option<&str>) -> ProviderResult<Arc<Account>> {
    match sid {
        None => Ok(Arc::clone(&call.account)),
        Some(sid) if sid == call.account.sid() => Ok(Arc::clone(&call.account)),
        Some(sid) => {
            call.assume(AssumptionId(62))?;
            let parent = Some(call.account.sid().to_owned());
            call.shared
                .account(sid)
                .filter(|account| account.sid() == sid && account.state().settings.parent == parent)
                .ok_or_else(|| {
                    ProviderError::plain(404, "no such account [sandbox]").assuming(AssumptionId(62))
                })
        }
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) size: u64,
    pub(super) page: u64,
    first: u64,
}

impl Page {
    pub(super) fn of(call: &mut Call<'_>, size: Option<i64>, page: Option<i64>) -> ProviderResult<Self> {
        call.note(AssumptionId(19));
        let first = u64::try_from(call.shared.options.first_page).unwrap_or_default();
        let unsigned = |number: i64| u64::try_from(number).unwrap_or_default();
        let page = page.map_or(first, unsigned);
        if page < first {
            let message = format!("`page`: must be {first} or greater [sandbox]");
            return Err(ProviderError::plain(400, message).assuming(AssumptionId(20)));
        }
        Ok(Self { size: size.map_or(DEFAULT, unsigned).min(MAX_PAGE_SIZE), page, first })
    }

    pub(super) fn start(&self) -> u64 {
        (self.page - self.first).saturating_mul(self.size)
    }

    pub(super) fn pages(&self, total: u64) -> u64 {
        total.div_ceil(self.size)
    }

    /// The numbers of the first and last record shown, from 0.
    pub(super) fn bounds(&self, shown: usize) -> (u64, u64) {
        let start = self.start();
        (start, start + (shown as u64).saturating_sub(1))
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn next(&self, total: u64) -> Option<u64> {
        (self.start().saturating_add(self.size) < total).then_some(self.page + 1)
    }

    pub(super) fn previous(&self) -> Option<u64> {
        (self.page > self.first).then(|| self.page - 1)
    }
}

/// The response about one limit or workflow (A8, A9).
pub(super) fn wrap(data: &Value) -> Response {
    ok(&json!({"data": data, "code": 200, "message": "OK"}))
}

/// The body of a page of limits or workflows (A8, A9).
pub(super) fn page_body(page: Page, path: &str, account: &str, total: u64, result: Vec<Value>) -> Value {
    let (start, end) = page.bounds(result.len());
    let uri = |number: u64| format!("{path}?pageSize={}&page={number}&accountSid={account}", page.size);
    json!({
        "data": {
            "result": result,
            "pageSize": page.size,
            "total": total,
            "page": page.page,
            "numPages": page.pages(total),
            "start": start,
            "end": end,
            "firstPageUri": uri(page.first()),
            "uri": uri(page.page),
        },
        "code": 200,
        "message": "OK",
    })
}

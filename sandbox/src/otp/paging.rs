//! Pages of lists (D19, D20).

use std::sync::Arc;

use serde_json::Value;

use super::fields::refuse;
use crate::account::Account;
use crate::assumptions::D;
use crate::call::Call;
use crate::object::Item;
use crate::provider_error::{Outcome, ProviderError};
use crate::query;

const DEFAULT: u64 = 50;
const MOST: u64 = 1_000;

/// The parameters of a GET: the query, and what a JSON body adds (the sample passes them so).
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn of(call: &mut Call<'_>, known: &[&str]) -> Outcome<Self> {
        let mut pairs: Vec<(String, String)> =
            query::pairs(call.query).map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        if !call.body.is_empty() {
            let object = call.object(known, 400)?;
            for (name, item) in object.iter() {
                let text = match item {
                    Item::Null => continue,
                    Item::Text(text) => text.as_ref().to_owned(),
                    other => other.to_value().to_string(),
                };
                pairs.push((name.to_owned(), text));
            }
        }
        for (name, _) in &pairs {
            if !known.contains(&name.as_str()) {
                call.warnings.push(format!("unknown parameter `{name}`"));
            }
        }
        Ok(Self(pairs))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The account that is asked about: the caller's, or a sub-account of it (D62).
    pub(super) fn account(&self, call: &mut Call<'_>) -> Outcome<Arc<Account>> {
        match self.get("accountSid") {
            None => Ok(Arc::clone(&call.account)),
            Some(sid) if sid == call.account.sid() => Ok(Arc::clone(&call.account)),
            Some(sid) => {
                call.rely(D(62))?;
                let parent = Some(call.account.sid().to_owned());
                call.shared
                    .account(sid)
                    .filter(|account| account.sid() == sid && account.state().settings.parent == parent)
                    .ok_or_else(|| ProviderError::plain(404, "no such account [sandbox]").leaning(D(62)))
            }
        }
    }
}

/// A page and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) size: u64,
    pub(super) page: u64,
    first: u64,
}

impl Page {
    pub(super) fn of(call: &mut Call<'_>, parameters: &Parameters) -> Outcome<Self> {
        call.note(D(19));
        let first = u64::try_from(call.shared.options.first_page).unwrap_or_default();
        let number =
            |name: &str, least: u64, default: u64| match parameters.get(name) {
                None => Ok(default),
                Some(text) => text.parse().ok().filter(|value| *value >= least).ok_or_else(|| {
                    refuse(name, &format!("is not a whole number from {least}")).leaning(D(20))
                }),
            };
        let size = number("pageSize", 1, DEFAULT)?;
        let page = number("page", first, first)?;
        Ok(Self { size: size.min(MOST), page, first })
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

/// The wrapper of limits and workflows (A8, A9).
pub(super) fn wrapper(page: Page, path: &str, account: &str, total: u64, result: Vec<Value>) -> Value {
    let (start, end) = page.bounds(result.len());
    let uri = |number: u64| format!("{path}?pageSize={}&page={number}&accountSid={account}", page.size);
    serde_json::json!({
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

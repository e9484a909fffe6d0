//! The control API's calls for accounts: list, open, read and change settings.

use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ControlRequest;
use crate::account::Account;
use crate::http_bodies::{json as respond, ok};
use crate::options::Network;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::settings::{Callback, Settings};

fn show(request: &ControlRequest, account: &Account) -> Value {
    let mut shown = json!({
        "sid": account.sid(),
        "email": account.email,
        "config": account.credentials.show(request.shared.base()),
    });
    if let (Value::Object(members), Value::Object(settings)) =
        (&mut shown, settings(&account.state().settings))
    {
        members.extend(settings);
    }
    shown
}

/// The settings without the tokens of their URLs.
pub(super) fn settings(settings: &Settings) -> Value {
    json!({
        "callback": settings.callback.as_ref().map(|callback| json!({
            "url": crate::callbacks::redact(&callback.url),
            "method": callback.method,
            "template": callback.template,
            "content_type": callback.content_type,
        })),
        "chat_callback": settings.chat_callback.as_deref().map(crate::callbacks::redact),
        "inbound_callback": settings.inbound_callback.as_deref().map(crate::callbacks::redact),
        "two_way": settings.two_way,
        "features": {
            "conversion": settings.conversion,
            "duplicate_reports": settings.duplicate_reports,
            "reorder_reports": settings.reorder_reports,
        },
        "parent": settings.parent,
    })
}

pub(super) fn list(request: &ControlRequest) -> Response {
    let accounts: Vec<Value> =
        request.shared.accounts().iter().map(|account| show(request, account)).collect();
    ok(&json!({"accounts": accounts}))
}

pub(super) fn open(request: &ControlRequest) -> ProviderResult<Response> {
    let account = crate::scheduler::open_account(&request.shared)
        .map_err(|error| ProviderError::plain(507, format!("{error} [sandbox]")))?;
    Ok(respond(201, &show(request, &account)))
}

fn find(request: &ControlRequest, sid: &str) -> ProviderResult<std::sync::Arc<Account>> {
    let account = request.shared.account(sid).filter(|account| account.sid() == sid);
    account.ok_or_else(|| ProviderError::plain(404, "no such account"))
}

pub(super) fn get(request: &ControlRequest, sid: &str) -> ProviderResult<Response> {
    Ok(ok(&show(request, &*find(request, sid)?)))
}

/// A change of settings. An absent member stays as it is; `null` removes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    #[serde(default, deserialize_with = "given")]
    callback: Option<Option<Callback>>,
    #[serde(default, deserialize_with = "given")]
    chat_callback: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    inbound_callback: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    allow_ip: Option<Option<Vec<String>>>,
    #[serde(default, deserialize_with = "given")]
    two_way: Option<Option<Vec<String>>>,
    #[serde(default, deserialize_with = "given")]
    features: Option<Option<Features>>,
    #[serde(default, deserialize_with = "given")]
    parent: Option<Option<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Features {
    conversion: Option<bool>,
    duplicate_reports: Option<bool>,
    reorder_reports: Option<bool>,
}

impl Features {
    /// The change that `null` makes.
    const REMOVED: Self =
        Self { conversion: Some(false), duplicate_reports: Some(false), reorder_reports: Some(false) };
}

/// Distinguishes `null` from an absent member.
fn given<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl Change {
    /// The URLs that are set, each with its pointer.
    fn urls(&self) -> [(&'static str, Option<&str>); 3] {
        let callback = self.callback.as_ref().and_then(Option::as_ref);
        [
            ("/callback/url", callback.map(|callback| callback.url.as_str())),
            ("/chat_callback", self.chat_callback.as_ref().and_then(|url| url.as_deref())),
            ("/inbound_callback", self.inbound_callback.as_ref().and_then(|url| url.as_deref())),
        ]
    }

    /// Restores the token of a URL that the caller sends back as the control API showed it, without its token.
    fn restore_tokens(&mut self, now: &Settings) {
        let restore = |url: Option<&mut String>, old: Option<&str>| {
            if let (Some(url), Some(old)) = (url, old)
                && *url == crate::callbacks::redact(old)
            {
                old.clone_into(url);
            }
        };
        let callback = self.callback.as_mut().and_then(Option::as_mut);
        restore(callback.map(|one| &mut one.url), now.callback.as_ref().map(|one| one.url.as_str()));
        restore(self.chat_callback.as_mut().and_then(Option::as_mut), now.chat_callback.as_deref());
        restore(self.inbound_callback.as_mut().and_then(Option::as_mut), now.inbound_callback.as_deref());
    }
}

fn networks(list: &[String]) -> ProviderResult<Vec<Network>> {
    let parse = |(index, text): (usize, &String)| {
        let error = || ProviderError::plain(400, "`allow_ip` must be a list of networks");
        Network::parse(text).ok_or_else(|| error().at(format!("/allow_ip/{index}")))
    };
    list.iter().enumerate().map(parse).collect()
}

pub(super) fn put(request: &ControlRequest, sid: &str) -> ProviderResult<Response> {
    let account = find(request, sid)?;
    let mut change: Change = request.read()?;
    change.restore_tokens(&account.state().settings);
    let networks =
        change.allow_ip.as_ref().map(|list| networks(list.as_deref().unwrap_or_default())).transpose()?;
    for (field, url) in change.urls() {
        if url.is_some_and(|url| !crate::url::is_callable(url)) {
            let text = "a callback must be an absolute http or https URL without user information";
            return Err(ProviderError::plain(400, text).at(field));
        }
    }
    if let Some(Some(callback)) = &change.callback
        && let Some(method) = &callback.method
        && !["GET", "POST"].iter().any(|known| known.eq_ignore_ascii_case(method))
    {
        let text = "`callback.method` must be \"GET\" or \"POST\"";
        return Err(ProviderError::plain(400, text).at("/callback/method"));
    }
    if let Some(Some(parent)) = &change.parent {
        find(request, parent).map_err(|error| error.at("/parent"))?;
    }
    let warnings = template_warnings(change.callback.as_ref().and_then(Option::as_ref));
    let mut state = account.state();
    for url in change.urls().into_iter().filter_map(|(_, url)| url) {
        state.callbacks.enable(url);
    }
    let settings = &mut state.settings;
    let features = change.features.map_or_else(Features::default, |given| given.unwrap_or(Features::REMOVED));
    set(&mut settings.callback, change.callback);
    set(&mut settings.chat_callback, change.chat_callback);
    set(&mut settings.inbound_callback, change.inbound_callback);
    set(&mut settings.allow_ip, networks);
    set(&mut settings.two_way, change.two_way.map(Option::unwrap_or_default));
    set(&mut settings.conversion, features.conversion);
    set(&mut settings.duplicate_reports, features.duplicate_reports);
    set(&mut settings.reorder_reports, features.reorder_reports);
    set(&mut settings.parent, change.parent);
    drop(state);
    let mut shown = show(request, &account);
    if let Value::Object(members) = &mut shown {
        members.insert("warnings".to_owned(), json!(warnings));
    }
    Ok(ok(&shown))
}

fn set<T>(setting: &mut T, change: Option<T>) {
    if let Some(change) = change {
        *setting = change;
    }
}

/// Warnings about unknown variables and about variables that the specification does not document (D34).
fn template_warnings(callback: Option<&Callback>) -> Vec<String> {
    use cpaas::callback::{Template, TemplateFormat};
    let Some(callback) = callback else { return Vec::new() };
    let format = if callback.posts() { TemplateFormat::Json } else { TemplateFormat::Url };
    let sources =
        [(Some(callback.url.as_str()), TemplateFormat::Url), (callback.template.as_deref(), format)];
    let mut warnings = Vec::new();
    for (source, format) in sources.into_iter().filter_map(|(source, format)| Some((source?, format))) {
        let template = Template::parse(source, format);
        warnings.extend(
            template.unknown().iter().map(|name| format!("unknown variable `{name}` is not replaced")),
        );
        for variable in template.variables().filter(|variable| !variable.is_documented()) {
            warnings.push(format!("variable `{}` is an assumption: D34", variable.name()));
        }
    }
    warnings
}

//! Serves the inbox page and the folder of `--composer`.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tower_http::services::ServeDir;

use crate::options::Options;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::sandbox_state::Shared;

fn missing() -> ProviderError {
    ProviderError::plain(404, "the sandbox has no such page")
}

/// The inbox may load its own files and call the control API; inline scripts and other hosts are forbidden.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of the composer. Its page has a policy of its own, in an element, which cannot forbid frames.
const COMPOSER_HEADERS: [(HeaderName, &str); 3] = [
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

macro_rules! inbox {
    ($($name:literal),* $(,)?) => {
        /// The files of the inbox page, embedded in the program.
        const INBOX: &[(&str, &str)] = &[$(($name, include_str!(concat!("../inbox/", $name)))),*];
    };
}

inbox!(
    "index.html",
    "style.css",
    "icon.svg",
    "app.js",
    "api.js",
    "bubble.js",
    "callback_log.js",
    "campaigns.js",
    "cards.js",
    "clock.js",
    "message_content.js",
    "dom.js",
    "event_log.js",
    "failover.js",
    "faults.js",
    "filter_bar.js",
    "filters.js",
    "forms.js",
    "json_view.js",
    "log.js",
    "number_list.js",
    "phone.js",
    "phones.js",
    "request_log.js",
    "formatted_text.js",
    "settings.js",
    "tabs.js",
    "url_state.js",
);

macro_rules! docs {
    ($($name:literal),* $(,)?) => {
        /// The pages of the documentation that the inbox links to, embedded in the program.
        const DOCS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../docs/", $name)))),*];
    };
}

docs!("sandbox.txt", "provider-codes.txt", "problems.txt");

/// The inbox at `/`, its files below `/assets/inbox/`, and the folder of `--composer`.
pub(crate) fn routes(options: &Options) -> Router<Arc<Shared>> {
    let router = Router::new()
        .route("/", get(async || inbox("index.html")))
        .route("/assets/inbox/{name}", get(async |Path(name): Path<String>| inbox(&name)))
        .route("/docs/{name}", get(async |Path(name): Path<String>| doc(&name)))
        .route("/assets/{*path}", get(async || missing()));
    let router = match &options.composer {
        Some(folder) => router
            .route("/composer", get(async || Redirect::permanent("/composer/")))
            .nest_service("/composer/", composer(folder)),
        None => router
            .route("/composer", get(async || missing()))
            .route("/composer/{*path}", get(async || missing())),
    };
    router.method_not_allowed_fallback(async || {
        ProviderError::plain(405, "this path does not support this method")
    })
}

/// The folder of `--composer`. Adds a `meta` element to its page. The page reads the element and then offers to send messages to
/// the sandbox.
fn composer(folder: &std::path::Path) -> Router {
    let index = folder.join("index.html");
    let page = get(async move || {
        // A small local file: a blocking read is short.
        let page = std::fs::read_to_string(&index).map_err(|_| missing())?;
        let page = page.replacen("<head>", "<head>\n    <meta name=\"cpaas-sandbox\" content=\"1\" />", 1);
        Ok::<_, ProviderError>(([("cache-control", "no-cache")], Html(page)))
    });
    Router::new()
        .route("/", page.clone())
        .route("/index.html", page)
        .fallback_service(ServeDir::new(folder))
        .layer(map_response(async |mut response: Response| {
            for (name, value) in COMPOSER_HEADERS {
                response.headers_mut().insert(name, HeaderValue::from_static(value));
            }
            response
        }))
}

/// A file of the inbox. The browser revalidates it each time, so that a new version of the program shows its own page.
fn inbox(name: &str) -> ProviderResult<impl IntoResponse + use<>> {
    let (name, text) = INBOX.iter().find(|(known, _)| *known == name).ok_or_else(missing)?;
    let headers = [
        ("content-type", kind(name)),
        ("content-security-policy", POLICY),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ];
    Ok((headers, *text))
}

/// A page of the documentation, as the text that it is.
fn doc(name: &str) -> ProviderResult<impl IntoResponse + use<>> {
    let (_, text) = DOCS.iter().find(|(known, _)| *known == name).ok_or_else(missing)?;
    let headers = [
        ("content-type", "text/plain; charset=utf-8"),
        ("content-security-policy", POLICY),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ];
    Ok((headers, *text))
}

/// The content type of a file of the inbox.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "image/svg+xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acc_198_the_inbox_is_complete_and_loads_only_its_own_files() {
        for (name, text) in INBOX {
            assert!(!kind(name).starts_with("application/"), "{name}");
            let references = text.split("/assets/inbox/").chain(text.split(" from \"./").skip(1)).skip(1);
            for reference in references {
                let named = reference.split(['"', '\'', ')']).next().unwrap_or_default();
                assert!(INBOX.iter().any(|(known, _)| *known == named), "{name} refers to {named}");
            }
            let elsewhere = text.replace("http://www.w3.org/", "");
            assert!(!elsewhere.contains("src=\"http") && !elsewhere.contains("import(\"http"), "{name}");
        }
        let page = INBOX[0].1;
        assert!(!page.contains("<style") && !page.contains(" onclick") && !page.contains(" style="));
        assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=").count());
    }
}

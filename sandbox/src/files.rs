//! Pages and folders that are served beside the provider's interface.

use std::path::{Component, Path, PathBuf};

use crate::provider_error::{Outcome, ProviderError};
use crate::reply::Reply;
use crate::shared::Shared;

fn missing() -> ProviderError {
    ProviderError::plain(404, "no such page of the sandbox")
}

/// What the inbox may load: its own files and the control plane, no script within the page, nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

macro_rules! inbox {
    ($($name:literal),* $(,)?) => {
        /// The inbox: the files of the page, kept within the program.
        const INBOX: &[(&str, &str)] = &[$(($name, include_str!(concat!("../inbox/", $name)))),*];
    };
}

inbox!(
    "index.html",
    "style.css",
    "icon.svg",
    "app.js",
    "api.js",
    "attempts.js",
    "bubble.js",
    "cards.js",
    "clock.js",
    "content.js",
    "dom.js",
    "events.js",
    "faults.js",
    "phone.js",
    "phones.js",
    "requests.js",
    "rich.js",
    "tabs.js",
);

/// A page or a file of one: the inbox at `/`, its files below `/assets/inbox/`, the folder of `--composer`.
pub(crate) fn page(shared: &Shared, method: &str, path: &str) -> Outcome<Reply> {
    if !matches!(method, "GET" | "HEAD") {
        let mut refusal = ProviderError::plain(405, "this path has another method");
        refusal.allow = Some("GET, HEAD".into());
        return Err(refusal);
    }
    let name = if path == "/" { Some("index.html") } else { path.strip_prefix("/assets/inbox/") };
    match name {
        Some(name) => inbox(name),
        None => composer(shared, path),
    }
}

/// The browser asks again each time, so that a new version of the program shows its own page.
fn inbox(name: &str) -> Outcome<Reply> {
    let (name, text) = INBOX.iter().find(|(known, _)| *known == name).ok_or_else(missing)?;
    Ok(Reply::new(200, kind(Path::new(name)), *text)
        .header("content-security-policy", POLICY)
        .header("cache-control", "no-cache")
        .header("x-content-type-options", "nosniff")
        .header("referrer-policy", "no-referrer"))
}

fn composer(shared: &Shared, path: &str) -> Outcome<Reply> {
    let rest = path.strip_prefix("/composer").ok_or_else(missing)?;
    let root = shared.options.composer.as_deref().ok_or_else(missing)?;
    if rest.is_empty() {
        return Ok(Reply::new(308, "", "").header("location", "/composer/"));
    }
    let file = inside(root, &crate::query::decode(rest)).ok_or_else(missing)?;
    let bytes = std::fs::read(&file).map_err(|_| missing())?;
    Ok(Reply::new(200, kind(&file), bytes))
}

/// A file below the root; no step upwards.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let path = path.trim_start_matches('/');
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let relative = Path::new(&path);
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| root.join(relative))
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acc_198_the_inbox_is_whole_and_loads_nothing_from_elsewhere() {
        for (name, text) in INBOX {
            assert!(!kind(Path::new(name)).starts_with("application/"), "{name}");
            let references = text.split("/assets/inbox/").chain(text.split(" from \"./").skip(1)).skip(1);
            for reference in references {
                let named = reference.split(['"', '\'', ')']).next().unwrap_or_default();
                assert!(INBOX.iter().any(|(known, _)| *known == named), "{name} wants {named}");
            }
            let elsewhere = text.replace("http://www.w3.org/", "");
            assert!(!elsewhere.contains("src=\"http") && !elsewhere.contains("import(\"http"), "{name}");
        }
        let page = INBOX[0].1;
        assert!(!page.contains("<style") && !page.contains(" onclick") && !page.contains(" style="));
        assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=").count());
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let root = Path::new("/root");
        assert_eq!(inside(root, "/a/b.js"), Some(PathBuf::from("/root/a/b.js")));
        assert_eq!(inside(root, "/"), Some(PathBuf::from("/root/index.html")));
        assert_eq!(inside(root, "/../etc/passwd"), None);
        assert_eq!(inside(root, "//etc/passwd"), Some(PathBuf::from("/root/etc/passwd")));
    }
}

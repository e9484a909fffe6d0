//! Pages and folders that are served beside the provider's interface.

use std::path::{Component, Path, PathBuf};

use crate::refusal::{Outcome, Refusal};
use crate::reply::Reply;
use crate::shared::Shared;

fn missing() -> Refusal {
    Refusal::plain(404, "no such page of the sandbox")
}

/// The folder of `--composer`.
pub(crate) fn page(shared: &Shared, path: &str) -> Outcome<Reply> {
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
    fn no_path_leads_out_of_the_folder() {
        let root = Path::new("/root");
        assert_eq!(inside(root, "/a/b.js"), Some(PathBuf::from("/root/a/b.js")));
        assert_eq!(inside(root, "/"), Some(PathBuf::from("/root/index.html")));
        assert_eq!(inside(root, "/../etc/passwd"), None);
        assert_eq!(inside(root, "//etc/passwd"), Some(PathBuf::from("/root/etc/passwd")));
    }
}

//! The pages of the documentation that the sandbox serves: copies, so that its crate is complete when it is
//! published. They are served as plain text, so they have its extension.

use crate::{File, problems_page, provider_codes, root};

/// The page that is written by hand; the others are generated too.
const HANDWRITTEN: &str = "docs/sandbox.md";

/// The files.
///
/// # Errors
/// The page cannot be read.
pub fn files() -> Result<Vec<File>, String> {
    let text = std::fs::read_to_string(root().join(HANDWRITTEN))
        .map_err(|error| format!("{HANDWRITTEN}: {error}"))?;
    let generated = problems_page::files().into_iter().chain(provider_codes::files());
    let pages = generated.filter(|(name, _)| name.starts_with("docs/"));
    let pages = pages.chain([(HANDWRITTEN.to_owned(), text)]);
    Ok(pages.map(|(name, text)| (format!("sandbox/{}", name.replace(".md", ".txt")), text)).collect())
}

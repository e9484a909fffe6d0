//! Sizes and dimensions of media files, as the control API sets them by URL; the sandbox does not fetch files.

use std::collections::HashMap;

use cpaas::checks::{check_file, check_photo};
use serde::Deserialize;
use serde_json::Value;

use crate::assumptions::AssumptionId;
use crate::provider_error::{ProviderError, ProviderResult};

/// Size and dimensions of a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MediaFile {
    pub(crate) url: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    width: u64,
    #[serde(default)]
    height: u64,
}

/// Rejects files that are known to be too large for their channel, by the library's limits.
pub(crate) fn check_media(
    files: &HashMap<String, MediaFile>,
    channel: &str,
    content: &Value,
) -> ProviderResult<()> {
    let file = |pointer: &str| files.get(content.pointer(pointer)?.as_str()?);
    let (field, problems) = match channel {
        "messenger_b" => {
            let field = "/file/mediaUrl";
            (field, file(field).map(|file| check_file(file.bytes)))
        }
        "messenger_c" => {
            let field = "/photo/url";
            (field, file(field).map(|photo| check_photo(photo.bytes, photo.width, photo.height)))
        }
        _ => return Ok(()),
    };
    match problems.iter().flatten().next() {
        Some(problem) => {
            let message = format!("{} [{}]", problem.message, problem.code);
            Err(ProviderError::plain(400, message)
                .at(format!("/{channel}{field}"))
                .assuming(AssumptionId(41)))
        }
        None => Ok(()),
    }
}

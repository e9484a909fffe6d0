//! What the sandbox was told of files behind URLs; it fetches none.

use serde::Deserialize;
use serde_json::Value;

use crate::provider_error::{Outcome, ProviderError};
use crate::state::State;

/// Size and dimensions of a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facts {
    pub(crate) url: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    width: u64,
    #[serde(default)]
    height: u64,
}

/// 10 MB are 10,485,760 bytes, as in the library.
const MEGABYTE: u64 = 1 << 20;

impl State {
    /// Refuses files that are known to be too large for their channel.
    pub(crate) fn check_media(&self, channel: &str, content: &Value) -> Outcome<()> {
        let facts = |pointer: &str| self.media.get(content.pointer(pointer)?.as_str()?);
        let refuse = |text: &str, field: &str| {
            Err(ProviderError::plain(400, format!("{text} [sandbox]")).at(format!("/{channel}{field}")))
        };
        if channel == "messenger_b"
            && let Some(file) = facts("/file/mediaUrl")
            && file.bytes > 200 * MEGABYTE
        {
            return refuse("a file has at most 200 MB", "/file/mediaUrl");
        }
        if channel == "messenger_c"
            && let Some(photo) = facts("/photo/url")
        {
            let (long, short) = (photo.width.max(photo.height), photo.width.min(photo.height));
            if photo.bytes > 10 * MEGABYTE {
                return refuse("a photo has at most 10 MB", "/photo/url");
            }
            if long + short > 10_000 {
                return refuse("width and height of a photo are at most 10000 together", "/photo/url");
            }
            if long > 20 * short.max(1) {
                return refuse("the ratio of a photo is at most 20", "/photo/url");
            }
        }
        Ok(())
    }
}

//! The provider of a campaign or key: its first run stores the addresses, and another provider is refused as soon as a row may have been
//! sent. So a test with the sandbox is not continued in production, and the outcome of a key is not that of another provider.

use cpaas::{Client, OperationId};

use super::Journal;
use super::campaign_record::CampaignRecord;
use super::owners::owners;
use super::store::Transaction;
use crate::error::{Error, Result};

/// Where a client sends.
#[derive(Debug)]
pub(crate) struct Provider {
    /// The scheme, host and port of each address; none if the client has no address for the operation.
    pub(crate) addresses: Vec<String>,
    /// Whether a campaign or key may continue that began with another provider.
    pub(crate) replaces_any: bool,
}

impl Provider {
    /// The provider of a client. A key may rotate, so it is not a part.
    pub(crate) fn new(client: &Client, operation: OperationId, replaces_any: bool) -> Self {
        let origins = client.context().origins(operation.meta().family);
        Self { addresses: origins.iter().map(|origin| normalized(origin)).collect(), replaces_any }
    }

    fn is_stored(&self, stored: &[String]) -> bool {
        is_stored(&self.addresses, stored)
    }
}

/// Whether a client has one of the stored addresses. A provider has several regions, and a client may have only some of them.
fn is_stored(addresses: &[String], stored: &[String]) -> bool {
    addresses.is_empty() || addresses.iter().any(|address| stored.contains(address))
}

/// Compares the addresses of a worker with those of its campaign.
///
/// # Errors
/// [`Error::OtherProvider`].
pub(super) fn check(addresses: &[String], stored: &[String]) -> Result<()> {
    match is_stored(addresses, stored) {
        true => Ok(()),
        false => {
            Err(Error::OtherProvider { what: "campaign", stored: stored.to_vec(), found: addresses.to_vec() })
        }
    }
}

impl Journal {
    /// Compares the provider of a campaign, and stores it if the campaign has none yet.
    ///
    /// # Errors
    /// [`Error::OtherProvider`], or when the journal fails.
    pub(crate) fn begin_with_provider(
        &mut self,
        campaign: &CampaignRecord,
        provider: &Provider,
    ) -> Result<()> {
        if provider.is_stored(&campaign.settings.provider) {
            return Ok(());
        }
        self.write(|transaction| {
            let known = CampaignRecord::by_id(transaction, &campaign.id)?;
            compare(transaction, known, "campaign", provider).map(drop)
        })
    }
}

/// An origin in lower case and without the port of its scheme.
fn normalized(origin: &str) -> String {
    let origin = origin.to_ascii_lowercase();
    let port = if origin.starts_with("https:") { ":443" } else { ":80" };
    origin.strip_suffix(port).unwrap_or(&origin).to_owned()
}

/// Compares the provider of a campaign within a transaction, and stores it if the campaign has none yet, or only rejections: a wrong
/// address is corrected. A worker that waits for its first row counts as use.
pub(super) fn compare(
    transaction: &mut dyn Transaction,
    mut known: CampaignRecord,
    what: &'static str,
    provider: &Provider,
) -> Result<CampaignRecord> {
    if provider.is_stored(&known.settings.provider) {
        return Ok(known);
    }
    let found = provider.addresses.clone();
    let stored = std::mem::replace(&mut known.settings.provider, found.clone());
    let counts = known.counts;
    let is_possibly_alive = owners(transaction, &known.id)?.iter().any(|owner| owner.possibly_alive);
    let is_used = counts.accepted + counts.unknown + counts.open > 0 || is_possibly_alive;
    if is_used && !stored.is_empty() {
        if !provider.replaces_any {
            return Err(Error::OtherProvider { what, stored, found });
        }
        // Both are permitted from now on; the outcome of a key stays that of its own provider.
        if what == "key" {
            known.settings.provider = stored;
            return Ok(known);
        }
        known.settings.provider.extend(stored);
    }
    let settings = serde_json::to_string(&known.settings).map_err(|_| Error::Damaged("settings"))?;
    let sql = "UPDATE campaigns SET settings = $1 WHERE id = $2";
    transaction.execute(sql, &[settings.into(), known.id.as_str().into()])?;
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn an_origin_has_one_form() {
        for origin in ["https://API.example", "HTTPS://api.example:443", "https://api.example"] {
            assert_eq!(normalized(origin), "https://api.example", "{origin}");
        }
        assert_eq!(normalized("http://api.example:80"), "http://api.example");
        assert_eq!(normalized("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
        assert_eq!(normalized("https://api.example:80"), "https://api.example:80");
    }
}

//! The provider of a campaign or key: its first run stores the addresses, and another provider is refused as soon as a row may have been
//! sent. So a test with the sandbox is not continued in production, and the outcome of a key is not that of another provider.

use cpaas::{Client, OperationId};

use super::Journal;
use super::campaign_record::CampaignRecord;
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
        Self { addresses: client.context().origins(operation.meta().family), replaces_any }
    }

    /// Whether it has one of the stored addresses. A provider has several regions, and a client may have only some of them.
    fn is_stored(&self, stored: &[String]) -> bool {
        self.addresses.is_empty() || self.addresses.iter().any(|address| stored.contains(address))
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

/// Compares the provider of a campaign within a transaction, and stores it if the campaign has none yet.
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
    let is_used = counts.accepted + counts.rejected + counts.unknown + counts.open > 0;
    if is_used && !stored.is_empty() && !provider.replaces_any {
        return Err(Error::OtherProvider { what, stored, found });
    }
    let settings = serde_json::to_string(&known.settings).map_err(|_| Error::Damaged("settings"))?;
    let sql = "UPDATE campaigns SET settings = $1 WHERE id = $2";
    transaction.execute(sql, &[settings.into(), known.id.as_str().into()])?;
    Ok(known)
}

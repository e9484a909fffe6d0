//! Sending one row.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cpaas::{Client, OperationId};
use tokio::sync::OwnedSemaphorePermit;

use super::claim_reply::Granted;
use super::gate::Gate;
use super::inbox::Inbox;
use super::marks::PermitEntry;
use crate::campaign::reference;
use crate::chunk::ChunkRow;
use crate::cpaas_calls::{self, Ended};
use crate::journal::{CHUNK_ROWS, Settlement};
use crate::protocol::{Health, PermitRow, Ramp, RowOutcome, Signal};
use crate::row_reason::RowReason;

/// State that the tasks of a worker share.
pub(super) struct Shared {
    pub(super) client: Client,
    pub(super) operation: OperationId,
    pub(super) campaign: String,
    pub(super) has_reference: bool,
    pub(super) keeps_responses: bool,
    pub(super) deadline: Duration,
    pub(super) inbox: Inbox,
    gate: Arc<Gate>,
    ramp: Mutex<Ramp>,
}

impl Shared {
    pub(super) fn new(
        client: Client,
        operation: OperationId,
        campaign: &crate::journal::CampaignRecord,
        deadline: Duration,
        inbox: Inbox,
        gate: Arc<Gate>,
    ) -> Self {
        Self {
            client,
            operation,
            campaign: campaign.id.clone(),
            has_reference: campaign.settings.has_reference,
            keeps_responses: campaign.settings.keeps_responses,
            deadline,
            inbox,
            gate,
            ramp: Mutex::default(),
        }
    }

    pub(super) fn ramp(&self) -> MutexGuard<'_, Ramp> {
        self.ramp.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn observe(&self, ended: &Ended) {
        self.ramp().observe(ended.signal);
        self.gate.observe(ended.health);
    }

    /// Settles a row without sending it.
    pub(super) fn skip(
        &self,
        granted: &Granted,
        named: PermitRow,
        (outcome, reason): (RowOutcome, RowReason),
        in_progress: OwnedSemaphorePermit,
    ) {
        let price = granted.rows.get(usize::from(named.row)).map_or(0, |row| row.price);
        let settlement = Settlement {
            chunk: granted.chunk,
            sequence: granted.permit.sequence,
            row: named.row,
            outcome,
            reason: Some(reason.as_str().to_owned()),
            message_id: None,
            detail: None,
            price,
            health: Health::Neutral,
        };
        self.inbox.settle(settlement, Duration::ZERO, in_progress);
    }
}

/// A row that passed the gate.
pub(super) struct RowTask {
    pub(super) chunk: u32,
    pub(super) sequence: u32,
    pub(super) named: PermitRow,
    pub(super) rows: Arc<Vec<ChunkRow>>,
    /// Where the row is marked, and its position in the permit.
    pub(super) mark: Option<(PermitEntry, usize)>,
    /// Counts the row as in progress until its outcome is durable.
    pub(super) in_progress: OwnedSemaphorePermit,
}

/// Sends a row and settles it. True when the provider accepted it.
pub(super) async fn send(shared: Arc<Shared>, task: RowTask) -> bool {
    let Some(row) = task.rows.get(usize::from(task.named.row)) else { return false };
    let Some(request) = &row.request else { return false };
    let request = shared.request(&task, request.get());
    let on_failure = |reason| shared.gate.fails(reason);
    // From here on the request may reach the network.
    let ended = if task.mark.as_ref().is_none_or(|(entry, position)| entry.mark(*position)) {
        cpaas_calls::send(&shared.client, shared.operation, &request, shared.deadline, on_failure).await
    } else {
        Ended::not_marked()
    };
    shared.observe(&ended);
    let settlement = Settlement {
        chunk: task.chunk,
        sequence: task.sequence,
        row: task.named.row,
        outcome: ended.outcome,
        reason: ended.reason,
        message_id: ended.message_id,
        detail: shared.keeps_responses.then_some(ended.detail),
        price: row.price,
        health: ended.health,
    };
    shared.inbox.settle(settlement, ended.backoff, task.in_progress);
    ended.signal == Signal::Success
}

impl Shared {
    /// The request with the reference of this row and attempt.
    fn request(&self, task: &RowTask, request: &str) -> String {
        let rest = request.trim_start().strip_prefix('{').filter(|_| self.has_reference);
        let Some(rest) = rest else { return request.to_owned() };
        let row = u64::from(task.chunk) * CHUNK_ROWS as u64 + u64::from(task.named.row);
        let reference = reference(&self.campaign, row, task.named.attempt);
        format!("{{\"reference\":\"{reference}\",{rest}")
    }
}

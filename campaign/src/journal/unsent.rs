//! Settles rows that a worker claimed and certainly did not send before it was killed.

use std::collections::BTreeSet;

use super::campaign_record::CampaignRecord;
use super::counter_changes::Changes;
use super::load_history::history;
use super::owner_file::{Evidence, LeftFile};
use super::owners::owner;
use super::settle::settle;
use super::settlement::Settlement;
use super::store::Transaction;
use super::{Journal, Owner};
use crate::error::Result;
use crate::protocol::{Health, RowOutcome, RowState};
use crate::row_reason::RowReason;

/// Whether it is certain that the owner has ended, and that the journal has all of its commits.
const fn has_ended(owner: &Owner) -> bool {
    owner.is_certain && !owner.is_restored
}

impl Journal {
    /// Settles as not sent the rows of ended owners of this machine whose requests never reached the network, and returns their
    /// number. Rows without such a proof stay unknown. Removes the files of these owners, which prove nothing any more.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn settle_unsent_rows(&mut self, id: &str) -> Result<u64> {
        let mut settled = 0;
        for owner in self.owners(id)?.into_iter().filter(has_ended) {
            let Some(evidence) = Evidence::of(owner.id) else { continue };
            if let Some(rows) = self.settle_by(id, &owner, &evidence)? {
                settled += rows;
                evidence.remove();
            }
        }
        Ok(settled)
    }

    /// Removes the files of workers on this machine that prove nothing any more: of ended owners of this journal without an open row,
    /// and old ones of journals that do not exist any more.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn remove_left_files(&mut self) -> Result<()> {
        let left = LeftFile::all();
        if left.is_empty() {
            return Ok(());
        }
        // A transaction that writes begins after the commit that a server may still make for a worker that was killed.
        let useless = self.write(|transaction| {
            let is_useless = |left: &LeftFile| match owner(transaction, left.owner)? {
                Some(owner) => Ok(has_ended(&owner) && owner.open == 0),
                None => Ok(left.is_abandoned()),
            };
            left.iter().map(is_useless).collect::<Result<Vec<bool>>>()
        })?;
        left.into_iter()
            .zip(useless)
            .filter(|(_, is_useless)| *is_useless)
            .for_each(|(left, _)| left.remove());
        Ok(())
    }

    /// The number of rows that were settled; `None` if the owner's file must stay.
    fn settle_by(&mut self, id: &str, ended: &Owner, evidence: &Evidence) -> Result<Option<u64>> {
        let times = self.probe_times();
        self.write(|transaction| {
            // A transaction that writes begins after the commit that a server may still make for a worker that was killed.
            let Some(owner) = owner(transaction, ended.id)?.filter(has_ended) else { return Ok(None) };
            if owner.open == 0 {
                return Ok(Some(0));
            }
            let mut campaign = CampaignRecord::by_id(transaction, id)?;
            let mut settlements = Vec::new();
            for chunk in evidence.permits().map(|(chunk, _)| chunk).collect::<BTreeSet<u32>>() {
                unsent_rows(transaction, id, chunk, &owner, evidence, &mut settlements)?;
            }
            let mut changes = Changes::default();
            settle(transaction, &mut campaign, owner.id, &settlements, &mut changes, &times)?;
            changes.apply(transaction, id)?;
            transaction.execute("UPDATE owners SET is_gone = 1 WHERE id = $1", &[owner.id.into()])?;
            Ok(Some(u64::try_from(settlements.len()).unwrap_or_default()))
        })
    }
}

fn unsent_rows(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    owner: &Owner,
    evidence: &Evidence,
    settlements: &mut Vec<Settlement>,
) -> Result<()> {
    let history = history(transaction, id, chunk)?;
    // A purged row cannot be sent any more, so it stays unknown.
    let Some(prices) = prices(transaction, id, chunk)? else { return Ok(()) };
    for permit in history.permits().iter().filter(|permit| permit.owner == owner.id) {
        for (position, named) in permit.rows.iter().enumerate() {
            let is_last = history.last_permit(named.row).is_some_and(|last| last.sequence == permit.sequence);
            let is_open = is_last && history.state(named.row) == RowState::Open { owner: owner.id };
            if is_open && evidence.is_unsent((chunk, permit.sequence), position) {
                settlements.push(Settlement {
                    chunk,
                    sequence: permit.sequence,
                    row: named.row,
                    outcome: RowOutcome::NotSent,
                    reason: Some(RowReason::NotBegun.as_str().to_owned()),
                    message_id: None,
                    detail: None,
                    price: prices.get(usize::from(named.row)).copied().unwrap_or_default(),
                    health: Health::Neutral,
                });
            }
        }
    }
    Ok(())
}

/// The prices of the rows of a chunk; `None` after a purge.
fn prices(transaction: &mut dyn Transaction, id: &str, chunk: u32) -> Result<Option<Vec<i64>>> {
    let sql = "SELECT digest, body FROM chunks WHERE campaign = $1 AND chunk = $2";
    let rows = transaction.query(sql, &[id.into(), chunk.into()])?;
    let Some(row) = rows.first() else { return Ok(None) };
    let Some(body) = row.bytes("body")? else { return Ok(None) };
    let rows = crate::chunk::decode(body, row.text("digest")?)?;
    Ok(Some(rows.iter().map(|row| row.price).collect()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::thread;
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::campaign::status;
    use crate::journal::store::{Declaration, DeclarationWork, Work};
    use crate::journal::{ChunkView, Claim, OpenOptions, OwnerFile, Settings, SqliteStore, Store};
    use crate::protocol::Token;
    use crate::source::IteratorSource;
    use crate::{Error, Messages, Template, blocking};

    /// A store that waits before each commit, as a server may for a worker that was killed.
    struct SlowCommit {
        store: SqliteStore,
        before_commit: Sender<()>,
        may_commit: Receiver<()>,
    }

    impl Store for SlowCommit {
        fn write(&mut self, work: Work<'_>) -> Result<()> {
            self.store.write(&mut |transaction| {
                work(transaction)?;
                let _ = self.before_commit.send(());
                self.may_commit.recv().map_err(|_| Error::Task)
            })
        }

        fn read(&mut self, work: Work<'_>) -> Result<()> {
            self.store.read(work)
        }

        fn declare(&mut self, declaration: Declaration, work: DeclarationWork<'_>) -> Result<()> {
            self.store.declare(declaration, work)
        }

        fn place(&self) -> String {
            self.store.place()
        }

        fn bytes_type(&self) -> &'static str {
            self.store.bytes_type()
        }

        fn is_read_only(&self) -> bool {
            false
        }

        fn warning(&self) -> Option<&Error> {
            None
        }
    }

    fn opened(path: &Path) -> SqliteStore {
        SqliteStore::open(path, OpenOptions::default()).unwrap()
    }

    /// Runs work on the journal while the claim of an ended worker waits for its commit. The worker has named the permit in its file.
    fn during_a_commit<T: Send + 'static>(
        work: impl FnOnce(&mut Journal, &str) -> T + Send + 'static,
    ) -> (T, Journal, String, Token) {
        let folder = tempfile::tempdir().unwrap().keep();
        let path = folder.join("campaign.db");
        let mut journal = Journal::new(Box::new(opened(&path))).unwrap();
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi", "type": "auto"});
        let messages = Messages::new("sms.send", Template::new(template).unwrap());
        let row =
            |row: u64| json!({"phone": (306_910_000_000 + row).to_string()}).as_object().unwrap().clone();
        let mut rows = IteratorSource((0..3).map(row));
        let id =
            blocking::create(&mut journal, "c", &mut rows, &messages, Settings::default(), None).unwrap().id;
        let registered = id.clone();
        let owner = thread::spawn(move || {
            let owner = journal.register_thread(&registered).unwrap();
            (owner, journal)
        });
        let (owner, mut journal) = owner.join().unwrap();
        let file = OwnerFile::create(owner, 4, Some(&path)).unwrap();
        assert!(file.name(0, 0, 0));
        drop(file);
        let (before_commit, is_before_commit) = mpsc::channel();
        let (commit, may_commit) = mpsc::channel();
        let claiming = thread::spawn({
            let (path, id) = (path.clone(), id.clone());
            move || {
                let (rows, history, version) = {
                    let mut journal = Journal::new(Box::new(opened(&path))).unwrap();
                    let (history, version) = journal.history(&id, 0).unwrap();
                    (journal.rows(&id, 0).unwrap(), history, version)
                };
                let mut view = ChunkView::new(0, &rows, history, version);
                let store = SlowCommit { store: opened(&path), before_commit, may_commit };
                let mut slow = Journal { store: std::sync::Mutex::new(Box::new(store)), probe_times: None };
                let token = Token::random().unwrap();
                let claim =
                    Claim { owner, token, limit: 2, requested: &|_| true, may_halt: true, provider: &[] };
                slow.exchange(&id, owner, &[], 0, Some((&claim, &mut view))).unwrap();
            }
        });
        is_before_commit.recv().unwrap();
        assert!(journal.owners(&id).unwrap().iter().all(|owner| has_ended(owner) && owner.open == 0));
        let worked = thread::spawn({
            let id = id.clone();
            move || (work(&mut journal, &id), journal)
        });
        thread::sleep(Duration::from_millis(300));
        assert!(!worked.is_finished(), "it must wait for the commit");
        commit.send(()).unwrap();
        claiming.join().unwrap();
        let (result, journal) = worked.join().unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        (result, journal, id, owner)
    }

    #[test]
    fn a_permit_that_is_committed_after_its_worker_ended_is_settled_by_its_file() {
        let (settled, mut journal, _, owner) = during_a_commit(|journal, id| {
            (journal.settle_unsent_rows(id).unwrap(), status(journal, "c").unwrap())
        });
        assert_eq!((settled.0, settled.1.pending, settled.1.unknown), (2, 3, 0));
        assert!(Evidence::of(owner).is_none(), "the file was removed");
        assert!(journal.campaigns().is_err(), "its folder was removed");
    }

    #[test]
    fn the_file_of_a_worker_stays_while_its_permit_may_be_committed() {
        let ((removed, settled), _, _, owner) = during_a_commit(|journal, id| {
            let owner = journal.owners(id).unwrap()[0].id;
            journal.remove_left_files().unwrap();
            let is_removed = Evidence::of(owner).is_none();
            (is_removed, journal.settle_unsent_rows(id).unwrap())
        });
        assert_eq!((removed, settled), (false, 2));
        assert!(Evidence::of(owner).is_none(), "the file was removed after its rows were settled");
    }
}

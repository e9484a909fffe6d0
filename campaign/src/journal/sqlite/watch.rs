//! Observes whether the files of an open journal are replaced, without a transaction.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::SqliteStore;
use super::file_system::inode;
use crate::journal::store::Watch;

/// The paths must have the inodes that were opened. A file that was written into the database keeps its inode, but has another id,
/// was rebuilt, or has an older header. After a false alarm, such as a vacuum
/// of another program, the next transaction stores what it has seen.
pub(super) fn watch(store: &SqliteStore) -> Watch {
    let (files, main, file_id) = (store.files.clone(), store.main.share(), store.file_id);
    let (seen_header, seen_schema) = (store.seen_header.clone(), store.seen_schema.clone());
    Arc::new(move || {
        let is_same_database = main.header().is_ok_and(|header| {
            header.file_id == file_id
                && header.generation >= seen_header.load(Ordering::SeqCst)
                && header.schema <= seen_schema.load(Ordering::SeqCst)
        });
        is_same_database && files.iter().all(|(path, known)| inode(path) == *known)
    })
}

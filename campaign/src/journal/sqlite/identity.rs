//! The identity of a journal file. A copy or a restored backup may lack commits of the original, so it is refused.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::failed;
use crate::error::{Error, Result};
use crate::platform;

/// `statfs` types of file systems whose locks or commits are not reliable: NFS, SMB, CIFS, SMB2, 9p, AFS, Ceph, GFS2, OCFS2,
/// Lustre, FUSE.
const NETWORK: [u32; 11] = [
    0x6969,
    0x517B,
    0xFF53_4D42,
    0xFE53_4D42,
    0x0102_1997,
    0x5346_414F,
    0x00C3_6400,
    0x0116_1970,
    0x7461_636F,
    0x0BD0_0BD0,
    0x6573_5546,
];

pub(super) fn refuse_network(path: &Path) -> Result<()> {
    #[cfg(target_os = "linux")]
    {
        let found = rustix::fs::statfs(path).map_err(|error| Error::Open(error.into()))?;
        // The width of this field differs between platforms; the numbers have 32 bits.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
        let kind = found.f_type as u32;
        if NETWORK.contains(&kind) {
            return Err(Error::NetworkFileSystem);
        }
    }
    Ok(())
}

/// Stores the identity of a new journal, or compares it. Returns true if a copy was opened as restored.
pub(super) fn check(connection: &Connection, path: &Path, restored: bool) -> Result<bool> {
    let metadata = std::fs::metadata(path).map_err(Error::Open)?;
    let identity = format!("{}:{}:{}", metadata.dev(), metadata.ino(), platform::machine_id());
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let result = compare(connection, &identity, restored);
    let end = if result.is_ok() { "COMMIT" } else { "ROLLBACK" };
    connection.execute_batch(end).map_err(failed)?;
    result
}

fn compare(connection: &Connection, identity: &str, restored: bool) -> Result<bool> {
    let create = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)";
    connection.execute_batch(create).map_err(failed)?;
    let stored: Option<String> = connection
        .query_row("SELECT value FROM meta WHERE name = 'identity'", [], |row| row.get(0))
        .optional()
        .map_err(failed)?;
    let is_copy = stored.as_deref().is_some_and(|stored| stored != identity);
    if is_copy && !restored {
        return Err(Error::Copied);
    }
    let update = "INSERT INTO meta (name, value) VALUES ('identity', ?1)
                  ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(update, [identity]).map_err(failed)?;
    if is_copy {
        // Stays until `apply_restore` has made the rows unknown, so that this also happens after a crash in between.
        connection
            .execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('restored', '1')", [])
            .map_err(failed)?;
    }
    Ok(is_copy)
}

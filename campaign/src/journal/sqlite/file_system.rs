//! What the journal requires of its file system, and what identifies a file there.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, unopened};

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

/// `statfs` types of file systems in memory: tmpfs, ramfs.
const MEMORY: [u32; 2] = [0x0102_1994, 0x8584_58F6];

/// The `statfs` type; 0 where there is none.
fn file_system(path: &Path) -> io::Result<u32> {
    #[cfg(target_os = "linux")]
    {
        let found = rustix::fs::statfs(path)?;
        // The width of this field differs between platforms; the numbers have 32 bits.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
        Ok(found.f_type as u32)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        Ok(0)
    }
}

pub(super) fn refuse_network(path: &Path) -> Result<()> {
    match file_system(path).map_err(unopened(path.display()))? {
        kind if NETWORK.contains(&kind) => Err(Error::NetworkFileSystem),
        _ => Ok(()),
    }
}

/// Whether the folder is in memory, so that its files do not survive the machine's end, and no disk contains them.
pub(in crate::journal) fn is_in_memory(path: &Path) -> bool {
    file_system(path).is_ok_and(|kind| MEMORY.contains(&kind))
}

/// Refuses a file that is mounted by itself. Its write-ahead log and lock file would be in another file system.
pub(super) fn refuse_mounted_file(path: &Path) -> Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        if let Ok(found) = statx(CWD, path, AtFlags::empty(), StatxFlags::empty())
            && found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)
        {
            return Err(Error::MountedFile(path.display().to_string()));
        }
    }
    Ok(())
}

/// The time at which a file was created, in nanoseconds since 1970; 0 where it is not known.
pub(in crate::journal) fn birth_ns(file: &File) -> i64 {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, StatxFlags, statx};
        if let Ok(found) = statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::BTIME)
            && found.stx_mask & StatxFlags::BTIME.bits() != 0
        {
            let born = found.stx_btime;
            return born.tv_sec.saturating_mul(1_000_000_000).saturating_add(born.tv_nsec.into());
        }
    }
    0
}

/// The inode of the file with this path, or 0 if it does not exist.
pub(super) fn inode(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.ino())
}

/// The path without symbolic links. The file may be missing, its folder must exist.
pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(folder.unwrap_or_else(|| Path::new(".")).canonicalize()?.join(name))
}

pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

//! Files that only their owner can access.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The mode of every file that this crate creates.
const PRIVATE: u32 = 0o600;

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    // The type of these flags differs between systems; they have 32 bits.
    #[allow(clippy::cast_possible_wrap)]
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
    options.read(true).write(true).mode(PRIVATE).custom_flags(no_follow);
    options
}

/// Creates a file that only its owner can access. A file or symbolic link that exists is an error.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Opens a file that exists, for reading and writing. A symbolic link is an error.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    options().open(path)
}

/// As [`create`], but opens a file that exists. A symbolic link is an error.
pub(crate) fn open_or_create(path: &Path) -> io::Result<File> {
    options().create(true).truncate(false).open(path)
}

/// Refuses files that other users can access. Files that do not exist are private.
pub(crate) fn refuse_wide(paths: &[PathBuf]) -> Result<()> {
    let (mut wide, mut found) = (Vec::new(), 0);
    for path in paths {
        let mode = std::fs::metadata(path).map_or(PRIVATE, |found| found.permissions().mode() & 0o7777);
        if mode & 0o077 != 0 {
            wide.push(quoted(path));
            found = mode;
        }
    }
    if wide.is_empty() {
        return Ok(());
    }
    Err(Error::NotPrivate { mode: found, command: format!("chmod 600 {}", wide.join(" ")) })
}

/// A path as an argument of a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,@%:=".contains(&byte);
    if !text.is_empty() && !text.starts_with('-') && text.bytes().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_is_private_and_is_never_created_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, target) = (folder.path().join("new"), folder.path().join("target"));
        drop(create(&path).unwrap());
        assert_eq!(mode(&path), 0o600);
        assert_eq!(create(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(open_or_create(&path).unwrap());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(create(&link).is_err() && open_or_create(&link).is_err());
        assert!(!target.exists(), "nothing is created at the target of the link");
        std::fs::write(&target, "").unwrap();
        assert!(open(&path).is_ok() && open(&link).is_err() && open_or_create(&link).is_err());
    }

    #[test]
    fn files_that_others_can_access_are_refused_with_the_command_that_mends_them() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.db", "it's.db", "none.db"].map(|name| folder.path().join(name));
        for path in &paths[..2] {
            drop(create(path).unwrap());
        }
        assert!(refuse_wide(&paths).is_ok());
        for wide in [0o640, 0o606, 0o660, 0o644, 0o610] {
            for path in &paths[..2] {
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(wide)).unwrap();
            }
            let message = refuse_wide(&paths).unwrap_err().to_string();
            assert!(message.contains(&format!("got the mode {wide:04o}")), "{message}");
            let command = message.split('`').nth(1).unwrap();
            let status = std::process::Command::new("sh").args(["-c", command]).status().unwrap();
            assert!(status.success(), "{command}");
            assert_eq!(paths[..2].iter().map(|path| mode(path)).collect::<Vec<_>>(), [0o600, 0o600]);
            assert!(refuse_wide(&paths).is_ok());
        }
    }
}

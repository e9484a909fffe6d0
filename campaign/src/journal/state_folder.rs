//! The state folder of this machine: the highest generation of each journal that was used here, in a file that is named after the
//! epoch of the journal. It notices a restored journal if it is not restored together with it.

use std::env;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::PathBuf;

use cpaas::printable::{MAX_MESSAGE, printable};

use crate::identity_mismatch::RETIRED;
use crate::private_file;
use crate::protocol::Token;

/// The length of a generation in a file: a decimal number with leading zeros, so that a write never tears.
pub(super) const DIGITS: usize = 16;

/// Reads the generation at the beginning of a file; `None` if the file does not begin with one.
pub(super) fn read_generation(file: &File) -> io::Result<Option<i64>> {
    let mut digits = [0; DIGITS];
    match file.read_exact_at(&mut digits, 0) {
        Ok(()) => Ok(std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse().ok())),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the generation at the beginning of a file.
pub(super) fn write_generation(file: &File, generation: i64) -> io::Result<()> {
    file.write_all_at(format!("{generation:0DIGITS$}").as_bytes(), 0)
}

/// `$XDG_STATE_HOME/cpaas/journals`; `None` without a home.
fn folder() -> Option<PathBuf> {
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from).and_then(absolute);
    let state = state.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state")));
    Some(state.and_then(absolute)?.join("cpaas/journals"))
}

/// Why this process cannot use the state folder of the machine, which then does not notice a journal that is put back with all of its
/// files; `None` if it can.
#[must_use]
pub fn state_folder_problem() -> Option<String> {
    let lost = "a copy of all files of a journal that is put back in their place is not noticed";
    let Some(folder) = folder() else {
        return Some(format!(
            "the state folder is not known, because neither XDG_STATE_HOME nor HOME is an absolute path: {lost}"
        ));
    };
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let _ = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    let written = private_file::open_or_create(&probe).and_then(|file| write_generation(&file, 0));
    let _ = std::fs::remove_file(&probe);
    let error = written.err()?;
    let folder = folder.display().to_string();
    Some(format!("the state folder {} cannot be used ({error}): {lost}", printable(&folder, MAX_MESSAGE)))
}

/// What the state folder remembers of one epoch. A folder that is missing or cannot be written remembers nothing.
#[derive(Default)]
pub(super) struct StateFile(Option<File>);

impl StateFile {
    /// The file of an epoch, created if it is missing.
    pub(super) fn open(epoch: Token) -> Self {
        let Some(folder) = folder() else { return Self(None) };
        let _ = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        Self(private_file::open_or_create(&folder.join(epoch.to_hex())).ok())
    }

    /// The file of an epoch for reading only.
    pub(super) fn existing(epoch: Token) -> Self {
        Self(folder().and_then(|folder| File::open(folder.join(epoch.to_hex())).ok()))
    }

    /// The highest generation that was remembered, or [`RETIRED`]; 0 if nothing was.
    pub(super) fn highest(&self) -> i64 {
        let found = self.0.as_ref().and_then(|file| read_generation(file).ok());
        found.flatten().unwrap_or_default()
    }

    /// Remembers a generation while the caller has the lock of the journal, so that it is the highest. A file that cannot be
    /// written is not used again.
    pub(super) fn remember_locked(&mut self, generation: i64) {
        if self.0.as_ref().is_some_and(|file| write_generation(file, generation).is_err()) {
            self.0 = None;
        }
    }

    /// Remembers a generation, unless a higher one is known. A file that cannot be written is not used again.
    #[cfg(feature = "postgres")]
    pub(super) fn remember(&mut self, generation: i64) {
        let Some(file) = &self.0 else { return };
        let written = file.lock().and_then(|()| {
            let highest = read_generation(file)?.unwrap_or_default();
            let written = if highest < generation { write_generation(file, generation) } else { Ok(()) };
            file.unlock().and(written)
        });
        if written.is_err() {
            self.0 = None;
        }
    }

    /// Remembers durably that the journal of an epoch got another one. Idempotent.
    pub(super) fn retire(epoch: Token) {
        if Self::existing(epoch).highest() == RETIRED {
            return;
        }
        let mut file = Self::open(epoch);
        file.remember_locked(RETIRED);
        file.sync();
    }

    /// Makes what was remembered durable.
    pub(super) fn sync(&self) {
        if let Some(file) = &self.0 {
            let _ = file.sync_data();
        }
    }
}

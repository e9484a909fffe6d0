//! The state folder of this machine: the highest generation of each journal that was used here, in a file that is named after the
//! epoch of the journal. It notices a restored journal if it is not restored together with it.

use std::env;
use std::fmt;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::{Path, PathBuf};

use cpaas::printable::{MAX_MESSAGE, printable};

use crate::identity_mismatch::{IdentityMismatch, RETIRED, Witness};
use crate::private_file;
use crate::protocol::Token;

/// The length of a generation in a file: a decimal number with leading zeros, so that a write never tears.
pub(super) const DIGITS: usize = 16;

/// The length of the file of an epoch is below this.
const LENGTH: usize = 256;

/// The second line of the file of an epoch that another one replaced begins with this.
const RETIRED_BY: &str = "retired ";

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

/// What the file of an epoch contains.
#[derive(Default)]
struct Contents {
    /// The highest generation that was remembered.
    highest: i64,
    /// The epoch that replaced this one.
    successor: Option<Token>,
}

impl Contents {
    fn read(file: &File) -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        let length = file.read_at(&mut bytes, 0)?;
        let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        let mut lines = text.lines();
        let highest = lines.next().and_then(|line| line.parse().ok()).unwrap_or_default();
        let successor = lines.next().and_then(|line| line.strip_prefix(RETIRED_BY));
        Ok(Self { highest, successor: successor.and_then(Token::from_hex) })
    }

    /// Whether another epoch replaced this one. An older version of this library wrote only the first line.
    const fn is_retired(&self) -> bool {
        self.successor.is_some() || self.highest == RETIRED
    }
}

/// What the state folder remembers of one epoch: on the first line the highest generation, and, after `moved` or `restored` gave the journal
/// another epoch, `retired` and that epoch on the second. The second line stays for ever. A folder that is missing or cannot be written
/// remembers nothing.
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

    fn contents(&self) -> Contents {
        self.0.as_ref().and_then(|file| Contents::read(file).ok()).unwrap_or_default()
    }

    /// The highest generation that was remembered, or [`RETIRED`]; 0 if nothing was.
    pub(super) fn highest(&self) -> i64 {
        let found = self.contents();
        if found.is_retired() { RETIRED } else { found.highest }
    }

    /// Remembers a generation whose commit is durable, unless a higher one is known. Call it before anything of the commit is sent: a
    /// command on a copy may have retired the epoch meanwhile.
    ///
    /// # Errors
    /// [`IdentityMismatch::Retired`]
    pub(super) fn raise(&self, generation: i64) -> Result<(), IdentityMismatch> {
        let Some(file) = &self.0 else { return Ok(()) };
        let raised = with_lock(file, || {
            let found = Contents::read(file)?;
            if !found.is_retired() && found.highest < generation {
                write_generation(file, generation)?;
            }
            Ok(found.is_retired())
        });
        if raised.unwrap_or(false) { Err(IdentityMismatch::Retired) } else { Ok(()) }
    }

    /// Makes what was remembered durable.
    pub(super) fn sync(&self) {
        if let Some(file) = &self.0 {
            let _ = file.sync_data();
        }
    }
}

/// Runs work under the lock of a file. On a file system without locks it runs too, so that the file is still a witness.
fn with_lock<T>(file: &File, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let is_locked = file.lock().is_ok();
    let result = work();
    if is_locked {
        file.unlock()?;
    }
    result
}

/// An epoch that `moved` or `restored` replaced, as the row `retired` of `meta` contains it. Every open of the journal carries it out, because
/// the command may have been killed after its commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Retirement {
    pub(super) epoch: Token,
    /// The generation before `moved`. A higher one in the state folder is that of a journal that was used since.
    pub(super) at: Option<i64>,
}

impl Retirement {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (epoch, at) = text.split_once(' ').map_or((text, None), |(epoch, at)| (epoch, at.parse().ok()));
        Some(Self { epoch: Token::from_hex(epoch)?, at })
    }

    /// Makes the state folder refuse the epoch, durably. Idempotent for one successor.
    ///
    /// # Errors
    /// [`IdentityMismatch::Retired`] when another epoch has replaced it, [`IdentityMismatch::Behind`] when it was used after `moved`.
    pub(super) fn carry_out(&self, successor: Token) -> Result<(), IdentityMismatch> {
        let file = StateFile::open(self.epoch);
        let Some(file) = &file.0 else {
            return self.check(&StateFile::existing(self.epoch).contents(), successor).map(drop);
        };
        let checked = with_lock(file, || {
            let checked = self.check(&Contents::read(file)?, successor);
            if checked == Ok(true) {
                let text = format!("{RETIRED:0DIGITS$}\n{RETIRED_BY}{}\n", successor.to_hex());
                file.write_all_at(text.as_bytes(), 0)?;
                file.sync_all()?;
                sync_folder()?;
            }
            Ok(checked)
        });
        // A file that cannot be written remembers nothing.
        checked.unwrap_or(Ok(false)).map(drop)
    }

    /// Whether the file must be written.
    fn check(&self, found: &Contents, successor: Token) -> Result<bool, IdentityMismatch> {
        match (found.successor, self.at) {
            (Some(known), _) if known == successor => Ok(false),
            (Some(_), _) => Err(IdentityMismatch::Retired),
            (None, Some(at)) => {
                IdentityMismatch::of_witness(Witness::StateFolder, found.highest, at).map(|()| true)
            }
            (None, None) => Ok(true),
        }
    }
}

/// The text that [`Retirement::parse`] reads.
impl fmt::Display for Retirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.epoch.to_hex())?;
        self.at.map_or(Ok(()), |at| write!(f, " {at}"))
    }
}

/// What the state folder remembers of a campaign that a restored copy took over: its token, and the place of that copy.
pub(super) struct TakenFile {
    /// `None` if the file cannot be read.
    pub(super) token: Option<Token>,
    pub(super) place: String,
    pub(super) file: PathBuf,
}

impl TakenFile {
    /// The file of a campaign; `None` if no copy took it over, or the folder cannot be read.
    pub(super) fn read(id: &str) -> Option<Self> {
        let file = taken_path(id)?;
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            // For example that of another user, who ran the command with the home of this one.
            Err(_) if file.symlink_metadata().is_ok() => Vec::new(),
            Err(_) => return None,
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let token = lines.next().and_then(Token::from_hex);
        let place = lines.next().unwrap_or("with an unknown name").to_owned();
        Some(Self { token, place, file })
    }

    /// The file of a campaign if its token is not that of the journal at `place`; a file that cannot be read is that of any journal with a
    /// token. The token of the journal is written again if the file is missing.
    pub(super) fn other_than(id: &str, token: Option<Token>, place: &str) -> Option<Self> {
        let found = Self::read(id);
        let found = match (found, token) {
            (None, Some(token)) => {
                // Another journal may be first.
                let _ = write_taken(id, token, place, |from, to| std::fs::hard_link(from, to));
                Self::read(id)
            }
            (found, _) => found,
        };
        found.filter(|taken| token.is_none() || taken.token.is_some_and(|other| Some(other) != token))
    }

    /// Remembers durably that the journal at `place` took a campaign over. A folder that cannot be written remembers nothing.
    pub(super) fn replace(id: &str, token: Token, place: &str) {
        let _ = write_taken(id, token, place, |from, to| std::fs::rename(from, to));
    }
}

fn taken_path(id: &str) -> Option<PathBuf> {
    let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain.then(folder)?.map(|folder| folder.join(format!("taken-{id}")))
}

/// Writes a complete file, which then gets its name.
fn write_taken(
    id: &str,
    token: Token,
    place: &str,
    give_name: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    let (Some(folder), Some(path)) = (folder(), taken_path(id)) else { return Ok(()) };
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let new = folder.join(format!(".taken-{id}-{}", Token::random().map_err(io::Error::other)?.to_hex()));
    let written = private_file::create(&new).and_then(|file| {
        let text = format!("{}\n{}\n", token.to_hex(), printable(place, MAX_MESSAGE));
        file.write_all_at(text.as_bytes(), 0)?;
        file.sync_all()?;
        give_name(&new, &path)
    });
    let _ = std::fs::remove_file(&new);
    written?;
    sync_folder()
}

/// Makes the names of the files durable.
fn sync_folder() -> io::Result<()> {
    folder().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

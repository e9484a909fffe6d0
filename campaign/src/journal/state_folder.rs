//! The state folder of this machine: the highest generation of each journal that was used here, in a file that is named after the
//! epoch of the journal. It notices a restored journal if it is not restored together with it.

use std::env;
use std::fmt;
use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cpaas::printable::{MAX_MESSAGE, printable};

use crate::error::Error;
use crate::identity_mismatch::{IdentityMismatch, RETIRED, Witness};
use crate::private_file;
use crate::protocol::Token;

/// The length of a generation in a file: a decimal number with leading zeros, so that a write never tears.
pub(super) const DIGITS: usize = 16;

/// The length of the file of an epoch is below this.
const LENGTH: usize = 256;

/// The mode of the file of a campaign that a restored copy took over.
const READABLE: u32 = 0o644;

/// The second line of the file of an epoch that another one replaced begins with this.
const RETIRED_BY: &str = "retired ";

/// The second line of the file of a suppression store begins with this.
const CHANGE: &str = "change ";

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
    /// The random text of the change of a suppression store.
    change: Option<String>,
}

impl Contents {
    fn read(file: &File) -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        let length = file.read_at(&mut bytes, 0)?;
        let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        let mut lines = text.lines();
        let highest = lines.next().and_then(|line| line.parse().ok()).unwrap_or_default();
        let second = lines.next().unwrap_or_default();
        let successor = second.strip_prefix(RETIRED_BY).and_then(Token::from_hex);
        Ok(Self { highest, successor, change: second.strip_prefix(CHANGE).map(str::to_owned) })
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

    /// Remembers the last change of a suppression store, of which [`Self::change`] returns the random text.
    fn raise_change(&self, number: i64, token: &str) {
        let Some(file) = &self.0 else { return };
        let _ = with_lock(file, || {
            if Contents::read(file)?.highest < number {
                file.write_all_at(format!("{number:0DIGITS$}\n{CHANGE}{token}\n").as_bytes(), 0)?;
            }
            Ok(())
        });
    }

    /// The number and the random text of the last change that was remembered.
    fn change(&self) -> Option<(i64, String)> {
        let file = self.0.as_ref()?;
        let Contents { highest, change, .. } = Contents::read(file).ok()?;
        Some((highest, change?))
    }

    /// Makes what was remembered durable.
    pub(super) fn sync(&self) {
        if let Some(file) = &self.0 {
            let _ = file.sync_data();
        }
    }
}

/// Remembers a durable change of a suppression store on this machine, unless a later one is known. Call it only for a store that has the
/// change of [`known_store_change`].
pub(crate) fn remember_store_change(store: Token, number: i64, token: &str) {
    StateFile::open(store).raise_change(number, token);
}

/// The number and the random text of the last change of a suppression store that this machine remembers.
pub(crate) fn known_store_change(store: Token) -> Option<(i64, String)> {
    StateFile::existing(store).change()
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
    /// `None` if the contents are not those of such a file.
    pub(super) token: Option<Token>,
    pub(super) place: String,
    pub(super) file: PathBuf,
}

/// The file of a campaign that a restored copy took over, which cannot be read.
pub(super) struct Unreadable {
    file: PathBuf,
    error: io::Error,
}

impl Unreadable {
    /// The error of a journal that needs to know who took `what` over.
    pub(super) fn refuse(self, what: String) -> Error {
        let command = format!("sudo chmod 644 {}", private_file::quoted(&self.file));
        Error::UnreadableRight { what: what.into(), command: command.into(), error: self.error }
    }
}

impl TakenFile {
    /// What the place is called if the file does not contain it.
    pub(super) const UNKNOWN: &str = "with an unknown name";

    /// The file of a campaign; `None` if no copy took it over, or the folder cannot be read.
    pub(super) fn read(id: &str) -> Result<Option<Self>, Unreadable> {
        let Some(file) = taken_path(id) else { return Ok(None) };
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            // For example that of another user, who ran the command with the home of this one.
            Err(error) if file.symlink_metadata().is_ok() => return Err(Unreadable { file, error }),
            Err(_) => return Ok(None),
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let token = lines.next().and_then(Token::from_hex);
        let place = printable(lines.next().unwrap_or(Self::UNKNOWN), MAX_MESSAGE).into_owned();
        Ok(Some(Self { token, place, file }))
    }

    /// The place of the copy, for the journal at `own`.
    pub(super) fn by(&self, own: &str) -> String {
        let suffix = if self.place == own { " (replaced since)" } else { "" };
        format!("{}{suffix}", self.place)
    }

    /// Whether it is not that of the journal with this token.
    pub(super) fn is_of_another(&self, token: Option<Token>) -> bool {
        self.token.is_none() || self.token != token
    }

    /// The file of a campaign if its token is not that of the journal at `place`. The token of the journal is written again if the file is
    /// missing.
    pub(super) fn other_than(
        id: &str,
        token: Option<Token>,
        place: &str,
    ) -> Result<Option<Self>, Unreadable> {
        let mut found = Self::read(id)?;
        if let (None, Some(token)) = (&found, token) {
            // Another journal may be first.
            let _ = write_taken(id, token, place, |from, to| std::fs::hard_link(from, to));
            found = Self::read(id)?;
        }
        Ok(found.filter(|taken| taken.is_of_another(token)))
    }

    /// Stores the place of the journal that has the campaign with this token, which may have been moved since. It writes into the file that
    /// has the token, so that a take-over, which replaces the file, is not undone.
    pub(super) fn follow(id: &str, token: Token, place: &str) -> io::Result<()> {
        let Some(path) = taken_path(id) else { return Ok(()) };
        let file = private_file::open(&path)?;
        let (text, mut found) = (taken_text(token, place), String::new());
        (&file).read_to_string(&mut found)?;
        if found == text || found.lines().next() != text.lines().next() {
            return Ok(());
        }
        file.write_all_at(text.as_bytes(), 0)?;
        file.set_len(text.len() as u64)
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

fn taken_text(token: Token, place: &str) -> String {
    format!("{}\n{}\n", token.to_hex(), printable(place, MAX_MESSAGE))
}

/// Writes a complete file, which then gets its name. Other users may read it: it has no secret, and if root runs a command with the home of a
/// user, the journals of that user are compared with it too.
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
        file.write_all_at(taken_text(token, place).as_bytes(), 0)?;
        file.set_permissions(Permissions::from_mode(READABLE))?;
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

//! Creates a campaign: reads the rows of a source, and stores them in chunks.

use serde_json::Value;

use super::{check, has_several_currencies, start_at};
use crate::chunk::{ChunkRow, encode, encode_kept};
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::journal::{CHUNK_ROWS, ChunkCounts, Journal, NewCampaign, ONCE_PREFIX};
use crate::prepare::Preparer;
use crate::prices::Prices;
use crate::protocol::CreationDecision;
use crate::settings::{Messages, Settings};
use crate::source::Source;
use crate::window::StartTime;

/// A campaign that was created. Rows may be invalid, even all of them, for example if the template names a column that rows without a
/// header lack.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "rows may be invalid, even all of them: read the notes"]
pub struct Creation {
    /// The campaign's id.
    pub id: String,
    /// What the user should know about the rows before they are sent, such as that none can be sent, the codes of invalid rows and
    /// empty cells. Empty if there is nothing. The notes quote no cell.
    pub notes: Vec<String>,
    /// Those of the notes that are probably mistakes in the template or its columns: names in single braces or in the notation of
    /// other programs, empty cells, and time zones.
    pub warnings: Vec<String>,
}

/// Reads a source to its end and stores its rows. Returns the campaign's id, and notes about the rows. `digest` is the digest that
/// [`plan`](crate::plan) returned: if the file has changed since, nothing is created. After an error, or a panic of the source, no
/// campaign is left.
///
/// ```
/// use cpaas_campaign::journal::{OpenOptions, Settings};
/// use cpaas_campaign::{Messages, Template, blocking, campaign, source::CsvSource};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let url = folder.path().join("autumn.db").display().to_string();
/// let template = serde_json::json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"});
/// let messages = Messages::new("sms.send", Template::new(template)?);
/// let mut people = CsvSource::new("phone,name\n306912345678,Ann\n".as_bytes(), Default::default())?;
/// let mut journal = blocking::open_journal(&url, OpenOptions::default())?;
/// let created = blocking::create(&mut journal, "autumn", &mut people, &messages, Settings::default(), None)?;
/// for note in created.notes {
///     println!("{note}");
/// }
/// assert_eq!(campaign::status(&mut journal, "autumn")?.pending, 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// - [`Error::Setting`]: the rate is not between 0.001 and 1,000,000 rows per second, the time zone is unknown, the name is empty or
///   begins with `once:`, a column to keep does not exist, the source has a header without a column that the template names, or
///   `max_spend` is set without prices in one currency.
/// - [`Error::NameTaken`].
/// - [`Error::Source`]: the source cannot be read or has another digest.
/// - The journal fails.
pub fn create(
    journal: &mut Journal,
    name: &str,
    source: &mut dyn Source,
    messages: &Messages,
    mut settings: Settings,
    digest: Option<&str>,
) -> Result<Creation> {
    check(messages, &settings)?;
    if name.is_empty() || name.starts_with(ONCE_PREFIX) {
        return Err(Error::Setting(
            "the name of a campaign must not be empty or begin with `once:`".to_owned(),
        ));
    }
    let mut contacts = messages.frequency_cap.map(|cap| journal.contacts(cap.within)).transpose()?;
    if let Some(contacts) = &mut contacts {
        journal.add_pending_contacts(contacts)?;
    }
    let mut preparer = Preparer::new(messages, &settings, source.columns(), contacts)?;
    settings.start_at = start_at(&settings)?.map(StartTime::Moment);
    let path = source.path().and_then(|path| path.canonicalize().ok());
    settings.source = path.and_then(|path| path.to_str().map(str::to_owned));
    settings.has_numbers = preparer.has_numbers();
    settings.suppression = preparer.suppression().cloned();
    settings.has_reference = cpaas_calls::has_reference(preparer.operation());
    settings.currency = messages.prices.as_ref().and_then(Prices::currency).map(str::to_owned);
    settings.has_several_currencies = has_several_currencies(messages);
    let operation = cpaas_calls::id(preparer.operation());
    let new = NewCampaign { name, operation, digest: digest.unwrap_or_default(), settings: &settings };
    let mut unsealed = Unsealed::begin(journal, &new)?;
    while let Some(columns) = source.next_row()? {
        let prepared = preparer.prepare(&columns, source.line());
        unsealed.add(prepared.row, prepared.kept)?;
    }
    unsealed.append()?;
    preparer.finish()?;
    let found = source.digest().unwrap_or_default();
    if digest.is_some_and(|expected| expected != found) {
        return Err(Error::Source("the file must be the one that was planned; it changed since".to_owned()));
    }
    let id = unsealed.seal(&found, &preparer.time_zones())?;
    Ok(Creation { id, notes: preparer.creation_notes(), warnings: preparer.template_warnings() })
}

/// A campaign that is being created. If it is dropped before its end, no campaign is left.
struct Unsealed<'a> {
    journal: &'a mut Journal,
    id: String,
    is_sealed: bool,
    /// The number of the next chunk, and its rows.
    number: u32,
    rows: Vec<ChunkRow>,
    kept: Vec<Vec<Value>>,
}

impl<'a> Unsealed<'a> {
    fn begin(journal: &'a mut Journal, new: &NewCampaign<'_>) -> Result<Self> {
        let id = journal.create(new)?;
        let (rows, kept) = (Vec::with_capacity(CHUNK_ROWS), Vec::new());
        Ok(Self { journal, id, is_sealed: false, number: 0, rows, kept })
    }

    fn add(&mut self, row: ChunkRow, kept: Vec<Value>) -> Result<()> {
        self.rows.push(row);
        self.kept.push(kept);
        if self.rows.len() == CHUNK_ROWS { self.append() } else { Ok(()) }
    }

    /// Stores the rows of the next chunk, if there are any.
    fn append(&mut self) -> Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let with = |base: CreationDecision| self.rows.iter().filter(move |row| row.base == base);
        let count = |base| i64::try_from(with(base).count()).unwrap_or(i64::MAX);
        let counts = ChunkCounts {
            invalid: count(CreationDecision::Invalid),
            suppressed: count(CreationDecision::Suppressed),
            duplicate: count(CreationDecision::Duplicate),
            parts: with(CreationDecision::Ready).map(|row| i64::from(row.parts)).sum(),
        };
        let mut chunk = encode(&self.rows)?;
        if self.kept.iter().any(|values| !values.is_empty()) {
            chunk.kept = Some(encode_kept(&self.kept)?);
        }
        self.journal.append_chunk(&self.id, self.number, &chunk, counts)?;
        self.number += 1;
        self.rows.clear();
        self.kept.clear();
        Ok(())
    }

    fn seal(mut self, digest: &str, row_time_zones: &[String]) -> Result<String> {
        self.journal.seal(&self.id, digest, row_time_zones)?;
        self.is_sealed = true;
        Ok(self.id.clone())
    }
}

impl Drop for Unsealed<'_> {
    fn drop(&mut self) {
        if !self.is_sealed {
            // If this fails too, the next creation with the name removes the incomplete campaign.
            let _ = self.journal.abandon(&self.id);
        }
    }
}

//! Prepares a row of a source for sending: rendering, rules, duplicates, suppression, parts and price.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use cpaas::printable::{MAX_MESSAGE, MAX_NAME, printable};
use cpaas::problem::Report;
use cpaas::problem::codes::{CAMPAIGN_FREQUENCY_CAP, SMS_TO_NOT_DIGITS};
use cpaas::text::msisdn::{self, Assignment, NotANumber};
use cpaas::{OperationId, Problem};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::chunk::ChunkRow;
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::frequency_cap::Contacts;
use crate::kept::{Kept, KeptColumns, RowId};
use crate::notes::CellNotes;
use crate::prices::RowPrice;
use crate::protocol::CreationDecision;
use crate::recipients::{self, Recipients};
use crate::row_reason::RowReason;
use crate::settings::{Duplicates, Messages, Settings};
use crate::source::is_scientific;
use crate::suppression::{self, SCIENTIFIC, Suppressed, SuppressionOptions, SuppressionSummary};
use crate::template::Columns;
use crate::zone_column::ZoneColumn;

/// A rule that a row breaks, or a warning about the row.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct RowProblem {
    /// The row, from 1.
    pub row: u64,
    /// The line of the file in which the row begins, from 1; `None` if the rows are not those of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The member of the request, as a JSON pointer.
    pub pointer: String,
    /// The rule, a stable code.
    pub code: String,
    /// What the rule requires. The message quotes no value.
    pub message: String,
    /// The columns of the row that the campaign keeps.
    #[serde(skip_serializing_if = "Kept::is_empty")]
    pub kept: Kept,
    /// The caller's key of the row: the column `id` of [`Messages`]. Null if the row has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<RowId>,
}

impl RowProblem {
    pub(crate) fn new(row: u64, problem: Problem) -> Self {
        let kept = Kept::default();
        Self {
            row,
            line: None,
            pointer: problem.pointer,
            code: problem.code.into_owned(),
            message: problem.message,
            kept,
            id: None,
        }
    }
}

impl std::fmt::Display for RowProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (pointer, message) = (printable(&self.pointer, MAX_NAME), printable(&self.message, MAX_MESSAGE));
        let line = self.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        write!(f, "row {}{line}, {pointer}: {message} [{}]", self.row, self.code)
    }
}

/// The number of invalid rows that a note names.
const NAMED_ROWS: usize = 3;

/// A row as a note names it.
fn named_row(row: u64, line: Option<u64>) -> String {
    let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    format!("{row}{line}")
}

/// The first of `count` rows as a note names them.
fn listed_rows(first: &[String], count: u64) -> String {
    let rows = if count == 1 { "row" } else { "rows" };
    let more = if count > first.len() as u64 { ", …" } else { "" };
    format!("{rows} {}{more}", first.join(", "))
}

/// The code of a recipient that is not a number.
const NUMBER: &str = "NUMBER";

/// The addition to the problem of a recipient with the quoting of a spreadsheet.
const QUOTING: &str = "; the cell has the quoting of a spreadsheet, =\"…\" or a leading apostrophe, which is sent as it is: remove it";

/// Whether a recipient is quoted as a spreadsheet quotes a text of digits: `="306912345678"` or `'306912345678`.
fn has_quoting(recipient: &str) -> bool {
    let recipient = recipient.trim();
    let quoted = recipient.strip_prefix("=\"").or_else(|| recipient.strip_prefix('\''));
    quoted.is_some_and(|number| number.starts_with(|one: char| one == '+' || one.is_ascii_digit()))
}

/// A rendered request that breaks no rule.
struct Rendered {
    request: Value,
    raw: Box<RawValue>,
    warnings: Vec<Problem>,
}

/// A prepared row.
pub(crate) struct Prepared {
    pub(crate) row: ChunkRow,
    pub(crate) problems: Vec<RowProblem>,
    /// The warnings of a row that would be sent.
    pub(crate) warnings: Vec<Problem>,
    /// The warnings about columns in single braces.
    pub(crate) braces: Vec<RowProblem>,
    /// The encoding of the row's text.
    pub(crate) encoding: Option<&'static str>,
    /// The price of a valid row.
    pub(crate) price: RowPrice,
    /// The first recipient without a price, where there are prices.
    pub(crate) unpriced: Option<String>,
    /// The values of the columns that the campaign keeps.
    pub(crate) kept: Vec<Value>,
    /// The caller's key, if the messages name its column.
    pub(crate) id: Option<RowId>,
    /// Whether a recipient had a message of an earlier campaign within the time of [`Preparer::new`].
    pub(crate) is_known: bool,
}

/// Prepares rows one by one. It remembers their recipients.
pub(crate) struct Preparer<'a> {
    operation: OperationId,
    messages: &'a Messages,
    recipients: Recipients,
    /// Whether numbers are sent in their canonical form.
    normalizes: bool,
    suppressed: Suppressed,
    seen: Seen,
    /// Rows that would be sent with a recipient without a price, where there are prices.
    unpriced: u64,
    /// Rows with a number that its country has not assigned, if numbers are normalized.
    unassigned: u64,
    /// Rows that would be sent although the frequency cap may be exceeded when pending rows of other campaigns are sent.
    over_cap: u64,
    /// The first of them, with their lines.
    first_unassigned: Vec<String>,
    /// Duplicates with a recipient that no row before them has.
    partial: u64,
    /// The messages of earlier campaigns of the journal.
    contacts: Option<Contacts>,
    keep: KeptColumns,
    id: Option<KeptColumns>,
    zones: Option<ZoneColumn>,
    /// The columns of all rows, if the source has them.
    columns: Option<Vec<String>>,
    /// The warnings about columns in single braces, by member.
    braced: BTreeMap<String, String>,
    row: u64,
    /// The line of the file in which the row begins.
    line: Option<u64>,
    /// Rows that would be sent.
    valid: u64,
    /// Invalid rows by the code of their first problem.
    invalid: BTreeMap<String, u64>,
    /// The first invalid rows, with their lines.
    first_invalid: Vec<String>,
    cells: CellNotes,
    /// Whether the names of the columns were known before the first row.
    has_header: bool,
    /// Notes about the template.
    template_notes: Vec<String>,
}

impl<'a> Preparer<'a> {
    /// Checks the template and the columns to keep against the columns, and reads the suppression list. `contacts` are the messages of
    /// earlier campaigns within the time of the frequency cap.
    pub(crate) fn new(
        messages: &'a Messages,
        settings: &Settings,
        columns: Option<&[String]>,
        contacts: Option<Contacts>,
    ) -> Result<Self> {
        if messages.frequency_cap.is_some() && contacts.is_none() {
            let message = "the frequency cap requires the journal with the earlier campaigns, such as --journal campaign.db";
            return Err(Error::Setting(message.to_owned()));
        }
        let keep = KeptColumns::new(&settings.keep, columns)?;
        let id = messages.id.as_deref().map(|name| KeptColumns::id(name, columns)).transpose()?;
        let zones = messages.time_zone_column.as_deref();
        let zones =
            zones.map(|name| ZoneColumn::new(name, settings.time_zone.as_deref(), columns)).transpose()?;
        let operation = cpaas_calls::operation(&messages.operation)?;
        if let Some(columns) = columns {
            messages.template.check_names(columns)?;
        }
        if cpaas_calls::has_reference(operation) && messages.template.sets("reference") {
            let message =
                "the template must not set `reference`: the campaign sets it for each row and attempt";
            return Err(Error::Setting(message.to_owned()));
        }
        let normalize = settings.normalize.as_deref();
        let recipients = Recipients::new(operation, |name| messages.template.sets(name), normalize);
        recipients.check()?;
        let options = SuppressionOptions {
            encoding: messages.encoding()?,
            column: messages.column.as_deref(),
            is_lenient: messages.lenient,
            normalize: None,
        };
        let suppressed = Suppressed::read(&messages.suppress, &recipients, options)?;
        let normalizes = normalize.is_some();
        Ok(Self {
            operation,
            messages,
            recipients,
            normalizes,
            suppressed,
            seen: Seen::default(),
            unpriced: 0,
            unassigned: 0,
            over_cap: 0,
            first_unassigned: Vec::new(),
            partial: 0,
            contacts,
            keep,
            id,
            zones,
            columns: columns.map(<[String]>::to_vec),
            braced: BTreeMap::new(),
            row: 0,
            line: None,
            valid: 0,
            invalid: BTreeMap::new(),
            first_invalid: Vec::new(),
            cells: CellNotes::new(messages.template.used_columns(columns)),
            has_header: columns.is_some(),
            template_notes: columns.map_or_else(Vec::new, |columns| messages.template.unused_marks(columns)),
        })
    }

    /// Whether the recipients are phone numbers.
    pub(crate) const fn has_numbers(&self) -> bool {
        self.recipients.has_numbers
    }

    /// What was read of the suppression list.
    pub(crate) fn suppression(&self) -> Option<&SuppressionSummary> {
        self.suppressed.summary.as_ref()
    }

    pub(crate) const fn operation(&self) -> OperationId {
        self.operation
    }

    /// Prepares the next row. `line` is the line of the file in which it begins.
    pub(crate) fn prepare(&mut self, columns: &Columns, line: Option<u64>) -> Prepared {
        self.row += 1;
        self.line = line;
        if self.row == 1 && !self.has_header {
            let names: Vec<String> = columns.keys().cloned().collect();
            self.cells.watch(self.messages.template.used_columns(Some(&names)));
            self.template_notes = self.messages.template.unused_marks(&names);
        }
        if let Some(zones) = &mut self.zones {
            zones.observe(columns);
        }
        let mut prepared = match self.request(columns) {
            Ok(rendered) => self.accepted(columns, rendered),
            Err((problems, recipients)) => invalid(problems, recipients),
        };
        prepared.row.line = line;
        if prepared.row.base == CreationDecision::Ready {
            self.valid += 1;
            self.cells.add(self.row, columns);
            if let Some(zones) = &mut self.zones {
                zones.use_for_row(prepared.row.time_zone.as_deref());
            }
        } else if let Some(problem) = prepared.problems.first() {
            *self.invalid.entry(problem.code.clone()).or_default() += 1;
            if self.first_invalid.len() < NAMED_ROWS {
                self.first_invalid.push(named_row(self.row, line));
            }
        }
        if self.columns.is_none() || self.row == 1 {
            prepared.braces = self.single_braces(columns);
        }
        prepared.kept = self.keep.of(columns);
        let id = self.id.as_mut().map(|id| RowId(id.of(columns).pop().unwrap_or_default()));
        for problem in prepared.problems.iter_mut().chain(&mut prepared.braces) {
            problem.id.clone_from(&id);
        }
        for problem in &mut prepared.problems {
            problem.kept = self.keep.named(&prepared.kept);
        }
        prepared.id = id;
        prepared
    }

    /// Warnings about columns in single braces, once for each member.
    fn single_braces(&mut self, row: &Columns) -> Vec<RowProblem> {
        let columns = match &self.columns {
            Some(columns) => Cow::Borrowed(columns),
            None => Cow::Owned(row.keys().cloned().collect()),
        };
        let mut warnings = Vec::new();
        for found in self.messages.single_braces(&columns) {
            if !self.braced.contains_key(&found.pointer) {
                let message = found.to_string();
                warnings.push(self.problem(&found.pointer, "SINGLE_BRACES", message.clone()));
                self.braced.insert(found.pointer, message);
            }
        }
        warnings
    }

    /// Checks what is known only after the last row.
    ///
    /// # Errors
    /// When no row had a column that the campaign keeps, or that of the keys or the time zones.
    pub(crate) fn finish(&self) -> Result<()> {
        self.keep.finish()?;
        self.id.as_ref().map_or(Ok(()), KeptColumns::finish)?;
        self.zones.as_ref().map_or(Ok(()), ZoneColumn::finish)
    }

    /// The time zones of the rows that would be sent; empty if rows have none of their own.
    pub(crate) fn time_zones(&self) -> Vec<String> {
        self.zones.as_ref().map(ZoneColumn::used).unwrap_or_default()
    }

    /// What the user should know about the rows before they are sent. The notes quote no cell.
    pub(crate) fn notes(&self) -> Vec<String> {
        let of_recipients =
            self.unassigned_note().into_iter().chain(self.partial_note()).chain(self.over_cap_note());
        self.nothing().into_iter().chain(of_recipients).chain(self.column_notes()).collect()
    }

    /// The note about rows whose recipient has pending rows in other campaigns.
    fn over_cap_note(&self) -> Option<String> {
        let rows = match self.over_cap {
            0 => return None,
            1 => "1 row has".to_owned(),
            rows => format!("{rows} rows have"),
        };
        Some(format!(
            "{rows} a recipient of rows that are pending in other campaigns of the journal, which the frequency cap does not count: together they exceed it"
        ))
    }

    /// The note that no row can be sent.
    fn nothing(&self) -> Option<String> {
        (self.valid == 0).then(|| match self.row {
            0 => "the source has no rows".to_owned(),
            rows => format!("no row can be sent: none of {rows} is valid, new and not suppressed"),
        })
    }

    /// Notes about the columns that the template uses, or probably means.
    fn column_notes(&self) -> impl Iterator<Item = String> {
        let zones = self.zones.as_ref().and_then(ZoneColumn::note);
        self.template_notes.iter().cloned().chain(self.cells.texts()).chain(zones)
    }

    /// The notes about columns in single braces.
    fn brace_notes(&self) -> impl Iterator<Item = String> {
        self.braced.iter().map(|(pointer, message)| format!("{}: {message}", printable(pointer, MAX_NAME)))
    }

    /// The notes of a creation that are probably mistakes in the template or its columns.
    pub(crate) fn template_warnings(&self) -> Vec<String> {
        self.brace_notes().chain(self.column_notes()).collect()
    }

    /// As [`Preparer::notes`], with the codes of the invalid rows and the warnings about columns in single braces.
    pub(crate) fn creation_notes(&self) -> Vec<String> {
        let count: u64 = self.invalid.values().sum();
        let codes: Vec<String> =
            self.invalid.iter().map(|(code, count)| format!("{code} ({count})")).collect();
        let word = if count == 1 { "row is" } else { "rows are" };
        let codes = codes.join(", ");
        let first = listed_rows(&self.first_invalid, count);
        let invalid = format!(
            "{count} {word} invalid: {codes}; {first}; `cpaas campaign export --outcome invalid` lists them"
        );
        let invalid = (count > 0).then_some(invalid).into_iter();
        invalid.chain(self.brace_notes()).chain(self.unpriced_note()).chain(self.notes()).collect()
    }

    /// The note about rows that are sent without a price. A plan shows them by their prefixes.
    fn unpriced_note(&self) -> Option<String> {
        let rows = match self.unpriced {
            0 => return None,
            1 => "1 row has".to_owned(),
            rows => format!("{rows} rows have"),
        };
        Some(format!(
            "{rows} a recipient without a price, which no sum contains; the plan shows their prefixes"
        ))
    }

    fn problem(&self, pointer: &str, code: &str, message: impl Into<String>) -> RowProblem {
        RowProblem {
            row: self.row,
            line: self.line,
            pointer: pointer.to_owned(),
            code: code.to_owned(),
            message: message.into(),
            kept: Kept::default(),
            id: None,
        }
    }

    /// The request of a row, or its problems and its recipients.
    fn request(&self, columns: &Columns) -> Result<Rendered, (Vec<RowProblem>, Vec<String>)> {
        let template = &self.messages.template;
        let rendered = match &self.columns {
            Some(names) => template.render_columns(columns, names),
            None => template.render(columns),
        };
        let mut request = rendered.map_err(|problem| {
            (vec![self.problem(&problem.pointer, "TEMPLATE", problem.message)], Vec::new())
        })?;
        self.checked(&mut request)
            .map_err(|mut problems| {
                if recipients::texts(self.operation, &request).into_iter().any(has_quoting) {
                    let of_number = |problem: &&mut RowProblem| {
                        problem.code == NUMBER || problem.code == SMS_TO_NOT_DIGITS.id
                    };
                    problems
                        .iter_mut()
                        .filter(of_number)
                        .for_each(|problem| problem.message.push_str(QUOTING));
                }
                (problems, self.recipients.of(self.operation, &request))
            })
            .map(|(raw, warnings)| Rendered { request, raw, warnings })
    }

    /// The text of a request that breaks no rule, and its warnings.
    fn checked(&self, request: &mut Value) -> Result<(Box<RawValue>, Vec<Problem>), Vec<RowProblem>> {
        self.check_numbers(request)?;
        let text = request.to_string();
        let Report { errors, warnings, .. } = cpaas_calls::validate(self.operation, &text);
        if !errors.is_empty() {
            let found = |problem| RowProblem { line: self.line, ..RowProblem::new(self.row, problem) };
            return Err(errors.into_iter().map(found).collect());
        }
        let raw = RawValue::from_string(text).map_err(|_| vec![self.problem("", "JSON", "must be JSON")])?;
        Ok((raw, warnings))
    }

    /// Refuses numbers that a spreadsheet has changed, and normalizes recipients if the campaign does.
    fn check_numbers(&self, request: &mut Value) -> Result<(), Vec<RowProblem>> {
        let member = self.operation.meta().recipients.unwrap_or_default();
        let problem = |message: String| vec![self.problem(&format!("/{member}"), NUMBER, message)];
        for text in recipients::texts(self.operation, request) {
            if is_scientific(text) {
                return Err(problem(SCIENTIFIC.to_owned()));
            }
            if self.recipients.is_number(text)
                && let Err(reason @ NotANumber::Decimal) = msisdn::normalize_number(text, None)
            {
                return Err(problem(reason.to_string()));
            }
        }
        if self.normalizes {
            self.recipients.normalize(self.operation, request).map_err(problem)?;
        }
        Ok(())
    }

    fn accepted(&mut self, columns: &Columns, rendered: Rendered) -> Prepared {
        let recipients = self.recipients.of(self.operation, &rendered.request);
        let counted = cpaas_calls::parts(self.operation, &rendered.request);
        let (parts, encoding) = counted.map_or((0, None), |(count, encoding)| (count, Some(encoding)));
        if let Some(limit) = self.messages.max_parts.filter(|limit| parts > *limit) {
            let message = format!("at most {limit} parts, got {parts}");
            return invalid(vec![self.problem("/text", "MAX_PARTS", message)], recipients);
        }
        let time_zone = match self.time_zone(columns) {
            Ok(time_zone) => time_zone,
            Err(problems) => return invalid(problems, recipients),
        };
        let prices = self.messages.prices.as_ref();
        let unpriced = prices.and_then(|prices| recipients::unpriced(&recipients, prices)).map(str::to_owned);
        let row_price = prices.map(|prices| prices.of_row(&recipients, parts)).unwrap_or_default();
        if row_price.is_incomplete && self.messages.requires_price {
            let message = "the prices must contain a prefix of the recipient";
            let problem = self.problem("/to", "PRICE", message);
            return Prepared { unpriced, ..invalid(vec![problem], recipients) };
        }
        let price = prices.map_or(0, |prices| row_price.stored(prices));
        if self.normalizes {
            self.count_unassigned(&recipients);
        }
        let (base, problem) = self.base(&recipients);
        if base == CreationDecision::Ready && unpriced.is_some() {
            self.unpriced += 1;
        }
        let known = self.most_messages(&recipients);
        let total = parts.saturating_mul(u32::try_from(recipients.len()).unwrap_or(u32::MAX));
        let request = Some(rendered.raw);
        let row = ChunkRow { base, recipients, parts: total, price, time_zone, line: None, problem, request };
        Prepared {
            row,
            problems: Vec::new(),
            warnings: if base == CreationDecision::Ready { rendered.warnings } else { Vec::new() },
            braces: Vec::new(),
            encoding,
            price: row_price,
            unpriced,
            kept: Vec::new(),
            id: None,
            is_known: known > 0,
        }
    }

    /// Counts a row with a number that its country has not assigned.
    fn count_unassigned(&mut self, recipients: &[String]) {
        let is_unassigned = |number: &String| {
            msisdn::is_canonical(number) && msisdn::assignment(number) == Assignment::Possible
        };
        if recipients.iter().any(is_unassigned) {
            self.unassigned += 1;
            if self.first_unassigned.len() < NAMED_ROWS {
                self.first_unassigned.push(named_row(self.row, self.line));
            }
        }
    }

    /// The note about numbers that may be two numbers, or a number and an extension, in one cell.
    fn unassigned_note(&self) -> Option<String> {
        let rows = match self.unassigned {
            0 => return None,
            1 => "1 row has a number".to_owned(),
            rows => format!("{rows} rows have a number"),
        };
        let first = listed_rows(&self.first_unassigned, self.unassigned);
        Some(format!(
            "{rows} that is possible, but that its country has not assigned ({first}); it may be a mistake, a national number, or two numbers or an extension in one cell"
        ))
    }

    fn time_zone(&mut self, columns: &Columns) -> Result<Option<String>, Vec<RowProblem>> {
        let row = self.row;
        let zone = self.zones.as_mut().map_or(Ok(None), |zones| zones.of(row, columns));
        zone.map_err(|rule| vec![self.problem("", "TIME_ZONE", rule)])
    }

    /// The decision about a row, and its reason if it is the frequency cap. Counts a row that is sent and may exceed the cap.
    fn base(&mut self, recipients: &[String]) -> (CreationDecision, Option<String>) {
        let decided = self.decide(recipients);
        if decided.0 == CreationDecision::Ready
            && let (Some(cap), Some(contacts)) = (self.messages.frequency_cap, &self.contacts)
        {
            let exceeds = |recipient: &String| {
                let pending = contacts.count_pending(recipient);
                pending > 0 && contacts.count(recipient).saturating_add(pending) >= cap.messages
            };
            self.over_cap += u64::from(recipients.iter().any(exceeds));
        }
        decided
    }

    fn decide(&mut self, recipients: &[String]) -> (CreationDecision, Option<String>) {
        if recipients.iter().any(|recipient| self.suppressed.contains(recipient)) {
            return (CreationDecision::Suppressed, None);
        }
        if self.messages.frequency_cap.is_some_and(|cap| self.most_messages(recipients) >= cap.messages) {
            return (CreationDecision::Suppressed, Some(CAMPAIGN_FREQUENCY_CAP.id.to_owned()));
        }
        if self.messages.duplicates == Duplicates::Send {
            return (CreationDecision::Ready, None);
        }
        match self.remember(recipients) {
            None => (CreationDecision::Ready, None),
            Some(_) if recipients.len() == 1 => (CreationDecision::Duplicate, None),
            Some(at) => {
                self.partial += u64::from(self.has_new(recipients));
                (CreationDecision::Duplicate, Some(format!("{} {}", RowReason::Duplicate.as_str(), at + 1)))
            }
        }
    }

    /// The number of messages of earlier campaigns to the recipient that had the most.
    fn most_messages(&self, recipients: &[String]) -> u32 {
        let Some(contacts) = &self.contacts else { return 0 };
        recipients.iter().map(|recipient| contacts.count(recipient)).max().unwrap_or_default()
    }

    /// Remembers the recipients of a row that is sent. Returns the index of the first one that an earlier row had, or that is twice in
    /// this row; then the row is not sent, and none is remembered.
    fn remember(&mut self, recipients: &[String]) -> Option<usize> {
        for (at, recipient) in recipients.iter().enumerate() {
            if !self.seen.insert(recipient) {
                for added in recipients.iter().take(at) {
                    self.seen.remove(added);
                }
                return Some(at);
            }
        }
        None
    }

    /// Whether no earlier row that is sent had one of these recipients.
    fn has_new(&self, recipients: &[String]) -> bool {
        recipients.iter().any(|recipient| !self.seen.contains(recipient))
    }

    /// The note about people who get no message, because their row is skipped for another recipient.
    fn partial_note(&self) -> Option<String> {
        let rows = match self.partial {
            0 => return None,
            1 => "1 row with several recipients is a duplicate".to_owned(),
            rows => format!("{rows} rows with several recipients are duplicates"),
        };
        Some(format!(
            "{rows}, because one of the recipients was in an earlier row, or twice in the row; it is skipped, and the other recipients get no message from it: write each recipient into a row of its own"
        ))
    }
}

/// The recipients of the rows that are sent: 8 bytes for a number, 16 bytes for any other recipient.
#[derive(Default)]
struct Seen {
    numbers: HashSet<u64>,
    others: HashSet<u128>,
}

impl Seen {
    /// Returns false if it contains the recipient already.
    fn insert(&mut self, recipient: &str) -> bool {
        match suppression::number(recipient) {
            Some(number) => self.numbers.insert(number),
            None => self.others.insert(digest(recipient)),
        }
    }

    fn remove(&mut self, recipient: &str) {
        match suppression::number(recipient) {
            Some(number) => self.numbers.remove(&number),
            None => self.others.remove(&digest(recipient)),
        };
    }

    fn contains(&self, recipient: &str) -> bool {
        match suppression::number(recipient) {
            Some(number) => self.numbers.contains(&number),
            None => self.others.contains(&digest(recipient)),
        }
    }
}

/// The first bytes of the digest of a recipient.
fn digest(recipient: &str) -> u128 {
    let digest = Sha256::digest(recipient);
    u128::from_le_bytes(digest.first_chunk().copied().unwrap_or_default())
}

fn invalid(problems: Vec<RowProblem>, recipients: Vec<String>) -> Prepared {
    let short = problems
        .iter()
        .take(3)
        .map(|problem| format!("{} {}", printable(&problem.pointer, MAX_NAME), problem.code));
    let row = ChunkRow::invalid(short.collect::<Vec<_>>().join(", "), recipients);
    Prepared {
        row,
        problems,
        warnings: Vec::new(),
        braces: Vec::new(),
        encoding: None,
        price: RowPrice::default(),
        unpriced: None,
        kept: Vec::new(),
        id: None,
        is_known: false,
    }
}

//! Prepares a row of a source for sending: rendering, rules, duplicates, suppression, parts and price.

use std::collections::HashSet;

use cpaas::printable::{MAX_MESSAGE, MAX_NAME, printable};
use cpaas::problem::Report;
use cpaas::problem::codes::CAMPAIGN_FREQUENCY_CAP;
use cpaas::text::msisdn;
use cpaas::{OperationId, Problem};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::chunk::FrozenRow;
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::frequency_cap::Contacts;
use crate::kept::{Kept, KeptColumns};
use crate::protocol::CreationDecision;
use crate::recipients::{self, Recipients};
use crate::settings::{Duplicates, Messages, Settings};
use crate::suppression::{self, SCIENTIFIC, Suppressed, SuppressionOptions, SuppressionSummary};
use crate::template::Columns;
use crate::window;

/// A rule that a row breaks, or a warning about the row.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct RowProblem {
    /// The row, from 1.
    pub row: u64,
    /// The member of the request, as a JSON pointer.
    pub pointer: String,
    /// The rule, a stable code.
    pub code: String,
    /// What the rule requires. The message quotes no value.
    pub message: String,
    /// The columns of the row that the campaign keeps.
    #[serde(skip_serializing_if = "Kept::is_empty")]
    pub kept: Kept,
}

impl RowProblem {
    pub(crate) fn new(row: u64, problem: Problem) -> Self {
        let kept = Kept::default();
        Self {
            row,
            pointer: problem.pointer,
            code: problem.code.into_owned(),
            message: problem.message,
            kept,
        }
    }
}

impl std::fmt::Display for RowProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (pointer, message) = (printable(&self.pointer, MAX_NAME), printable(&self.message, MAX_MESSAGE));
        write!(f, "row {}, {pointer}: {message} [{}]", self.row, self.code)
    }
}

/// A rendered request that breaks no rule.
struct Rendered {
    request: Value,
    raw: Box<RawValue>,
    warnings: Vec<Problem>,
}

/// A prepared row.
pub(crate) struct Prepared {
    pub(crate) frozen: FrozenRow,
    pub(crate) problems: Vec<RowProblem>,
    /// The warnings of a valid row.
    pub(crate) warnings: Vec<Problem>,
    /// The encoding of the row's text.
    pub(crate) encoding: Option<&'static str>,
    /// The destination prefix that determines the row's price.
    pub(crate) prefix: Option<String>,
    /// The first recipient without a price, where there are prices.
    pub(crate) unpriced: Option<String>,
    /// The values of the columns that the campaign keeps.
    pub(crate) kept: Vec<Value>,
    /// Whether a recipient had a message of an earlier campaign within the time of [`Preparer::new`].
    pub(crate) is_known: bool,
}

/// Prepares rows one by one. It remembers their recipients: 8 bytes for a number, 16 bytes for any other recipient.
pub(crate) struct Preparer<'a> {
    operation: OperationId,
    messages: &'a Messages,
    recipients: Recipients,
    /// Whether numbers are sent in their canonical form.
    normalizes: bool,
    suppressed: Suppressed,
    numbers: HashSet<u64>,
    others: HashSet<u128>,
    /// The messages of earlier campaigns of the journal.
    contacts: Option<Contacts>,
    keep: KeptColumns,
    row: u64,
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
            let message = "the frequency cap requires the journal with the earlier campaigns";
            return Err(Error::Setting(message.to_owned()));
        }
        let keep = KeptColumns::new(&settings.keep, columns)?;
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
        };
        let suppressed = Suppressed::read(&messages.suppress, &recipients, options)?;
        let (numbers, others) = (HashSet::new(), HashSet::new());
        let normalizes = normalize.is_some();
        Ok(Self {
            operation,
            messages,
            recipients,
            normalizes,
            suppressed,
            numbers,
            others,
            contacts,
            keep,
            row: 0,
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

    pub(crate) fn prepare(&mut self, columns: &Columns) -> Prepared {
        self.row += 1;
        let mut prepared = match self.request(columns) {
            Ok(rendered) => self.accepted(columns, rendered),
            Err((problems, recipients)) => invalid(problems, recipients),
        };
        prepared.kept = self.keep.of(columns);
        for problem in &mut prepared.problems {
            problem.kept = self.keep.named(&prepared.kept);
        }
        prepared
    }

    /// Checks what is known only after the last row.
    ///
    /// # Errors
    /// When no row had a column that the campaign keeps.
    pub(crate) fn finish(&self) -> Result<()> {
        self.keep.finish()
    }

    fn problem(&self, pointer: &str, code: &str, message: impl Into<String>) -> RowProblem {
        RowProblem {
            row: self.row,
            pointer: pointer.to_owned(),
            code: code.to_owned(),
            message: message.into(),
            kept: Kept::default(),
        }
    }

    /// The request of a row, or its problems and its recipients.
    fn request(&self, columns: &Columns) -> Result<Rendered, (Vec<RowProblem>, Vec<String>)> {
        let rendered = self.messages.template.render(columns);
        let mut request = rendered.map_err(|problem| {
            (vec![self.problem(&problem.pointer, "TEMPLATE", problem.message)], Vec::new())
        })?;
        self.checked(&mut request)
            .map_err(|problems| (problems, self.recipients.of(self.operation, &request)))
            .map(|(raw, warnings)| Rendered { request, raw, warnings })
    }

    /// The text of a request that breaks no rule, and its warnings.
    fn checked(&self, request: &mut Value) -> Result<(Box<RawValue>, Vec<Problem>), Vec<RowProblem>> {
        self.check_numbers(request).map_err(|problem| vec![problem])?;
        let text = request.to_string();
        let Report { errors, warnings, .. } = cpaas_calls::validate(self.operation, &text);
        if !errors.is_empty() {
            return Err(errors.into_iter().map(|problem| RowProblem::new(self.row, problem)).collect());
        }
        let raw = RawValue::from_string(text).map_err(|_| vec![self.problem("", "JSON", "must be JSON")])?;
        Ok((raw, warnings))
    }

    /// Refuses numbers that a spreadsheet has changed, and normalizes recipients if the campaign does.
    fn check_numbers(&self, request: &mut Value) -> Result<(), RowProblem> {
        let member = self.operation.meta().recipients.unwrap_or_default();
        let problem = |message: String| self.problem(&format!("/{member}"), "NUMBER", message);
        if recipients::texts(self.operation, request).into_iter().any(suppression::is_scientific) {
            return Err(problem(SCIENTIFIC.to_owned()));
        }
        if self.normalizes {
            self.recipients.normalize(self.operation, request).map_err(|error| problem(error.to_string()))?;
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
            Err(problem) => return invalid(vec![problem], recipients),
        };
        let prices = self.messages.prices.as_ref();
        let unpriced = prices.and_then(|prices| recipients::unpriced(&recipients, prices)).map(str::to_owned);
        let (price, prefix) = match self.price(&recipients, parts) {
            Ok(price) => price,
            Err(problem) => return Prepared { unpriced, ..invalid(vec![problem], recipients) },
        };
        let (base, problem) = self.base(&recipients);
        let known = self.most_messages(&recipients);
        let total = parts.saturating_mul(u32::try_from(recipients.len()).unwrap_or(u32::MAX));
        let request = Some(rendered.raw);
        let frozen = FrozenRow { base, recipients, parts: total, price, time_zone, problem, request };
        Prepared {
            frozen,
            problems: Vec::new(),
            warnings: rendered.warnings,
            encoding,
            prefix,
            unpriced,
            kept: Vec::new(),
            is_known: known > 0,
        }
    }

    fn time_zone(&self, columns: &Columns) -> Result<Option<String>, RowProblem> {
        let Some(column) = &self.messages.time_zone_column else { return Ok(None) };
        let name = columns.get(column).and_then(Value::as_str).map(str::trim).filter(|name| !name.is_empty());
        match name {
            Some(name) if window::time_zone(name).is_err() => Err(self.problem(
                "",
                "TIME_ZONE",
                format!("the column `{}` must be an IANA time zone", printable(column, MAX_NAME)),
            )),
            name => Ok(name.map(str::to_owned)),
        }
    }

    fn price(&self, of: &[String], parts: u32) -> Result<(i64, Option<String>), RowProblem> {
        let Some(prices) = &self.messages.prices else { return Ok((0, None)) };
        let mut total: i64 = 0;
        let mut prefix = None;
        for recipient in of {
            match prices.find(recipient).filter(|_| msisdn::is_canonical(recipient)) {
                Some((found, price)) => {
                    prefix = Some(found.to_owned());
                    total = total.saturating_add(price.saturating_mul(parts.into()));
                }
                None if self.messages.requires_price => {
                    return Err(self.problem(
                        "/to",
                        "PRICE",
                        "the prices must contain a prefix of the recipient",
                    ));
                }
                None => prefix = Some(String::new()),
            }
        }
        Ok((total, prefix))
    }

    /// The decision about a row, and its reason if it is the frequency cap.
    fn base(&mut self, recipients: &[String]) -> (CreationDecision, Option<String>) {
        if recipients.iter().any(|recipient| self.suppressed.contains(recipient)) {
            return (CreationDecision::Suppressed, None);
        }
        if self.messages.frequency_cap.is_some_and(|cap| self.most_messages(recipients) >= cap.messages) {
            return (CreationDecision::Suppressed, Some(CAMPAIGN_FREQUENCY_CAP.id.to_owned()));
        }
        let is_new = recipients.is_empty() || self.remember(recipients);
        if is_new || self.messages.duplicates == Duplicates::Send {
            (CreationDecision::Ready, None)
        } else {
            (CreationDecision::Duplicate, None)
        }
    }

    /// The number of messages of earlier campaigns to the recipient that had the most.
    fn most_messages(&self, recipients: &[String]) -> u32 {
        let Some(contacts) = &self.contacts else { return 0 };
        recipients.iter().map(|recipient| contacts.count(recipient)).max().unwrap_or_default()
    }

    /// Remembers the recipients of a row. Returns false if an earlier row had them.
    fn remember(&mut self, recipients: &[String]) -> bool {
        if let [one] = recipients
            && let Some(number) = suppression::number(one)
        {
            return self.numbers.insert(number);
        }
        let digest = Sha256::digest(recipients.join("\n"));
        let start = digest.first_chunk().copied().unwrap_or_default();
        self.others.insert(u128::from_le_bytes(start))
    }
}

fn invalid(problems: Vec<RowProblem>, recipients: Vec<String>) -> Prepared {
    let short = problems
        .iter()
        .take(3)
        .map(|problem| format!("{} {}", printable(&problem.pointer, MAX_NAME), problem.code));
    let frozen = FrozenRow::invalid(short.collect::<Vec<_>>().join(", "), recipients);
    Prepared {
        frozen,
        problems,
        warnings: Vec::new(),
        encoding: None,
        prefix: None,
        unpriced: None,
        kept: Vec::new(),
        is_known: false,
    }
}

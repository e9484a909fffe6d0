//! The settings of a campaign, each declared once. The options of Rust, the description in JSON, the arguments of Python, the
//! switches of the command and `docs/campaign-settings.md` come from this table.

use std::collections::BTreeSet;

use cpaas::OperationId;
use cpaas::printable::{MAX_NAME, printable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::frequency_cap::FrequencyCap;
use crate::named_enum::named_enum;
use crate::prices::{Prices, parse_amount};
use crate::source::Encoding;
use crate::suppression::{Suppression, SuppressionSummary};
use crate::template::{SingleBraces, Template, TemplateBuilder};
use crate::window::{StartTime, Window};

/// A setting of a campaign.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Setting {
    /// Its name in Rust, in JSON and in Python; the switch of the command has hyphens instead of underscores.
    pub name: &'static str,
    /// What a caller passes.
    pub kind: SettingKind,
    /// The documentation.
    pub doc: &'static str,
    /// Whether it can be changed while the campaign runs, with [`campaign::set`](crate::campaign::set).
    pub can_change: bool,
}

/// What a caller passes as the value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// Recipients, in any notation.
    Recipients,
    /// Prices as CSV.
    Prices,
    /// An integer from 1.
    Count,
    /// A number.
    Number,
    /// An amount of money, as a decimal number.
    Amount,
    /// A string; the placeholder is shown instead of a value.
    Text(&'static str),
    /// Names of columns.
    Columns,
    /// One of these strings; the first one is the default.
    Choice(&'static [&'static str]),
    /// Whether something is done; it is not by default.
    Flag,
}

macro_rules! settings {
    (
        messages {
            $( $(#[doc = $message_doc:literal])* $message:ident : $message_type:ty, $message_kind:expr; )*
        }
        sending {
            $( $(#[doc = $doc:literal])* $name:ident : $type:ty, $kind:expr; )*
        }
        changing {
            $( $(#[doc = $change_doc:literal])* $change:ident : $change_type:ty, $change_kind:expr; )*
        }
    ) => {
        /// All settings.
        pub const SETTINGS: &[Setting] = &[
            $( Setting {
                name: stringify!($message),
                kind: $message_kind,
                doc: concat!($($message_doc),*).trim_ascii(),
                can_change: false,
            }, )*
            $( Setting {
                name: stringify!($name),
                kind: $kind,
                doc: concat!($($doc),*).trim_ascii(),
                can_change: false,
            }, )*
            $( Setting {
                name: stringify!($change),
                kind: $change_kind,
                doc: concat!($($change_doc),*).trim_ascii(),
                can_change: true,
            }, )*
        ];

        /// How rows become requests.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub struct Messages {
            /// The operation, for example `sms.send`.
            pub operation: String,
            /// The request.
            pub template: Template,
            $( $(#[doc = $message_doc])* pub $message: $message_type, )*
            /// Whether a row without a price is invalid. Set this together with a maximum spend.
            pub requires_price: bool,
            /// The column with your key of each row, which the problems of a plan contain. A campaign stores a key only if it keeps
            /// the column.
            pub id: Option<String>,
        }

        impl Messages {
            /// Messages of an operation.
            #[must_use]
            pub fn new(operation: impl Into<String>, template: Template) -> Self {
                Self {
                    operation: operation.into(),
                    template,
                    $( $message: Default::default(), )*
                    requires_price: false,
                    id: None,
                }
            }
        }

        /// What a campaign was created with; the journal stores it.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        #[non_exhaustive]
        pub struct Settings {
            $( $(#[doc = $doc])* pub $name: $type, )*
            $( $(#[doc = $change_doc])* pub $change: $change_type, )*
            /// The currency of the prices; `None` without prices, or if they are in several currencies.
            pub currency: Option<String>,
            /// Whether the prices are in several currencies. The journal then stores no price.
            pub has_several_currencies: bool,
            /// Whether each request carries a reference, so that delivery reports can settle unknown rows.
            pub has_reference: bool,
            /// Whether the recipients are phone numbers, and never identifiers of a chat channel.
            pub has_numbers: bool,
            /// What was read of the suppression list.
            pub suppression: Option<SuppressionSummary>,
            /// The time zones of the rows that can be sent, if rows name their own; otherwise empty.
            pub row_time_zones: Vec<String>,
            /// Whether the response is stored with the outcome.
            pub keeps_responses: bool,
            /// The path of the file with the rows, if they were read from one.
            pub source: Option<String>,
            /// The scheme, host and port of each address of the provider of the first run; empty before.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            pub provider: Vec<String>,
        }

        /// Each method sets the member with its name.
        impl Settings {
            /// The default settings.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $( $(#[doc = $doc])*
            #[must_use]
            pub fn $name(mut self, $name: impl Into<$type>) -> Self {
                self.$name = $name.into();
                self
            } )*

            $( $(#[doc = $change_doc])*
            #[must_use]
            pub fn $change(mut self, $change: impl Into<$change_type>) -> Self {
                self.$change = $change.into();
                self
            } )*

            /// Whether the response is stored with the outcome.
            #[must_use]
            pub const fn keeps_responses(mut self, keeps: bool) -> Self {
                self.keeps_responses = keeps;
                self
            }
        }

        /// Settings that change while a campaign runs; `None` leaves a setting as it is.
        #[derive(Debug, Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct SettingChanges {
            $( $(#[doc = $change_doc])* pub $change: $change_type, )*
        }

        impl SettingChanges {
            /// Whether no setting changes.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                *self == Self::default()
            }

            pub(crate) fn apply(&self, settings: &mut Settings) {
                $( if self.$change.is_some() {
                    settings.$change.clone_from(&self.$change);
                } )*
            }
        }

        /// The changes of settings in JSON.
        #[derive(Debug, Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct ChangeDescription {
            $( $change: <$change_type as Described>::Json, )*
        }

        impl ChangeDescription {
            /// Converts the description.
            ///
            /// # Errors
            /// When a setting is invalid.
            pub fn compile(self) -> Result<SettingChanges> {
                Ok(SettingChanges { $( $change: Described::from_json(self.$change)?, )* })
            }
        }

        /// The messages and settings of a campaign in JSON.
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Description {
            operation: String,
            template: Value,
            /// Paths of members and their templates, which are added to `template` in this order.
            #[serde(default)]
            set: Vec<(String, String)>,
            #[serde(default)]
            id: Option<String>,
            $( #[serde(default)] $message: <$message_type as Described>::Json, )*
            $( #[serde(default)] $name: <$type as Described>::Json, )*
            $( #[serde(default)] $change: <$change_type as Described>::Json, )*
        }

        impl Description {
            /// Converts the description.
            ///
            /// # Errors
            /// When the template or a setting is invalid.
            pub fn compile(self) -> Result<(Messages, Settings)> {
                let mut messages = Messages::new(self.operation, template(self.template, self.set)?);
                let mut settings = Settings::default();
                $( messages.$message = Described::from_json(self.$message)?; )*
                $( settings.$name = Described::from_json(self.$name)?; )*
                $( settings.$change = Described::from_json(self.$change)?; )*
                messages.requires_price = settings.max_spend.is_some();
                messages.id = self.id;
                Ok((messages, settings))
            }
        }
    };
}

settings! {
    messages {
        /// Recipients that get no message; numbers in any notation. One of several recipients of a row suppresses the row.
        suppress: Suppression, SettingKind::Recipients;
        /// The column of the suppression list with the recipients, by its name or its number from 1. When absent, it is recognized by its name.
        column: Option<String>, SettingKind::Text("NAME");
        /// Whether unreadable lines of the suppression list are skipped. Otherwise they are an error, as is an empty list.
        lenient: bool, SettingKind::Flag;
        /// The encoding of the suppression list, of the file of prices and of the rows as CSV, such as windows-1252. UTF-8 when absent; UTF-16 is recognized by its byte order mark.
        encoding: Option<String>, SettingKind::Text("NAME");
        /// The price of one SMS part for each prefix of numbers; the longest prefix wins.
        prices: Option<Prices>, SettingKind::Prices;
        /// The maximum number of SMS parts of a message; a longer message makes its row invalid.
        max_parts: Option<u32>, SettingKind::Count;
        /// Whether to "skip" or "send" a row with the same recipient as an earlier row. Skipped rows are counted as duplicates. A row with several recipients is one if any of them was in an earlier row, or is twice in the row.
        duplicates: Duplicates, SettingKind::Choice(Duplicates::NAMES);
        /// The column with the time zone of a row, which replaces that of the window. A row without one has that of the campaign, and is invalid if the campaign has none.
        time_zone_column: Option<String>, SettingKind::Text("NAME");
        /// At most N messages to a recipient within a time, such as 2/7d. A row whose recipient had as many in earlier campaigns of the journal is suppressed.
        frequency_cap: Option<FrequencyCap>, SettingKind::Text("N/TIME");
    }
    sending {
        /// Columns of the rows that are stored with them and exported with their outcomes. None is stored otherwise; a purge removes them.
        keep: Vec<String>, SettingKind::Columns;
        /// Recipients are sent as digits with their country code: "international", or a region such as GR whose national form they may have. A number that is not possible in any country makes its row invalid. When absent, recipients are sent as they are.
        normalize: Option<String>, SettingKind::Text("REGION");
        /// The IANA time zone of the window and of the start, such as Europe/Athens; UTC when absent.
        time_zone: Option<String>, SettingKind::Text("ZONE");
        /// No row is sent before this time: RFC 3339 such as 2026-12-01T09:00:00Z, or a local time such as 2026-12-01T09:00 in the time zone. It must be in the future.
        start_at: Option<StartTime>, SettingKind::Text("TIME");
    }
    changing {
        /// The maximum number of rows per second, over all workers. After a 429 all workers wait together.
        rate: Option<f64>, SettingKind::Number;
        /// The local times of day between which rows are sent, such as 09:00-20:00. They are compared when a row is sent.
        window: Option<Window>, SettingKind::Text("FROM-UNTIL");
        /// The maximum number of rows in progress in each worker. When absent, each run has its own.
        concurrency: Option<u32>, SettingKind::Count;
        /// The campaign halts before it spends more than this, in the currency of the prices, which it requires. Only a campaign that was created with one can change it.
        max_spend: Option<i64>, SettingKind::Amount;
    }
}

named_enum! {
    /// The treatment of rows with the same recipient as an earlier row.
    #[derive(Default)]
    pub enum Duplicates {
        /// They are counted and not sent.
        #[default]
        Skip = "skip",
        /// They are sent.
        Send = "send",
    }
}

impl Messages {
    /// The encoding of the files.
    ///
    /// # Errors
    /// When it is not known.
    pub fn encoding(&self) -> Result<Option<Encoding>> {
        self.encoding.as_deref().map(Encoding::named).transpose()
    }
}

impl Messages {
    /// The columns whose names are in single braces in the template, which are sent as they are. The passcode of `otp.send` is not one of
    /// them.
    #[must_use]
    pub fn single_braces(&self, columns: &[String]) -> Vec<SingleBraces> {
        let has_code = cpaas_calls::operation(&self.operation).is_ok_and(|id| id == OperationId::OtpSend);
        self.template.single_braces(columns, has_code)
    }
}

fn template(template: Value, set: Vec<(String, String)>) -> Result<Template> {
    let Value::Object(members) = template else { return Template::new(template) };
    let mut builder = TemplateBuilder::from(members);
    let mut known = BTreeSet::new();
    for (path, source) in set {
        if !known.insert(TemplateBuilder::names(&path)) {
            return Err(Error::Setting(format!(
                "each member must be set once, got `{}` twice",
                printable(&path, MAX_NAME)
            )));
        }
        builder = builder.set(&path, source)?;
    }
    builder.build()
}

/// The value of a setting, which a description contains in another form.
trait Described: Sized {
    type Json: DeserializeOwned + Default;

    fn from_json(json: Self::Json) -> Result<Self>;
}

macro_rules! described_as_is {
    ($($type:ty),*) => { $(
        impl Described for $type {
            type Json = Self;

            fn from_json(json: Self) -> Result<Self> {
                Ok(json)
            }
        }
    )* };
}

described_as_is!(bool, Option<String>, Vec<String>, Option<u32>, Option<f64>, Suppression);

impl Described for Option<Prices> {
    type Json = Option<String>;

    fn from_json(csv: Option<String>) -> Result<Self> {
        csv.map(|csv| Prices::read(csv.as_bytes())).transpose()
    }
}

/// An amount in billionths of the currency.
impl Described for Option<i64> {
    type Json = Option<String>;

    fn from_json(text: Option<String>) -> Result<Self> {
        text.as_deref().map(parse_amount).transpose()
    }
}

impl Described for Option<Window> {
    type Json = Option<String>;

    fn from_json(text: Option<String>) -> Result<Self> {
        text.as_deref().map(Window::parse).transpose()
    }
}

impl Described for Option<StartTime> {
    type Json = Option<String>;

    fn from_json(text: Option<String>) -> Result<Self> {
        text.as_deref().map(StartTime::parse).transpose()
    }
}

impl Described for Option<FrequencyCap> {
    type Json = Option<String>;

    fn from_json(text: Option<String>) -> Result<Self> {
        text.as_deref().map(FrequencyCap::parse).transpose()
    }
}

impl Described for Duplicates {
    type Json = Option<String>;

    fn from_json(text: Option<String>) -> Result<Self> {
        let Some(name) = text else { return Ok(Self::default()) };
        Self::from_name(&name)
            .ok_or_else(|| Error::Setting(format!("duplicates must be \"{}\"", Self::NAMES.join("\" or \""))))
    }
}

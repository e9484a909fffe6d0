//! Campaigns: many messages, each sent at most once, even if workers are killed.
//!
//! A campaign stores its rendered rows in a journal. Workers ask the journal for *permits*, which name the rows that one
//! owner may send, and store the outcome of every row. Rows without an outcome are `in_flight` while their owner may live
//! and `unknown` afterwards. Unknown rows are never sent again without a resolution.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod background;
pub mod blocking;
pub mod campaign;
pub mod chunk;
mod client_stores;
mod cpaas_calls;
mod error;
mod error_with_journal;
mod frequency_cap;
mod identity_mismatch;
pub mod journal;
mod kept;
mod named_enum;
mod notes;
mod once;
mod plan;
mod platform;
mod prepare;
mod prices;
mod private_file;
pub mod protocol;
mod recipients;
mod report_file;
mod row_reason;
mod settings;
pub mod source;
mod suppression;
mod template;
mod window;
pub mod worker;
mod zone_column;

pub use client_stores::{SqlGuardStore, SqlSuppressionStore, has_password};
pub use error::{Error, Result};
pub use error_with_journal::ErrorWithJournal;
pub use frequency_cap::{Contacts, FrequencyCap};
pub use identity_mismatch::{IdentityMismatch, Witness};
pub use kept::{Kept, RowId};
pub use once::{NotAccepted, SendOnceOptions, SendOnceResult, send_once};
pub use plan::{Plan, ProblemGroup, Sample, Share, plan, plan_at, plan_created, plan_in, without_figures};
pub use prepare::RowProblem;
pub use prices::{PrefixAmount, Prices, format_amount, parse_amount};
pub use report_file::{DeliveryReport, ReportFile};
pub use row_reason::RowReason;
pub use settings::{
    ChangeDescription, Description, Duplicates, Messages, SETTINGS, Setting, SettingChanges, SettingKind,
};
pub use suppression::{Suppression, SuppressionOptions, SuppressionSummary};
pub use template::{Columns, RenderProblem, SingleBraces, Template, TemplateBuilder};
pub use window::{StartTime, Window, time_zone};

/// The example of `README.md`, run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Campaigns: many messages, each sent at most once, even if workers are killed.
//!
//! A campaign stores its rendered rows in a journal. Workers ask the journal for *permits*, which name the rows that one
//! owner may send, and store the outcome of every row. Rows without an outcome are `in_flight` while their owner may live
//! and `unknown` afterwards. Unknown rows are never sent again without a resolution.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "journal"), allow(dead_code, unused_imports, reason = "the journal uses it"))]

#[cfg(all(feature = "journal", not(unix)))]
compile_error!("the feature `journal` needs Unix");

#[cfg(feature = "journal")]
mod background;
#[cfg(feature = "journal")]
pub mod blocking;
#[cfg(feature = "journal")]
pub mod campaign;
#[cfg(feature = "journal")]
pub mod chunk;
#[cfg(feature = "journal")]
mod client_stores;
#[cfg(feature = "journal")]
mod cpaas_calls;
mod error;
#[cfg(feature = "journal")]
mod error_with_journal;
mod figures;
#[cfg(feature = "journal")]
mod frequency_cap;
mod hexadecimal;
mod identity_mismatch;
#[cfg(feature = "journal")]
pub mod journal;
#[cfg(feature = "journal")]
mod kept;
#[cfg(feature = "journal")]
mod named_enum;
#[cfg(feature = "journal")]
mod notes;
#[cfg(feature = "journal")]
mod once;
#[cfg(feature = "journal")]
mod plan;
#[cfg(feature = "journal")]
mod platform;
#[cfg(feature = "journal")]
mod prepare;
mod prices;
#[cfg(feature = "journal")]
mod private_file;
#[cfg(feature = "journal")]
pub mod protocol;
mod recipients;
#[cfg(feature = "journal")]
mod report_file;
#[cfg(feature = "journal")]
mod row_reason;
#[cfg(feature = "journal")]
mod settings;
pub mod source;
#[cfg(feature = "journal")]
mod suppression;
mod template;
mod window;
#[cfg(feature = "journal")]
pub mod worker;
#[cfg(feature = "journal")]
mod zone_column;

#[cfg(feature = "journal")]
pub use client_stores::{SqlGuardStore, SqlSuppressionStore, has_password};
pub use error::{Error, Result};
#[cfg(feature = "journal")]
pub use error_with_journal::ErrorWithJournal;
pub use figures::without_figures;
#[cfg(feature = "journal")]
pub use frequency_cap::{Contacts, FrequencyCap};
pub use identity_mismatch::{IdentityMismatch, Witness};
#[cfg(feature = "journal")]
pub use kept::{Kept, RowId};
#[cfg(feature = "journal")]
pub use once::{NotAccepted, SendOnceOptions, SendOnceResult, send_once};
#[cfg(feature = "journal")]
pub use plan::{Plan, ProblemGroup, Sample, Share, plan, plan_at, plan_created, plan_in};
#[cfg(feature = "journal")]
pub use prepare::RowProblem;
pub use prices::{PrefixAmount, Prices, format_amount, parse_amount};
#[cfg(feature = "journal")]
pub use report_file::{DeliveryReport, ReportFile};
#[cfg(feature = "journal")]
pub use row_reason::RowReason;
#[cfg(feature = "journal")]
pub use settings::{
    ChangeDescription, Description, Duplicates, Messages, SETTINGS, Setting, SettingChanges, SettingKind,
};
#[cfg(feature = "journal")]
pub use suppression::{Suppression, SuppressionOptions, SuppressionSummary};
pub use template::{Columns, RenderProblem, SingleBraces, Template, TemplateBuilder};
pub use window::{StartTime, Window, time_zone};

/// The example of `README.md`, run as a documentation test.
#[cfg(all(doctest, feature = "journal"))]
#[doc = include_str!("../README.md")]
struct Readme;

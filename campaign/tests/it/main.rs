//! The integration tests of the crate, in one program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

mod addresses;
mod backups;
mod client_settings;
mod clock;
mod column_names;
mod complete_file;
mod copies;
mod creators;
mod csv_spectrum;
mod error_sources;
mod failed_stores;
mod foreign_files;
mod fork;
mod frequency;
mod full_disk;
mod guard_store;
mod histories;
mod journal;
mod kills;
mod list_columns;
mod list_forms;
mod lists;
mod live_status;
mod many_workers;
mod marketing_lists;
mod marks;
mod memory;
mod messages;
mod notes;
mod older_suppression_store;
mod once;
mod once_deadlines;
mod once_passcodes;
mod operators;
mod outages;
mod plan_and_create;
mod postgres;
mod postgres_passwords;
mod postgres_pooler;
mod postgres_restart;
mod postgres_standby;
mod price_tables;
mod printable_errors;
mod privacy;
mod providers;
mod public_forms;
mod read_only;
mod refunds;
mod replaced;
mod reports;
mod restore_damaged;
mod restore_import;
mod restore_postgres;
mod restore_random;
mod restore_sqlite;
mod restore_walks;
mod restored_retries;
mod restored_suppressions;
mod retired;
mod retries;
mod row_numbers;
mod row_time_zones;
mod run;
mod source_lines;
mod spreadsheets;
mod sqlite;
mod stopped;
mod store_sessions;
mod streams;
mod support;
mod suppression_store;
mod taken_over;
mod templates;
mod throughput;
mod verify;
mod waiting_providers;

//! The webhook of a `messenger_c` bot.

mod delete;
mod info;
mod records;
mod set;
mod url;

pub use delete::Delete;
pub use info::Info;
pub use records::{BotAnswer, WebhookInfo};
pub use set::Set;
pub use url::{join_ta, split_ta};

//! Why a campaign stops by itself.

use crate::named_enum::named_enum;

named_enum! {
    /// Why a campaign halted by itself, or was cancelled by a restore. The set is closed: a journal that a newer version wrote is not opened.
    #[non_exhaustive]
    pub enum StopReason {
        /// Three requests in a row failed because of the key or the address.
        Setup = "setup",
        /// The maximum spend is reached.
        MaxSpend = "max_spend",
        /// The provider failed, or could not be reached, for too long.
        Outage = "outage",
        /// A delivery report names a row without a permit: the journal has lost commits.
        LostCommits = "lost_commits",
        /// The same, after [`crate::campaign::acknowledge_lost_commits`].
        LostCommitsAcknowledged = "lost_commits_acknowledged",
        /// It was being created when the journal was restored, and is cancelled.
        Restored = "restored",
    }
}

-- Version 1: campaigns, their rows in chunks, permits and outcomes. BYTES is the database's type of bytes.

CREATE TABLE campaigns (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    version BIGINT NOT NULL,
    created_us BIGINT NOT NULL,
    digest TEXT NOT NULL,
    settings TEXT NOT NULL,
    n_rows BIGINT NOT NULL,
    n_invalid BIGINT NOT NULL,
    n_suppressed BIGINT NOT NULL,
    n_duplicate BIGINT NOT NULL,
    n_accepted BIGINT NOT NULL,
    n_rejected BIGINT NOT NULL,
    n_unknown BIGINT NOT NULL,
    n_pending BIGINT NOT NULL,
    n_open BIGINT NOT NULL,
    n_attempts BIGINT NOT NULL,
    n_parts BIGINT NOT NULL,
    n_evidence BIGINT NOT NULL,
    spend BIGINT NOT NULL,
    rate_us BIGINT NOT NULL,
    backoff_us BIGINT NOT NULL,
    backoff_from_us BIGINT NOT NULL
);

CREATE TABLE chunks (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    n_rows BIGINT NOT NULL,
    n_pending BIGINT NOT NULL,
    lease BYTES,
    digest TEXT NOT NULL,
    body BYTES,
    PRIMARY KEY (campaign, chunk)
);

CREATE TABLE permits (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    token BYTES NOT NULL,
    owner BYTES NOT NULL,
    named BYTES NOT NULL,
    claimed_us BIGINT NOT NULL,
    PRIMARY KEY (campaign, chunk, sequence)
);

CREATE TABLE outcomes (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    row_index BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    message_id TEXT,
    detail TEXT,
    settled_us BIGINT NOT NULL,
    PRIMARY KEY (campaign, chunk, sequence, row_index)
);

CREATE TABLE resolutions (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    row_index BIGINT NOT NULL,
    resolution TEXT NOT NULL,
    resolved_us BIGINT NOT NULL,
    PRIMARY KEY (campaign, chunk, sequence, row_index)
);

CREATE TABLE reports (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    row_index BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    reported_us BIGINT NOT NULL,
    delivery TEXT,
    PRIMARY KEY (campaign, chunk, row_index, attempt)
);

CREATE TABLE owners (
    id BYTES PRIMARY KEY,
    campaign TEXT NOT NULL,
    process TEXT NOT NULL,
    seen_us BIGINT NOT NULL,
    n_open BIGINT NOT NULL,
    is_gone BIGINT NOT NULL
);

CREATE INDEX owners_campaign ON owners (campaign);

CREATE TABLE suppressions (
    campaign TEXT NOT NULL,
    recipient TEXT NOT NULL,
    PRIMARY KEY (campaign, recipient)
);

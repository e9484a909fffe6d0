-- Version 4: the permitted rows of each chunk, counted beside its permits, so that older rows of some tables differ.

CREATE TABLE attempts (
    campaign TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    n_attempts BIGINT NOT NULL,
    PRIMARY KEY (campaign, chunk)
);

-- Version 2: the changes of the store, so that a copy that lacks some is noticed. The first one, with the number 0, identifies the store.

CREATE TABLE IF NOT EXISTS suppression_changes (
    number BIGINT PRIMARY KEY,
    token TEXT NOT NULL
);

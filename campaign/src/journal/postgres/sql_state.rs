//! What the codes of a server's errors mean, and what to do.

use tokio_postgres::error::SqlState;

/// The meaning of a code; `None` for a code that tells an operator nothing.
pub(super) fn meaning(code: &SqlState) -> Option<&'static str> {
    Some(match *code {
        SqlState::TOO_MANY_CONNECTIONS => {
            "the server has too many connections; run fewer workers, or raise max_connections"
        }
        SqlState::CANNOT_CONNECT_NOW => "the server is starting or stopping; try again in a moment",
        SqlState::INVALID_PASSWORD => {
            "the server refused the password; check PGPASSWORD, the password file and the service file"
        }
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            "the server refused the user or the connection without TLS; check the user, sslmode and pg_hba.conf"
        }
        SqlState::INVALID_CATALOG_NAME => "the database does not exist on the server; create it",
        SqlState::INSUFFICIENT_PRIVILEGE => {
            "the user lacks a right in the database; grant CREATE on its schema, or the tables to the user"
        }
        SqlState::UNDEFINED_TABLE => "a table is missing; use the database that has the tables",
        SqlState::OUT_OF_MEMORY => "the server is out of memory",
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            "other transactions kept changing the same rows; run the command again"
        }
        SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN => {
            "the server was stopped or ended the session; start it, then run the command again"
        }
        SqlState::QUERY_CANCELED => "the server cancelled the statement; check statement_timeout",
        SqlState::LOCK_NOT_AVAILABLE => "a lock was held for too long; check lock_timeout and other sessions",
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => {
            "the server ended the session because this process was silent for too long"
        }
        SqlState::PROTOCOL_VIOLATION => {
            "a pooler or the server did not accept the connection; check the settings of the pooler"
        }
        SqlState::INVALID_SQL_STATEMENT_NAME | SqlState::DUPLICATE_PSTATEMENT => {
            "a pooler mixed the sessions of its clients; connect to the server itself"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_codes_have_words_that_say_what_to_do() {
        for (code, word) in [
            ("53300", "max_connections"),
            ("57P03", "try again"),
            ("28P01", "PGPASSWORD"),
            ("28000", "pg_hba.conf"),
            ("3D000", "create it"),
            ("42501", "grant"),
            ("40001", "again"),
            ("40P01", "again"),
            ("26000", "pooler"),
        ] {
            assert!(meaning(&SqlState::from_code(code)).is_some_and(|text| text.contains(word)), "{code}");
        }
        assert_eq!(meaning(&SqlState::from_code("22012")), None);
    }
}

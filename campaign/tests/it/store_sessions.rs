//! The sessions of a store in Postgres: their number, those that are not in use, a server without free connections, and a restart.
//! `tests/suites/campaign` sets `CAMPAIGN_TEST_POSTGRES_BIN`.
#![cfg(feature = "postgres")]

use std::time::{Duration, Instant};

use cpaas_campaign::SqlSuppressionStore;

use crate::support::cluster::{Cluster, make_writable_by_server};

const NUMBER: &str = "306900000001";

fn start() -> (tempfile::TempDir, Cluster) {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    (folder, cluster)
}

/// The sessions of other clients than the one that asks.
fn sessions(cluster: &Cluster) -> usize {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    cluster.query(sql).parse().unwrap()
}

#[test]
#[ignore = "starts a server"]
fn the_number_of_sessions_is_limited_and_idle_ones_are_closed() {
    let (_folder, cluster) = start();
    let store = SqlSuppressionStore::open(&cluster.url("postgres")).unwrap();
    // The transactions wait for this lock, so all of them run at the same time.
    let mut locking = std::process::Command::new("psql")
        .args([&cluster.url("postgres"), "-qc", "BEGIN; LOCK TABLE suppressed_number; SELECT pg_sleep(2)"])
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..60).map(|_| scope.spawn(|| store.contains(NUMBER))).collect();
        std::thread::sleep(Duration::from_millis(600));
        let during = sessions(&cluster);
        assert!((2..=9).contains(&during), "{during} sessions, of which one has the lock");
        for thread in threads {
            assert!(!thread.join().unwrap().unwrap(), "each transaction gets a session");
        }
    });
    assert!(locking.wait().unwrap().success());
    let begin = Instant::now();
    while sessions(&cluster) > 0 {
        assert!(begin.elapsed() < Duration::from_secs(15), "{} sessions are still open", sessions(&cluster));
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(!store.contains(NUMBER).unwrap(), "a closed session is replaced");
}

#[test]
#[ignore = "starts a server"]
fn a_transaction_waits_for_a_free_connection_and_for_a_restart() {
    let (_folder, cluster) = start();
    cluster.query("ALTER SYSTEM SET max_connections = 4");
    cluster.query("ALTER SYSTEM SET superuser_reserved_connections = 0");
    cluster.stop("fast");
    cluster.run();
    let hold = |seconds: u32| {
        let sql = format!("SELECT pg_sleep({seconds})");
        let holders: Vec<_> = (0..4)
            .map(|_| {
                let arguments = [&cluster.url("postgres"), "-qc", &sql];
                std::process::Command::new("psql").args(arguments).spawn().unwrap()
            })
            .collect();
        std::thread::sleep(Duration::from_millis(700));
        holders
    };
    // All connections are in use, at first only for a while.
    let holders = hold(2);
    let store = SqlSuppressionStore::open(&cluster.url("postgres")).unwrap();
    holders.into_iter().for_each(|mut holder| drop(holder.wait()));
    assert!(store.insert(NUMBER).unwrap());
    drop(store);
    let holders = hold(8);
    let begin = Instant::now();
    let error = SqlSuppressionStore::open(&cluster.url("postgres")).unwrap_err().to_string();
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
    assert!(error.contains("too many connections") && error.contains("53300"), "{error}");
    holders.into_iter().for_each(|mut holder| drop(holder.wait()));
    // The server restarts while the store is used.
    let store = SqlSuppressionStore::open(&cluster.url("postgres")).unwrap();
    std::thread::scope(|scope| {
        let using = scope.spawn(|| {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_secs(4) {
                assert!(store.contains(NUMBER).unwrap());
            }
        });
        std::thread::sleep(Duration::from_millis(300));
        cluster.stop("fast");
        std::thread::sleep(Duration::from_millis(500));
        cluster.run();
        using.join().unwrap();
    });
}

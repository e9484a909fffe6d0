//! Starts Postgres servers for one test, in a folder that the test chooses. `CAMPAIGN_TEST_POSTGRES_BIN` is the folder of the
//! Postgres programs.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) struct Cluster {
    data: PathBuf,
    pub(crate) port: u16,
}

/// Runs a program of Postgres, which refuses to run as root.
fn program(name: &str) -> Command {
    let path = Path::new(&std::env::var("CAMPAIGN_TEST_POSTGRES_BIN").unwrap()).join(name);
    let mut command = if rustix::process::getuid().is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(path);
        command
    } else {
        Command::new(path)
    };
    command.current_dir("/");
    command
}

/// Runs a client program of Postgres, which must succeed.
pub(crate) fn tool(name: &str, arguments: &[&str]) {
    let path = Path::new(&std::env::var("CAMPAIGN_TEST_POSTGRES_BIN").unwrap()).join(name);
    succeeds(Command::new(path).args(arguments));
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Makes the user of the server the owner of a folder.
pub(crate) fn make_writable_by_server(folder: &Path) {
    if rustix::process::getuid().is_root() {
        succeeds(Command::new("chown").arg("postgres").arg(folder));
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Cluster {
    /// Creates and starts a cluster in `folder`, which the user of the server owns.
    pub(crate) fn start(folder: &Path) -> Self {
        let cluster = Self { data: folder.join("data"), port: free_port() };
        let options = ["-U", "postgres", "-A", "trust", "--no-sync", "--wal-segsize=1"];
        succeeds(program("initdb").arg("-D").arg(&cluster.data).args(options));
        cluster.run();
        cluster
    }

    /// Creates and starts a standby of this cluster with asynchronous replication.
    pub(crate) fn standby(&self, folder: &Path) -> Self {
        let standby = Self { data: folder.join("standby"), port: free_port() };
        let (port, options) = (self.port.to_string(), ["-R", "-X", "stream", "-c", "fast", "--no-sync"]);
        let server = ["-h", "localhost", "-U", "postgres", "-p", port.as_str()];
        succeeds(program("pg_basebackup").args(server).arg("-D").arg(&standby.data).args(options));
        standby.run();
        standby
    }

    /// Creates a copy of this cluster, which is not started.
    pub(crate) fn base_backup(&self, folder: &Path) -> Self {
        let backup = Self { data: folder.join("backup"), port: free_port() };
        let (port, options) = (self.port.to_string(), ["-X", "stream", "-c", "fast", "--no-sync"]);
        let server = ["-h", "localhost", "-U", "postgres", "-p", port.as_str()];
        succeeds(program("pg_basebackup").args(server).arg("-D").arg(&backup.data).args(options));
        backup
    }

    fn control(&self, action: &str) -> Command {
        let mut command = program("pg_ctl");
        command.arg("-D").arg(&self.data).args(["-w", "-s", action]);
        command
    }

    pub(crate) fn run(&self) {
        let folder = self.data.parent().unwrap().display();
        let options =
            format!("-p {} -c listen_addresses=localhost -c unix_socket_directories={folder}", self.port);
        succeeds(self.control("start").arg("-o").arg(options).arg("-l").arg(self.data.with_extension("log")));
    }

    pub(crate) fn stop(&self, mode: &str) {
        let _ = self.control("stop").args(["-m", mode]).output().unwrap();
    }

    pub(crate) fn promote(&self) {
        succeeds(&mut self.control("promote"));
    }

    /// The result of a query.
    pub(crate) fn query(&self, sql: &str) -> String {
        let url = self.url("postgres");
        let output = succeeds(Command::new("psql").args([&url, "-Atqc", sql]));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost:{}/{database}", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop("immediate");
    }
}

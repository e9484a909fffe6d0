//! The settings of a connection: the address, then the service file, then the environment and the password file, as in libpq.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

use crate::error::{Error, Result};
use crate::private_file::refuse_wide;

/// The value of a variable of the environment.
pub(super) type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What an address and the files and variables beside it say about a connection.
pub(super) struct Address {
    pub(super) config: Config,
    /// `sslmode`; `None` if it is not written anywhere.
    pub(super) mode: Option<String>,
    /// `sslrootcert`.
    pub(super) root: Option<String>,
}

/// The parameters of an address that tokio-postgres does not know.
#[derive(Default)]
struct Extra {
    mode: Option<String>,
    root: Option<String>,
    service: Option<String>,
    password_file: Option<String>,
}

impl Extra {
    fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "sslmode" => Some(&mut self.mode),
            "sslrootcert" => Some(&mut self.root),
            "service" => Some(&mut self.service),
            "passfile" => Some(&mut self.password_file),
            _ => None,
        }
    }
}

impl Address {
    /// Reads an address and what it names.
    pub(super) fn read(url: &str, environment: Environment<'_>) -> Result<Self> {
        let (rest, mut extra) = split(url);
        let mut config: Config = rest.parse().map_err(|_| {
            let message = "the address of the journal must be postgres://user@host:port/database";
            Error::Setting(message.to_owned())
        })?;
        let variable = |name: &str| environment(name).filter(|value| !value.is_empty());
        let text = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
        if let Some(service) = extra.service.take().or_else(|| text("PGSERVICE")) {
            add_service(&mut config, &mut extra, &service, environment)?;
        }
        // With an address of a host and without its name, the address is the name.
        if config.get_hosts().is_empty() {
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        if config.get_password().is_none() {
            let path =
                extra.password_file.map(PathBuf::from).or_else(|| Some(variable("PGPASSFILE")?.into()));
            let path = path.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".pgpass")));
            if let Some(password) = text("PGPASSWORD") {
                config.password(password);
            } else if let Some(password) = path.map_or(Ok(None), |path| password(&config, &path))? {
                config.password(password);
            }
        }
        let mode = extra.mode.or_else(|| text("PGSSLMODE"));
        let root = extra.root.or_else(|| text("PGSSLROOTCERT"));
        Ok(Self { config, mode, root })
    }

    /// Whether every host is this machine, so that nobody else reads what is sent.
    pub(super) fn is_local(&self) -> bool {
        let addresses = self.config.get_hostaddrs();
        if !addresses.is_empty() {
            return addresses.iter().all(IpAddr::is_loopback);
        }
        self.config.get_hosts().iter().all(|host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                let name = name.trim_end_matches('.');
                name.eq_ignore_ascii_case("localhost")
                    || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
            }
        })
    }
}

/// Whether an address contains a password. So does one that cannot be read.
pub(crate) fn has_password(url: &str) -> bool {
    let config: std::result::Result<Config, _> = split(url).0.parse();
    config.map_or(true, |config| config.get_password().is_some())
}

/// The address without the parameters that tokio-postgres does not know, then these.
fn split(url: &str) -> (String, Extra) {
    let (front, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut extra, mut others) = (Extra::default(), Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = percent_decode_str(name).decode_utf8_lossy();
        match extra.field(&name) {
            Some(field) => *field = Some(percent_decode_str(value).decode_utf8_lossy().into_owned()),
            None => others.push(pair),
        }
    }
    let rest = if others.is_empty() { front.to_owned() } else { format!("{front}?{}", others.join("&")) };
    (rest, extra)
}

/// Adds the settings of a service that the address does not have.
fn add_service(
    config: &mut Config,
    extra: &mut Extra,
    service: &str,
    environment: Environment<'_>,
) -> Result<()> {
    let variable = |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = variable("PGSERVICEFILE").or_else(|| Some(variable("HOME")?.join(".pg_service.conf")));
    let of_system = variable("PGSYSCONFDIR").map(|folder| folder.join("pg_service.conf"));
    let files = own.into_iter().chain(of_system);
    let found = files.filter_map(|path| std::fs::read_to_string(path).ok());
    let found = found.map(|text| section(&text, service)).find(Option::is_some).flatten();
    let pairs = found.ok_or_else(|| {
        let message = "the service of the journal's address must be in the file that PGSERVICEFILE names, or in ~/.pg_service.conf";
        Error::Setting(message.to_owned())
    })?;
    let given = config.clone();
    for (name, value) in pairs {
        if let Some(field) = extra.field(&name) {
            field.get_or_insert(value);
        } else {
            add(config, &given, &name, &value)?;
        }
    }
    Ok(())
}

/// Adds one setting of a service if the address does not have it.
fn add(config: &mut Config, given: &Config, name: &str, value: &str) -> Result<()> {
    let refused = || {
        let message = format!("the service file has the setting `{name}`, which journals do not accept");
        Error::Setting(message)
    };
    let escaped = value.replace('\\', r"\\").replace('\'', r"\'");
    let one: Config = format!("{name}='{escaped}'").parse().map_err(|_| refused())?;
    // The address has priority.
    let is_given = match name {
        "host" => !given.get_hosts().is_empty(),
        "hostaddr" => !given.get_hostaddrs().is_empty(),
        "port" => !given.get_ports().is_empty(),
        "user" => given.get_user().is_some(),
        "dbname" => given.get_dbname().is_some(),
        "password" => given.get_password().is_some(),
        "options" => given.get_options().is_some(),
        "application_name" => given.get_application_name().is_some(),
        "connect_timeout" => given.get_connect_timeout().is_some(),
        _ => return Err(refused()),
    };
    if is_given {
        return Ok(());
    }
    for host in one.get_hosts() {
        match host {
            Host::Tcp(name) => config.host(name),
            Host::Unix(path) => config.host_path(path),
        };
    }
    for address in one.get_hostaddrs() {
        config.hostaddr(*address);
    }
    for port in one.get_ports() {
        config.port(*port);
    }
    if let Some(limit) = one.get_connect_timeout() {
        config.connect_timeout(*limit);
    }
    match name {
        "user" => config.user(value),
        "dbname" => config.dbname(value),
        "password" => config.password(value),
        "options" => config.options(value),
        "application_name" => config.application_name(value),
        _ => config,
    };
    Ok(())
}

/// The settings of one service; `None` if the file does not have it.
fn section(text: &str, service: &str) -> Option<Vec<(String, String)>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut lines = lines.skip_while(|line| *line != format!("[{service}]"));
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with('['));
    let pairs = own.filter_map(|line| line.split_once('='));
    Some(pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect())
}

/// The password of the first line of the password file that matches the connection. A file that others can read is refused,
/// once a line matches.
fn password(config: &Config, path: &Path) -> Result<Option<String>> {
    let Ok(bytes) = std::fs::read(path) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    for host in config.get_hosts() {
        let host = match host {
            Host::Tcp(name) => name.clone(),
            // As in libpq, the name of a connection through the usual folder.
            Host::Unix(path) if is_usual(path) => "localhost".to_owned(),
            Host::Unix(path) => path.display().to_string(),
        };
        let expected = [host.as_str(), &port, database, user];
        if let Some(password) = text.lines().find_map(|line| matching(line, &expected)) {
            refuse_wide(&[path.to_owned()])?;
            return Ok(Some(password));
        }
    }
    Ok(None)
}

fn is_usual(path: &Path) -> bool {
    ["/tmp", "/var/run/postgresql", "/run/postgresql"].iter().any(|usual| path == Path::new(usual))
}

/// The password of a line `host:port:database:user:password`, if its other fields match.
fn matching(line: &str, expected: &[&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = fields(line).into_iter();
    for expected in expected {
        let (field, is_escaped) = fields.next()?;
        let is_any = field == "*" && !is_escaped;
        if !is_any && field != *expected {
            return None;
        }
    }
    fields.next().map(|(password, _)| password)
}

/// The fields of a line of the password file, and whether each contains an escaped character.
fn fields(line: &str) -> Vec<(String, bool)> {
    let mut fields = vec![(String::new(), false)];
    let mut characters = line.trim_end_matches('\r').chars();
    while let Some(character) = characters.next() {
        let is_last = fields.len() == 5;
        let Some((field, is_escaped)) = fields.last_mut() else { break };
        match character {
            '\\' => {
                field.extend(characters.next());
                *is_escaped = true;
            }
            // The password ends at the end of the line.
            ':' if !is_last => fields.push((String::new(), false)),
            character => field.push(character),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn read(url: &str, variables: &[(&str, &str)]) -> Result<Address> {
        let environment = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        Address::read(url, &environment)
    }

    fn password_of(url: &str, variables: &[(&str, &str)]) -> Option<String> {
        let address = read(url, variables).unwrap();
        address.config.get_password().map(|password| String::from_utf8(password.to_vec()).unwrap())
    }

    fn written(folder: &Path, name: &str, text: &str, mode: u32) -> String {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    }

    #[test]
    fn the_password_of_an_address_is_found_wherever_it_is() {
        for url in [
            "postgres://u:secret@h/d",
            "postgres://u:sec/ret@h/d",
            "postgres://u:sec?ret@h/d",
            "postgres://u:@h/d",
            "postgres://h/d?user=u&password=secret",
            "postgres://h/d?user=u&pass%77ord=secret",
            "postgres://h/d?sslmode=disable&password=secret",
            "postgres://u:secret@h:port/d",
        ] {
            assert!(has_password(url), "{url}");
        }
        for url in
            ["postgres://u@h/d", "postgres://h", "postgres://u@h/password?sslmode=verify-full&passfile=/p"]
        {
            assert!(!has_password(url), "{url}");
        }
    }

    #[test]
    fn sslmode_and_sslrootcert_are_read_from_the_address() {
        let url = "postgres://u@h/d?connect_timeout=5&sslmode=verify-full&sslrootcert=/a%20b.pem";
        let address = read(url, &[]).unwrap();
        assert_eq!(
            (address.mode.as_deref(), address.root.as_deref()),
            (Some("verify-full"), Some("/a b.pem"))
        );
        assert_eq!(address.config.get_connect_timeout().unwrap().as_secs(), 5);
        let address = read("postgres://u@h/d", &[]).unwrap();
        assert_eq!((address.mode, address.root), (None, None));
    }

    #[test]
    fn pgsslmode_and_pgsslrootcert_are_read_where_neither_the_address_nor_the_service_has_a_value() {
        let folder = tempfile::tempdir().unwrap();
        let file = written(folder.path(), "services", "[s]\nhost=h\nsslmode=verify-ca\n", 0o600);
        let all =
            [("PGSSLMODE", "verify-full"), ("PGSSLROOTCERT", "/c.pem"), ("PGSERVICEFILE", file.as_str())];
        let found = |url: &str, variables: &[(&str, &str)]| {
            let address = read(url, variables).unwrap();
            (address.mode.unwrap_or_default(), address.root.unwrap_or_default())
        };
        let both = |mode: &str, root: &str| (mode.to_owned(), root.to_owned());
        assert_eq!(found("postgres://u@h/d", &all), both("verify-full", "/c.pem"));
        assert_eq!(found("postgres://u@h/d?sslmode=require", &all), both("require", "/c.pem"));
        assert_eq!(found("postgres://u@h/d?sslrootcert=/a.pem", &all), both("verify-full", "/a.pem"));
        assert_eq!(found("postgres://u@h/d?service=s", &all), both("verify-ca", "/c.pem"));
        assert_eq!(found("postgres://u@h/d", &[("PGSSLMODE", ""), ("PGSSLROOTCERT", "")]), both("", ""));
    }

    #[test]
    fn the_password_is_that_of_the_address_then_of_the_environment_then_of_the_password_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = written(folder.path(), "pgpass", "h:5432:d:u:from file\n", 0o600);
        let all = [("PGPASSWORD", "from variable"), ("PGPASSFILE", &file)];
        assert_eq!(password_of("postgres://u:from%20url@h/d", &all).as_deref(), Some("from url"));
        assert_eq!(password_of("postgres://u@h/d", &all).as_deref(), Some("from variable"));
        assert_eq!(password_of("postgres://u@h/d", &all[1..]).as_deref(), Some("from file"));
        assert_eq!(password_of("postgres://u@h/d", &[]), None);
        assert_eq!(
            password_of(&format!("postgres://u@h/d?passfile={file}"), &[]).as_deref(),
            Some("from file")
        );
        let home = [("HOME", folder.path().to_str().unwrap())];
        assert_eq!(password_of("postgres://u@h/d", &home), None);
        written(folder.path(), ".pgpass", "*:*:*:*:at home\n", 0o600);
        assert_eq!(password_of("postgres://u@h/d", &home).as_deref(), Some("at home"));
    }

    #[test]
    fn a_line_of_the_password_file_matches_as_in_libpq() {
        let text = "# h:5432:d:u:comment\n\nh:1:d:u:other port\nh:5432:e:u:other database\nh:5432:d:v:other user\n\
            g:5432:d:u:other host\nh:5432:d:u:a\\:b\\\\c:d\r\nh:*:d:u:later\n*:*:*:*:any\n";
        let folder = tempfile::tempdir().unwrap();
        let file = written(folder.path(), "pgpass", text, 0o600);
        let found = |url: &str| password_of(url, &[("PGPASSFILE", &file)]);
        assert_eq!(found("postgres://u@h/d").as_deref(), Some("a:b\\c:d"));
        assert_eq!(found("postgres://u@h:7/d").as_deref(), Some("later"));
        assert_eq!(found("postgres://w@x/y").as_deref(), Some("any"));
        let file = written(folder.path(), "escaped", "\\*:*:*:*:literal star\nh:1\n", 0o600);
        assert_eq!(password_of("postgres://u@h/d", &[("PGPASSFILE", &file)]), None);
    }

    #[test]
    fn a_password_file_that_others_can_read_is_refused_if_it_is_needed() {
        let folder = tempfile::tempdir().unwrap();
        let file = written(folder.path(), "pgpass", "h:*:*:*:secret word\n", 0o640);
        let error = read("postgres://u@h/d", &[("PGPASSFILE", &file)]).err().unwrap().to_string();
        assert!(error.contains(&format!("chmod 600 {file}")), "{error}");
        assert!(!error.contains("secret word"));
        assert!(read("postgres://u@g/d", &[("PGPASSFILE", &file)]).is_ok(), "no line matches");
        assert!(read("postgres://u:p@h/d", &[("PGPASSFILE", &file)]).is_ok(), "not needed");
    }

    #[test]
    fn a_service_adds_what_the_address_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let text = "# comment\n[other]\nhost=wrong\n[campaigns]\nhost = db.example\nport=6432\nuser=ann\n\
            dbname=campaigns\npassword=it's \\ secret\nsslmode=verify-full\nsslrootcert=system\n[last]\nhost=wrong\n";
        let file = written(folder.path(), "services", text, 0o600);
        let variables = [("PGSERVICEFILE", file.as_str()), ("PGPASSWORD", "of the environment")];
        for (url, host, user, port) in [
            ("postgres://?service=campaigns", "db.example", "ann", 6432),
            // A host without a port has the usual one.
            ("postgres://ben@other.example?service=campaigns", "other.example", "ben", 5432),
        ] {
            let address = read(url, &variables).unwrap();
            assert_eq!(address.config.get_hosts(), [Host::Tcp(host.to_owned())], "{url}");
            assert_eq!(address.config.get_user(), Some(user));
            assert_eq!(address.config.get_ports(), [port]);
            assert_eq!(address.config.get_dbname(), Some("campaigns"));
            assert_eq!(address.config.get_password(), Some(b"it's \\ secret".as_slice()));
            assert_eq!(
                (address.mode.as_deref(), address.root.as_deref()),
                (Some("verify-full"), Some("system"))
            );
        }
        let by_variable = [variables[0], ("PGSERVICE", "last")];
        assert_eq!(read("postgres://u@/d", &by_variable).unwrap().config.get_hosts().len(), 1);
        let unknown = read("postgres://?service=none", &variables).err().unwrap().to_string();
        assert!(unknown.contains("PGSERVICEFILE"), "{unknown}");
        let file = written(folder.path(), "services", "[s]\nhost=h\ngssencmode=secret word\n", 0o600);
        let error = read("postgres://?service=s", &[("PGSERVICEFILE", &file)]).err().unwrap().to_string();
        assert!(error.contains("gssencmode") && !error.contains("secret word"), "{error}");
    }

    #[test]
    fn local_hosts_are_sockets_and_addresses_of_loopback() {
        for (url, expected) in [
            ("postgres://u@localhost/d", true),
            ("postgres://u@LOCALHOST./d", true),
            ("postgres://u@127.0.0.9/d", true),
            ("postgres://u@[::1]/d", true),
            ("postgres://u@%2Frun%2Fpostgresql/d", true),
            ("postgres://u@/d?host=/tmp", true),
            ("postgres://u@localhost.example/d", false),
            ("postgres://u@127.0.0.1.example/d", false),
            ("postgres://u@10.0.0.1/d", false),
            ("postgres://u@localhost,db.example/d", false),
            ("postgres://u@localhost/d?hostaddr=10.0.0.1", false),
            ("postgres://u@db.example/d?hostaddr=127.0.0.1", true),
        ] {
            assert_eq!(read(url, &[]).unwrap().is_local(), expected, "{url}");
        }
    }
}

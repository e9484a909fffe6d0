//! The options of a sandbox, which have the same names on the command line and in the library.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use crate::assumptions::AssumptionSet;
use crate::clock::ClockMode;
use crate::time_text::parse_length;

/// The HTTP status of OTP errors (D01).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum OtpErrorStatus {
    #[default]
    Mirror,
    Semantic,
    Always200,
}

/// The authentication that the family `messaging` requires (D25).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum MessagingAuth {
    #[default]
    Optional,
    Header,
    Basic,
    None,
}

/// A maximum number of requests in a length of time, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) count: u32,
    pub(crate) window: u64,
}

/// A network of allowed addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Network {
    address: IpAddr,
    bits: u8,
}

/// A switch, the form of its value, and what it does.
pub type Switch = (&'static str, &'static str, &'static str);

/// Declares the options: the member with its default, and the switch with the form of its value, its help text, and how it changes the
/// member. A value of another form ends the change with `?`.
macro_rules! options {
    ($(
        $(#[doc = $doc:literal])*
        $field:ident : $type:ty = $default:expr,
            $switch:literal $form:literal $help:literal => |$option:ident, $value:ident| $change:expr;
    )*) => {
        #[derive(Debug, Clone)]
        pub(crate) struct Options {
            $( $(#[doc = $doc])* pub(crate) $field: $type, )*
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        /// Every switch, for `--help`.
        pub const SWITCHES: &[Switch] = &[$( ($switch, $form, $help) ),*];

        impl Options {
            fn apply(&mut self, name: &str, value: &str) -> Option<()> {
                match name {
                    $( $switch => {
                        let ($option, $value) = (&mut self.$field, value);
                        $change;
                    } )*
                    _ => return None,
                }
                Some(())
            }
        }
    };
}

options! {
    port: u16 = 0,
        "port" "PORT" "port to listen on; 0 selects a free port (default)"
        => |port, value| *port = value.parse().ok()?;
    bind: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST),
        "bind" "ADDRESS" "address to listen on (default 127.0.0.1)"
        => |address, value| *address = value.parse().ok()?;
    clock: ClockMode = ClockMode::Real,
        "clock" "real|virtual" "whether the accounts' clocks follow real time (default real)"
        => |clock, value| *clock = choose(value, &[("real", ClockMode::Real), ("virtual", ClockMode::Virtual)])?;
    seed: Option<u64> = None,
        "seed" "N" "makes ids, keys, codes and faults the same in each run"
        => |seed, value| *seed = Some(value.parse().ok()?);
    otp_error_status: OtpErrorStatus = OtpErrorStatus::Mirror,
        "otp-error-status" "mirror|semantic|always200" "HTTP status of OTP errors (D01)"
        => |status, value| *status = otp_error_status(value)?;
    sms_errors_under_200: bool = false,
        "b-status" "mirror|always200" "HTTP status of a non-zero responseCode (D28)"
        => |is_always, value| *is_always = choose(value, &[("mirror", false), ("always200", true)])?;
    /// Lifetime of a passcode, in milliseconds.
    otp_ttl: u64 = 600_000,
        "otp-ttl" "LENGTH" "lifetime of a passcode (D05, default 600s)"
        => |length, value| *length = parse_length(value)?;
    otp_max_checks: Option<u32> = None,
        "otp-max-checks" "N" "maximum number of checks of a passcode; further ones get 429 (D07)"
        => |count, value| *count = Some(value.parse().ok()?);
    ignore_unknown_limit: bool = false,
        "unknown-limit" "refuse|ignore" "how otp.send treats an unknown limit name (D16)"
        => |ignores, value| *ignores = choose(value, &[("refuse", false), ("ignore", true)])?;
    first_page: i64 = 0,
        "first-page" "0|1" "number of the first page (D19)"
        => |page, value| *page = choose(value, &[("0", 0), ("1", 1)])?;
    conversion: bool = false,
        "conversion" "" "enables conversion tracking (D33)"
        => |is_on, value| *is_on = choose(value, &[("", true), ("on", true), ("off", false)])?;
    rate: Option<Rate> = None,
        "rate" "N/LENGTH" "maximum number of requests in a time, such as 100/s (D50)"
        => |limit, value| *limit = Some(rate(value)?);
    messaging_auth: MessagingAuth = MessagingAuth::Optional,
        "messaging-auth" "optional|header|basic|none" "authentication of messages.* and webhooks.* (D25)"
        => |auth, value| *auth = messaging_auth(value)?;
    allow_ip: Vec<Network> = Vec::new(),
        "allow-ip" "NETWORK" "allowed source addresses; may be repeated (D24)"
        => |networks, value| networks.push(Network::parse(value)?);
    strict: AssumptionSet = AssumptionSet::default(),
        "strict" "[=D08,D26]" "responses that depend on an assumption (all, or those listed) become 501"
        => |set, value| *set = if value.is_empty() { AssumptionSet::ALL } else { set.union(AssumptionSet::parse(value)?) };
    /// Names besides loopback that are allowed in `Host`.
    allow_host: Vec<String> = Vec::new(),
        "allow-host" "NAME" "a name besides loopback that is allowed in the Host header; may be repeated"
        => |names, value| names.push(host(value)?);
    cors: Option<String> = None,
        "cors" "ORIGIN" "allows browser pages of this origin to call the sandbox"
        => |origin, value| *origin = Some(non_empty(value)?);
    composer: Option<PathBuf> = None,
        "composer" "DIR" "serves a folder at /composer"
        => |folder, value| *folder = Some(non_empty(value)?.into());
    ledger_limit: Option<usize> = None,
        "ledger-limit" "N" "maximum number of accepted messages; further ones get 507"
        => |limit, value| *limit = Some(value.parse().ok()?);
    db: Option<PathBuf> = None,
        "db" "FILE" "keeps the ledger in a file instead of memory; the file is emptied at start"
        => |file, value| *file = Some(non_empty(value)?.into());
    callback_hosts: Vec<String> = Vec::new(),
        "allow-callback-host" "HOST" "a host besides loopback that callbacks may reach; may be repeated"
        => |hosts, value| hosts.push(non_empty(value)?);
    callback_ca: Option<PathBuf> = None,
        "callback-ca" "FILE" "root certificate for callbacks over TLS, in DER or PEM form"
        => |file, value| *file = Some(non_empty(value)?.into());
    /// Time limit of a callback, in milliseconds.
    callback_timeout: u64 = 15_000,
        "callback-timeout" "LENGTH" "time limit of a callback, in real time (D37, default 15s)"
        => |limit, value| *limit = time_limit(value)?;
    messages: usize = 10_000,
        "messages" "N" "messages kept for the inbox (default 10000)"
        => |count, value| *count = value.parse().ok()?;
    requests: usize = 1_000,
        "requests" "N" "requests, events and attempts kept (default 1000)"
        => |count, value| *count = value.parse().ok()?;
    memory: usize = 64 << 20,
        "memory" "SIZE" "maximum size of the messages, requests, events, attempts and passcodes kept by an account (default 64MiB)"
        => |limit, value| *limit = size(value)?;
    connections: usize = 512,
        "connections" "N" "connections at a time; further ones get 503 (default 512)"
        => |count, value| *count = positive(value)?;
    /// Time limit for the head of a request, in milliseconds of real time.
    head_timeout: u64 = 10_000,
        "head-timeout" "LENGTH" "time limit for the head of a request, in real time (default 10s)"
        => |limit, value| *limit = time_limit(value)?;
    /// Time limit for a peer that does not read a response, in milliseconds of real time.
    write_timeout: u64 = 10_000,
        "write-timeout" "LENGTH" "time limit for a peer that does not read a response, in real time (default 10s)"
        => |limit, value| *limit = time_limit(value)?;
    /// Time limit for the body of a request, in milliseconds of real time.
    body_timeout: u64 = 60_000,
        "body-timeout" "LENGTH" "time limit for the body of a request, in real time (default 60s)"
        => |limit, value| *limit = time_limit(value)?;
    /// The maximum number of accounts.
    accounts: usize = 1_000,
        "accounts" "N" "maximum number of accounts; further ones get 507 (default 1000)"
        => |count, value| *count = positive(value)?;
    /// Time from one delivery status to the next, in milliseconds.
    delivery: u64 = 200,
        "delivery" "LENGTH" "time from one delivery status to the next (default 200ms)"
        => |length, value| *length = parse_length(value)?;
}

impl Options {
    /// Sets a switch by its name; an empty value for one without a value.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.apply(name, value).ok_or_else(|| match SWITCHES.iter().find(|switch| switch.0 == name) {
            Some((name, form, _)) => format!("--{name} must be {}", form_in_words(form)),
            None => format!("unknown switch: --{name}{}", similar_switch(name)),
        })
    }
}

fn form_in_words(form: &str) -> String {
    match form {
        "" => "on or off".to_owned(),
        "N" => "a whole number".to_owned(),
        "N/LENGTH" => "a number of requests in a length of time, such as 100/s or 5/10m".to_owned(),
        "PORT" => "a port number, 0 to 65535".to_owned(),
        "LENGTH" => "a length of time, such as 10s, 250ms or 5m".to_owned(),
        "SIZE" => "a size in bytes, such as 65536, 512KiB, 64MiB or 1GiB".to_owned(),
        "ADDRESS" => "an IP address".to_owned(),
        "NETWORK" => "an IP address or a network, such as 10.0.0.0/8".to_owned(),
        "NAME" | "HOST" => "the name or the IP address of a host".to_owned(),
        "ORIGIN" => "an origin, such as https://shop.example".to_owned(),
        "FILE" => "the path of a file".to_owned(),
        "DIR" => "the path of a folder".to_owned(),
        "[=D08,D26]" => "empty, or a list of assumptions, such as D08,D26".to_owned(),
        choices => match choices.rsplit_once('|') {
            Some((first, last)) => format!("{} or {last}", first.replace('|', ", ")),
            None => choices.to_owned(),
        },
    }
}

fn similar_switch(name: &str) -> String {
    let known = cpaas::nearest_name(name, &mut SWITCHES.iter().map(|(known, ..)| *known));
    known.map_or_else(String::new, |known| format!("; did you mean --{known}?"))
}

/// A name or an address without a port.
fn host(value: &str) -> Option<String> {
    let bare = value.parse::<std::net::Ipv6Addr>().is_ok();
    let name = host_name(&if bare { format!("[{value}]") } else { value.to_owned() })?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    name.chars().all(plain).then_some(name)
}

/// The name in `name`, `name:port` or `[address]:port`: lower case, without a trailing dot.
pub(crate) fn host_name(host: &str) -> Option<String> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = rest.strip_prefix(':').unwrap_or(rest);
    let plain = !name.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.strip_suffix('.').unwrap_or(name);
    plain.then(|| name.to_ascii_lowercase())
}

/// Bytes from `65536`, `512KiB`, `64MiB` or `1GiB`.
fn size(value: &str) -> Option<usize> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
    let unit = units.iter().find_map(|(name, unit)| Some((value.strip_suffix(name)?, *unit)));
    let (number, unit) = unit.unwrap_or((value, 1_usize));
    number.parse::<usize>().ok()?.checked_mul(unit).filter(|size| *size > 0)
}

fn time_limit(value: &str) -> Option<u64> {
    parse_length(value).filter(|length| *length > 0)
}

fn positive(value: &str) -> Option<usize> {
    value.parse().ok().filter(|count| *count > 0)
}

fn non_empty(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

fn choose<T: Copy>(value: &str, among: &[(&str, T)]) -> Option<T> {
    among.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice)
}

fn otp_error_status(value: &str) -> Option<OtpErrorStatus> {
    choose(
        value,
        &[
            ("mirror", OtpErrorStatus::Mirror),
            ("semantic", OtpErrorStatus::Semantic),
            ("always200", OtpErrorStatus::Always200),
        ],
    )
}

fn messaging_auth(value: &str) -> Option<MessagingAuth> {
    choose(
        value,
        &[
            ("optional", MessagingAuth::Optional),
            ("header", MessagingAuth::Header),
            ("basic", MessagingAuth::Basic),
            ("none", MessagingAuth::None),
        ],
    )
}

fn rate(value: &str) -> Option<Rate> {
    let (count, window) = value.split_once('/')?;
    let window = if window.starts_with(|c: char| c.is_ascii_digit()) {
        parse_length(window)?
    } else {
        parse_length(&format!("1{window}"))?
    };
    Some(Rate { count: count.parse().ok().filter(|count| *count > 0)?, window: window.max(1) })
}

impl Network {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/').unwrap_or((text, ""));
        let address: IpAddr = address.parse().ok()?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let bits = if bits.is_empty() { width } else { bits.parse().ok().filter(|bits| *bits <= width)? };
        Some(Self { address, bits })
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let differ = match (self.address, address) {
            (IpAddr::V4(a), IpAddr::V4(b)) => u128::from(a.to_bits() ^ b.to_bits()) << 96,
            (IpAddr::V6(a), IpAddr::V6(b)) => a.to_bits() ^ b.to_bits(),
            _ => return false,
        };
        differ.leading_zeros() >= u32::from(self.bits)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// An invalid value of each switch, and what the switch must be.
    const INVALID: &[(&str, &str, &str)] = &[
        ("port", "65536", "a port number, 0 to 65535"),
        ("bind", "localhost", "an IP address"),
        ("clock", "atomic", "real or virtual"),
        ("seed", "-1", "a whole number"),
        ("otp-error-status", "200", "mirror, semantic or always200"),
        ("b-status", "200", "mirror or always200"),
        ("otp-ttl", "long", "a length of time, such as 10s, 250ms or 5m"),
        ("otp-max-checks", "3.5", "a whole number"),
        ("unknown-limit", "accept", "refuse or ignore"),
        ("first-page", "2", "0 or 1"),
        ("conversion", "maybe", "on or off"),
        ("rate", "100", "a number of requests in a length of time, such as 100/s or 5/10m"),
        ("messaging-auth", "digest", "optional, header, basic or none"),
        ("allow-ip", "10.0.0.0/33", "an IP address or a network, such as 10.0.0.0/8"),
        ("strict", "D0", "empty, or a list of assumptions, such as D08,D26"),
        ("allow-host", "a/b", "the name or the IP address of a host"),
        ("cors", "", "an origin, such as https://shop.example"),
        ("composer", "", "the path of a folder"),
        ("ledger-limit", "all", "a whole number"),
        ("db", "", "the path of a file"),
        ("allow-callback-host", "", "the name or the IP address of a host"),
        ("callback-ca", "", "the path of a file"),
        ("callback-timeout", "0s", "a length of time, such as 10s, 250ms or 5m"),
        ("messages", "many", "a whole number"),
        ("requests", "", "a whole number"),
        ("memory", "64MB", "a size in bytes, such as 65536, 512KiB, 64MiB or 1GiB"),
        ("connections", "0", "a whole number"),
        ("head-timeout", "soon", "a length of time, such as 10s, 250ms or 5m"),
        ("write-timeout", "soon", "a length of time, such as 10s, 250ms or 5m"),
        ("body-timeout", "soon", "a length of time, such as 10s, 250ms or 5m"),
        ("accounts", "-1", "a whole number"),
        ("delivery", "soon", "a length of time, such as 10s, 250ms or 5m"),
    ];

    fn error(name: &str, value: &str) -> String {
        Options::default().set(name, value).unwrap_err()
    }

    #[test]
    fn an_invalid_value_names_what_the_switch_must_be() {
        for (name, value, expected) in INVALID {
            assert_eq!(error(name, value), format!("--{name} must be {expected}"));
        }
        let listed: Vec<&str> = SWITCHES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(INVALID.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), listed);
    }

    #[test]
    fn only_similar_switches_are_suggested() {
        assert_eq!(error("prot", "1"), "unknown switch: --prot; did you mean --port?");
        assert_eq!(error("otp_ttl", "1s"), "unknown switch: --otp_ttl; did you mean --otp-ttl?");
        assert_eq!(error("dbb", "1"), "unknown switch: --dbb; did you mean --db?");
        for name in ["xy", "ip", "no", "nothing"] {
            assert_eq!(error(name, "1"), format!("unknown switch: --{name}"));
        }
    }

    #[test]
    fn networks_and_rates_are_read() {
        let network = Network::parse("10.0.0.0/8").unwrap();
        assert!(
            network.contains("10.9.8.7".parse().unwrap()) && !network.contains("127.0.0.1".parse().unwrap())
        );
        assert!(Network::parse("::1").unwrap().contains("::1".parse().unwrap()));
        assert_eq!(rate("100/s"), Some(Rate { count: 100, window: 1_000 }));
        assert_eq!(rate("5/10m"), Some(Rate { count: 5, window: 600_000 }));
        assert_eq!(rate("0/s"), None);
        assert_eq!(["1", "2KiB", "64MiB"].map(size), [Some(1), Some(2_048), Some(67_108_864)]);
        assert_eq!(["", "0", "1MB", "-1", "99999999999GiB"].map(size), [None; 5]);
    }

    #[test]
    fn host_names_are_read_without_port_and_trailing_dot() {
        assert_eq!(host_name("LocalHost.:8025").as_deref(), Some("localhost"));
        assert_eq!(host_name("[::1]:80").as_deref(), Some("::1"));
        for bad in ["", ":80", "localhost:80@evil.example", "a:b", "[::1", "[::1]x"] {
            assert_eq!(host_name(bad), None, "{bad}");
        }
    }
}

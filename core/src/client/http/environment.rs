//! Proxies out of the environment, by the names and rules of curl.

use std::net::IpAddr;

/// The variables as they are set; empty for none.
#[derive(Default)]
pub(crate) struct Variables {
    pub(crate) http: String,
    pub(crate) https: String,
    pub(crate) all: String,
    pub(crate) no: String,
}

impl Variables {
    /// None where a web server set `REQUEST_METHOD`: there, `HTTP_PROXY` is a header of the request.
    pub(crate) fn read() -> Self {
        if std::env::var_os("REQUEST_METHOD").is_some() {
            return Self::default();
        }
        let read = |upper, lower| std::env::var(upper).or_else(|_| std::env::var(lower)).unwrap_or_default();
        Self {
            http: read("HTTP_PROXY", "http_proxy"),
            https: read("HTTPS_PROXY", "https_proxy"),
            all: read("ALL_PROXY", "all_proxy"),
            no: read("NO_PROXY", "no_proxy"),
        }
    }
}

/// The hosts that no proxy is asked for.
#[derive(Default)]
pub(crate) struct Except(Vec<Rule>);

enum Rule {
    Network(IpAddr, u32),
    Domain(String),
}

impl Except {
    pub(crate) fn read(list: &str) -> Self {
        let rules = list.split(',').map(str::trim).filter(|rule| !rule.is_empty());
        Self(rules.map(|rule| network(rule).unwrap_or_else(|| Rule::Domain(rule.to_owned()))).collect())
    }

    pub(crate) fn contains(&self, host: &str) -> bool {
        let address = host.parse::<IpAddr>().ok();
        self.0.iter().any(|rule| match (rule, address) {
            (Rule::Network(network, bits), Some(address)) => is_within(address, *network, *bits),
            (Rule::Domain(domain), None) => is_below(host, domain),
            _ => false,
        })
    }
}

fn network(rule: &str) -> Option<Rule> {
    let (address, bits) = rule.split_once('/').map_or((rule, None), |(address, bits)| (address, Some(bits)));
    let address = address.parse::<IpAddr>().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.map_or(Some(most), |bits| bits.parse().ok())?;
    (bits <= most).then_some(Rule::Network(address, bits))
}

fn is_within(address: IpAddr, network: IpAddr, bits: u32) -> bool {
    match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => {
            (address.to_bits() ^ network.to_bits()).checked_shr(32 - bits).unwrap_or(0) == 0
        }
        (IpAddr::V6(address), IpAddr::V6(network)) => {
            (address.to_bits() ^ network.to_bits()).checked_shr(128 - bits).unwrap_or(0) == 0
        }
        _ => false,
    }
}

fn is_below(host: &str, domain: &str) -> bool {
    if domain == "*" {
        return true;
    }
    let domain = domain.strip_prefix('.').unwrap_or(domain).as_bytes();
    let Some((head, tail)) =
        host.len().checked_sub(domain.len()).and_then(|at| host.as_bytes().split_at_checked(at))
    else {
        return false;
    };
    tail.eq_ignore_ascii_case(domain) && matches!(head.last(), None | Some(b'.'))
}

#[cfg(test)]
mod tests {
    use super::Except;

    #[test]
    fn hosts_that_no_proxy_is_asked_for() {
        let except = Except::read(" a.example, .b.example,10.1.0.0/16,1.2.3.4 ,fd00::/8,::1,,0.0.0.0/33");
        for host in
            ["a.example", "x.A.example", "b.example", "y.b.example", "10.1.9.9", "1.2.3.4", "fdff::1", "::1"]
        {
            assert!(except.contains(host), "{host}");
        }
        for host in ["xa.example", "example", "10.2.0.1", "1.2.3.5", "fe00::1", "::2", "c.example", ""] {
            assert!(!except.contains(host), "{host}");
        }
        assert!(Except::read("*").contains("any.example") && !Except::read("").contains("any.example"));
        assert!(Except::read("0.0.0.0/0").contains("9.9.9.9"));
    }
}

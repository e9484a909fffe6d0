//! A TCP connection to the first address of a host that accepts one.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::net::TcpStream;

use crate::error::Reason;

/// After so long the next address is tried beside those before it (RFC 8305).
const NEXT: Duration = Duration::from_millis(250);

type Attempt = Pin<Box<dyn Future<Output = io::Result<TcpStream>> + Send>>;

/// Connects, or tells which step failed.
pub(crate) async fn connect(host: &str, port: u16, refused: Reason) -> Result<TcpStream, Reason> {
    let found = tokio::net::lookup_host((host, port)).await.map_err(|_| Reason::Dns)?;
    let addresses = in_turn(found.collect());
    if addresses.is_empty() {
        return Err(Reason::Dns);
    }
    let stream = race(addresses).await.ok_or(refused)?;
    // A socket that knows no such option is slower, and still right.
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// The two families in turn, the one that the system prefers first.
fn in_turn(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let prefers_v6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (first, second): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == prefers_v6);
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut turns = Vec::new();
    loop {
        let pair = [first.next(), second.next()];
        if pair.iter().all(Option::is_none) {
            return turns;
        }
        turns.extend(pair.into_iter().flatten());
    }
}

async fn race(addresses: Vec<SocketAddr>) -> Option<TcpStream> {
    let mut waiting = addresses.into_iter();
    let mut running: Vec<Attempt> = Vec::new();
    loop {
        running.extend(waiting.next().map(|address| Box::pin(TcpStream::connect(address)) as Attempt));
        if running.is_empty() {
            return None;
        }
        let step = poll_fn(|cx| poll_any(&mut running, cx));
        let won = if waiting.len() == 0 {
            step.await
        } else {
            tokio::time::timeout(NEXT, step).await.unwrap_or_default()
        };
        if won.is_some() {
            return won;
        }
    }
}

/// The first stream; none when an attempt failed, which is taken out.
fn poll_any(running: &mut Vec<Attempt>, cx: &mut Context<'_>) -> Poll<Option<TcpStream>> {
    for at in 0..running.len() {
        let Some(attempt) = running.get_mut(at) else { break };
        if let Poll::Ready(result) = attempt.as_mut().poll(cx) {
            drop(running.swap_remove(at));
            return Poll::Ready(result.ok());
        }
    }
    Poll::Pending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_take_turns() {
        let turns = |list: &[&str]| {
            let parsed = list.iter().map(|address| address.parse().unwrap()).collect();
            in_turn(parsed).iter().map(SocketAddr::to_string).collect::<Vec<_>>()
        };
        let [a, b, c, d] = ["[::1]:1", "[::2]:1", "1.1.1.1:1", "2.2.2.2:1"];
        assert_eq!(turns(&[a, b, c, d]), [a, c, b, d]);
        assert_eq!(turns(&[c, a, b]), [c, a, b]);
        assert!(turns(&[]).is_empty());
    }
}

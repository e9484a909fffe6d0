//! Two connected sockets: a pair of Unix, or a connection of Windows within this machine.

use std::io;
#[cfg(not(unix))]
use std::net::{Ipv4Addr, TcpListener};

#[cfg(not(unix))]
pub(crate) use std::net::TcpStream as Socket;
#[cfg(unix)]
pub(crate) use std::os::unix::net::UnixStream as Socket;

#[cfg(unix)]
pub(crate) fn socket_pair() -> io::Result<(Socket, Socket)> {
    Socket::pair()
}

#[cfg(not(unix))]
pub(crate) fn socket_pair() -> io::Result<(Socket, Socket)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let connected = Socket::connect(listener.local_addr()?)?;
    let address = connected.local_addr()?;
    loop {
        let (accepted, peer) = listener.accept()?;
        if peer == address {
            return Ok((accepted, connected)); // any other connection is from another process
        }
    }
}

/// The number with which a program polls a socket.
#[cfg(unix)]
pub(crate) fn descriptor_of(socket: &Socket) -> Option<i32> {
    use std::os::fd::AsRawFd;
    Some(socket.as_raw_fd())
}

#[cfg(not(unix))]
pub(crate) fn descriptor_of(socket: &Socket) -> Option<i32> {
    use std::os::windows::io::AsRawSocket;
    i32::try_from(socket.as_raw_socket()).ok()
}

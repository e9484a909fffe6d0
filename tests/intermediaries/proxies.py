"""The proxies, their variants, and how each is started. A variant adds lines to the least configuration with which the proxy works."""
import os
import pathlib
import shutil
import socket
from typing import NamedTuple

# Seconds after which a proxy gives up in the variants with a short timeout. Squid accepts whole seconds only.
SHORT = 1


class Variant(NamedTuple):
    """A configuration of a proxy, and what happens behind it."""

    proxy: str
    name: str
    # Lines that are added to the configuration; with `front` those of the listening part.
    settings: str = ""
    front: str = ""
    # How the client uses the proxy: `reverse` (the proxy has the address of the provider), `tls` (the same with TLS, and HTTP/2 if the
    # client speaks it), `forward` (the setting `proxy`), or `tunnel` (the setting `proxy`, and a provider with TLS and HTTP/2).
    mode: str = "reverse"
    # Whether a second proxy with HTTP/2 is between this one and the provider.
    http2_behind: bool = False
    # Number of entries of the same provider.
    upstreams: int = 1
    # What is killed and started again while the calls are made: nothing, the `upstream`, or the `proxy`.
    killed: str = ""
    # Whether the provider closes kept connections soon after a response.
    closes: bool = False
    # Whether the provider has faults: cut and late responses.
    faults: bool = True
    # Recipients of a bulk message.
    bulk: int = 3
    # If the proxy sends requests again that it has forwarded: what stops it.
    stopped_by: str = ""
    # The status with which the proxy itself rejects bulk messages.
    rejects: int = 0

    @property
    def title(self) -> str:
        return f"{self.proxy}: {self.name}"


NGINX_TWICE = "proxy_next_upstream error timeout http_502 http_503 http_504"
NGINX_KEEPS = 'proxy_http_version 1.1; proxy_set_header Connection "";'
SQUID_KEEPS = "acl post method POST\nserver_pconn_for_nonretriable allow post"
HAPROXY_TWICE = "retries 3\n  option redispatch 1\n  retry-on all-retryable-errors"

VARIANTS = [
    Variant("nginx", "default"),
    Variant("nginx", "short timeouts", f"proxy_connect_timeout {SHORT}s; proxy_read_timeout {SHORT}s; proxy_send_timeout {SHORT}s;"),
    Variant("nginx", "two entries of the provider", upstreams=2),
    Variant("nginx", "retries of errors and statuses", f"proxy_read_timeout {SHORT}s; {NGINX_TWICE};", upstreams=2),
    Variant(
        "nginx", "retries with non_idempotent", f"proxy_read_timeout {SHORT}s; {NGINX_TWICE} non_idempotent;", upstreams=2,
        stopped_by="`proxy_next_upstream` without `non_idempotent`, as by default"
    ),
    Variant("nginx", "buffering off", "proxy_request_buffering off; proxy_buffering off;"),
    Variant("nginx", "upstream killed", killed="upstream"),
    Variant("nginx", "upstream killed, two entries, kept connections", killed="upstream", upstreams=2, front="keepalive 16;",
            settings=NGINX_KEEPS),
    Variant("nginx", "kept connections closed by the provider", closes=True, upstreams=2, front="keepalive 16;", settings=NGINX_KEEPS),
    Variant("nginx", "proxy killed", killed="proxy"),
    Variant("nginx", "body limit", "client_max_body_size 1k;", bulk=100, rejects=413),
    Variant("nginx", "Expect: 100-continue", 'proxy_http_version 1.1; proxy_set_header Expect "100-continue";'),
    Variant("nginx", "TLS and HTTP/2", mode="tls"),
    Variant("nginx", "mirror", "mirror /mirror;", stopped_by="`mirror off` for these addresses, as by default"),
    Variant("nginx", "POST cached by address", faults=False,
            settings="proxy_cache cache; proxy_cache_methods POST; proxy_cache_key $uri; proxy_cache_valid 200 1m;"),
    Variant("haproxy", "default"),
    Variant("haproxy", "short timeouts", f"timeout connect {SHORT}s\n  timeout server {SHORT}s"),
    Variant("haproxy", "redispatch, two entries", "retries 3\n  option redispatch 1", upstreams=2),
    Variant(
        "haproxy", "retry-on all-retryable-errors", f"timeout server {SHORT}s\n  {HAPROXY_TWICE}", upstreams=2,
        stopped_by="`http-request disable-l7-retry if METH_POST`, or `retry-on conn-failure`, as by default",
    ),
    Variant("haproxy", "retry-on without POST", f"timeout server {SHORT}s\n  {HAPROXY_TWICE}", upstreams=2,
            front="http-request disable-l7-retry if METH_POST"),
    Variant("haproxy", "buffered requests", "option http-buffer-request"),
    Variant("haproxy", "upstream killed", killed="upstream"),
    Variant("haproxy", "upstream killed, redispatch, reuse always", "retries 3\n  option redispatch 1\n  http-reuse always",
            killed="upstream", upstreams=2),
    Variant("haproxy", "kept connections closed by the provider", "retries 3\n  option redispatch 1\n  http-reuse always", closes=True,
            upstreams=2),
    Variant("haproxy", "proxy killed", killed="proxy"),
    Variant("haproxy", "body limit", "option http-buffer-request", bulk=100, rejects=413,
            front="http-request deny deny_status 413 if { req.body_size gt 1024 }"),
    Variant("haproxy", "Expect: 100-continue", front="http-request set-header Expect 100-continue"),
    Variant("haproxy", "TLS and HTTP/2", mode="tls"),
    Variant("haproxy", "HTTP/2 behind it", http2_behind=True),
    Variant("haproxy", "HTTP/2 behind it, upstream killed", http2_behind=True, killed="upstream"),
    Variant("squid", "default"),
    Variant("squid", "short timeouts", f"read_timeout {SHORT} second\nconnect_timeout {SHORT} second"),
    Variant("squid", "retry_on_error, two entries", f"read_timeout {SHORT} second\nretry_on_error on", upstreams=2),
    Variant("squid", "collapsed_forwarding", "collapsed_forwarding on"),
    Variant("squid", "upstream killed", killed="upstream"),
    Variant("squid", "upstream killed, kept connections for POST", SQUID_KEEPS, killed="upstream", upstreams=2),
    Variant("squid", "kept connections closed by the provider", SQUID_KEEPS, closes=True, upstreams=2),
    Variant("squid", "forward, kept connections closed by the provider", SQUID_KEEPS, mode="forward", closes=True),
    Variant("squid", "proxy killed", killed="proxy"),
    Variant("squid", "body limit", "request_body_max_size 1 KB", bulk=100, rejects=413),
    Variant("squid", "Expect: 100-continue", 'request_header_add Expect "100-continue" all'),
    Variant("squid", "forward", mode="forward"),
    Variant("squid", "forward, retry_on_error", f"read_timeout {SHORT} second\nretry_on_error on", mode="forward"),
    Variant("squid", "forward, upstream killed", mode="forward", killed="upstream"),
    Variant("squid", "forward, proxy killed", mode="forward", killed="proxy"),
    Variant("squid", "tunnel", mode="tunnel"),
    Variant("squid", "tunnel, proxy killed", mode="tunnel", killed="proxy"),
    Variant("mitmproxy", "default"),
    Variant("mitmproxy", "streamed bodies", "--set stream_large_bodies=1"),
    Variant("mitmproxy", "connections made late", "--set connection_strategy=lazy"),
    Variant("mitmproxy", "upstream killed", killed="upstream"),
    Variant("mitmproxy", "kept connections closed by the provider", closes=True),
    Variant("mitmproxy", "proxy killed", killed="proxy"),
    Variant("mitmproxy", "body limit", "--set body_size_limit=1k", bulk=100, rejects=413),
    Variant("mitmproxy", "Expect: 100-continue", "--set modify_headers=/~q/Expect/100-continue"),
    Variant("mitmproxy", "TLS and HTTP/2", mode="tls"),
    Variant("mitmproxy", "forward", mode="forward"),
    Variant("mitmproxy", "forward, upstream killed", mode="forward", killed="upstream"),
    Variant("mitmproxy", "tunnel, decrypted", "--set ssl_verify_upstream_trusted_ca=ca.crt", mode="tunnel"),
]
# The provider with TLS and HTTP/2 of the mode `tunnel`.
TLS_PROVIDER = Variant("haproxy", "provider", mode="tls")

NGINX = """\
{user}
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  log_format reference "$http_x_reference $server_protocol";
  access_log {folder}/access.log reference;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  proxy_cache_path {folder}/cache keys_zone=cache:1m;
  upstream provider {{ {servers} {front} }}
  server {{
    listen 127.0.0.1:{port}{tls};
    location / {{
      proxy_pass http://provider;
      proxy_set_header Host 127.0.0.1;
      {settings}
    }}
    location = /mirror {{
      internal;
      proxy_pass http://provider$request_uri;
      proxy_set_header Host 127.0.0.1;
    }}
  }}
}}
"""

HAPROXY = """\
global
  log stdout format raw local0
  maxconn 1024
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:{port}{tls}
  log global
  capture request header X-Reference len 64
  log-format "%[capture.req.hdr(0)] %HV"
  {front}
  default_backend provider
backend provider
  {settings}
{servers}
"""

HAPROXY_BEHIND = """\
frontend behind
  bind 127.0.0.1:{port} ssl crt {folder}/server.pem alpn h2
  default_backend last
backend last
{servers}
"""

SQUID = """\
{listen}
pid_filename none
cache deny all
logformat reference %{{X-Reference}}>h HTTP/%rv
access_log stdio:{folder}/access.log logformat=reference
cache_log {folder}/error.log
coredump_dir {folder}
pinger_enable off
netdb_filename none
shutdown_lifetime 0 seconds
visible_hostname localhost
http_access allow all
{servers}
{settings}
"""

MITMPROXY_LOG = """\
def requestheaders(flow):
    with open({path!r}, "a") as log:
        print(flow.request.headers.get("x-reference", "-"), flow.request.http_version, file=log)
"""


def certificate_option(variant: Variant, folder: pathlib.Path) -> str:
    if variant.mode != "tls":
        return ""
    if variant.proxy == "nginx":
        return f" ssl http2; ssl_certificate {folder}/server.crt; ssl_certificate_key {folder}/server.key"
    return f" ssl crt {folder}/server.pem alpn h2,http/1.1"


def command(variant: Variant, folder: pathlib.Path, port: int, upstreams: list[int], mitmdump: str) -> list[str]:
    """Writes the configuration into the folder, and returns the command that runs the proxy in the foreground."""
    shared = {
        "folder": folder, "port": port, "settings": variant.settings, "front": variant.front, "tls": certificate_option(variant, folder),
    }
    path = folder / "configuration"
    if variant.proxy == "nginx":
        # With several entries, nginx stops using one for ten seconds after its first failure, unless max_fails is 0.
        servers = " ".join(f"server 127.0.0.1:{upstream} max_fails=0;" for upstream in upstreams)
        path.write_text(NGINX.format(**shared, servers=servers, user="user root;" if os.getuid() == 0 else ""))
        return [program("nginx"), "-c", str(path), "-e", str(folder / "error.log")]
    if variant.proxy == "haproxy":
        servers = "\n".join(f"  server provider{number} 127.0.0.1:{upstream}" for number, upstream in enumerate(upstreams))
        behind = ""
        if variant.http2_behind:
            second = free_port()
            behind = HAPROXY_BEHIND.format(folder=folder, port=second, servers=servers)
            servers = f"  server second 127.0.0.1:{second} ssl verify none alpn h2"
        path.write_text(HAPROXY.format(**shared, servers=servers) + behind)
        return [program("haproxy"), "-db", "-f", str(path)]
    if variant.proxy == "squid":
        listen, servers = f"http_port 127.0.0.1:{port}", ""
        if variant.mode == "reverse":
            listen += f" accel defaultsite=127.0.0.1:{upstreams[0]}"
            servers = "never_direct allow all\n" + "\n".join(
                f"cache_peer 127.0.0.1 parent {upstream} 0 no-query no-digest originserver round-robin name=provider{number}"
                for number, upstream in enumerate(upstreams)
            )
        path.write_text(SQUID.format(**shared, listen=listen, servers=servers))
        return [program("squid"), "-N", "-f", str(path)]
    path.with_suffix(".py").write_text(MITMPROXY_LOG.format(path=str(folder / "access.log")))
    mode = "regular" if variant.mode in ("forward", "tunnel") else f"reverse:http://127.0.0.1:{upstreams[0]}"
    base = [mitmdump, "-q", "--mode", mode, "--listen-host", "127.0.0.1", "--listen-port", str(port)]
    return [*base, "--set", f"confdir={folder}", "-s", str(path.with_suffix(".py")), *variant.settings.split()]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def program(name: str) -> str:
    """The path of a program, also of one in a folder for administrators."""
    found = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if found is None:
        raise SystemExit(f"{name} is not installed")
    return found

"""A server that counts requests and gives each the same response, for the scripts of this folder."""
import http.server
import threading

RECEIVED: list[str] = []


def start(status: int = 0, body: str = "", **headers: str) -> str:
    """Starts it, and returns its host and port. A status of 0 closes the connection without a response."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            RECEIVED.append(self.rfile.read(int(self.headers["content-length"])).decode())
            if not status:
                return
            self.send_response(status)
            for name, value in {"content-length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_port}"


def without_tls(session) -> None:
    """As in the drivers: the requests of this session leave without TLS."""
    adapter = session.adapters["https://"]
    send = adapter.send

    def plain(request, **options):
        request.url = request.url.replace("https://", "http://", 1)
        return send(request, **options)

    adapter.send = plain

#!/usr/bin/env bash
# Runs the nginx and Caddy configurations of docs/callbacks.md with local addresses and paths, and checks that no log contains a token.
set -euo pipefail
cd "$(dirname "$0")/../.."
for name in nginx caddy python3 curl; do
    command -v $name >/dev/null || { echo "access_logs: $name is not installed"; exit 2; }
done
out=$(mktemp -d)
chmod 755 "$out"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$out"' EXIT
block() { awk -v mark="\`\`\`$1" '$0 == mark {on=1; next} /^```/ {on=0} on' docs/callbacks.md; }
free() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
up() { for _ in $(seq 200); do curl -s -o /dev/null "http://127.0.0.1:$1/up" && return; sleep 0.05; done; return 1; }

mkdir "$out/hooks" && echo ok >"$out/hooks/index.html"
app=$(free)
python3 -m http.server --bind 127.0.0.1 --directory "$out" "$app" >/dev/null 2>&1 & pids+=($!)
up "$app"

nginx_port=$(free)
cat >"$out/nginx.conf" <<CONF
pid $out/nginx.pid;
error_log $out/error.log;
daemon off;
events {}
http {
$(block nginx | sed "s|/var/log/nginx/access.log|$out/nginx.log|")
    server {
        listen 127.0.0.1:$nginx_port;
        location / { proxy_pass http://127.0.0.1:$app; }
        location /hooks/away { error_log $out/crit.log crit; proxy_pass http://127.0.0.1:1; }
    }
}
CONF
nginx -e "$out/error.log" -p "$out" -c "$out/nginx.conf" & pids+=($!)
up "$nginx_port"

caddy_port=$(free)
block caddyfile | sed -e "s|^shop.example|http://127.0.0.1:$caddy_port|" -e "s|/var/log/caddy/access.log|$out/caddy.log|" \
    -e "s|127.0.0.1:8000|127.0.0.1:$app|" -e '0,/^{$/s//{\n    admin off/' >"$out/Caddyfile"
HOME="$out" caddy run --config "$out/Caddyfile" --adapter caddyfile >"$out/caddy.err" 2>&1 & pids+=($!)
up "$caddy_port"

secret=v1.k1.SECRETHEAD.SECRETTAG
call() { curl -s -o /dev/null "http://127.0.0.1:$1/hooks/$2"; }
for port in "$nginx_port" "$caddy_port"; do
    for query in "?token=$secret" "?a=1&token=$secret" "?token=$secret&b=2" "?a=1&token=$secret&b=2#x" "?token="; do
        call "$port" "$query"
    done
    call "$port" "?a=1&b=2"
done
call "$nginx_port" "away?token=$secret"
kill "${pids[0]}" && wait "${pids[0]}" 2>/dev/null || true
call "$caddy_port" "?token=$secret" # the application is stopped: Caddy responds with 502 and writes to its error log
for _ in $(seq 100); do grep -q '"status":502' "$out/caddy.log" && break; sleep 0.05; done

cut -d'"' -f2 "$out/nginx.log" | sort -u
grep -q 'GET /hooks/?a=1&token=-&b=2' "$out/nginx.log" && grep -q 'GET /hooks/?a=1&b=2' "$out/nginx.log"
grep -q 'token=-' "$out/caddy.log" && grep -q 'a=1&b=2' "$out/caddy.log" && grep -q '"status":502' "$out/caddy.log"
if grep -l SECRET "$out"/*.log "$out"/*.err; then
    echo "a token is in a log"
    exit 1
fi
echo "no token in $(cat "$out/nginx.log" "$out/caddy.log" | wc -l) lines of access logs, nor in the error logs"

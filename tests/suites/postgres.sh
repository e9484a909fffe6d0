# A scratch Postgres server for the tests of campaigns and callbacks: a new folder and a free port each time, deleted at the end.

# The file with the folder of the server. Suites that run side by side need different files.
postgres_note="${postgres_note:-$cache/postgres.folder}"

# Installs the packages, and sets postgres_bin, the folder of the programs.
need_postgres() {
    ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || {
        # Debian's package would start a server; only its programs are needed.
        need_packages postgresql-common
        mkdir -p /etc/postgresql-common/createcluster.d
        echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/no-main-cluster.conf
    }
    need_packages postgresql openssl
    postgres_bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
}

# Starts the server; its programs are those of postgres_bin, if that is set. Sets CAMPAIGN_TEST_POSTGRES (its address),
# CAMPAIGN_TEST_POSTGRES_BIN (the folder of its programs), CAMPAIGN_TEST_RESTART (the command that restarts it) and CAMPAIGN_TEST_CA (the
# certificate that its TLS uses).
start_postgres() {
    [ -n "${postgres_bin:-}" ] || need_postgres
    export CAMPAIGN_TEST_POSTGRES_BIN=$postgres_bin
    stop_postgres # if a killed run left a server behind
    postgres_folder=$(mktemp -d "${TMPDIR:-/tmp}/cpaas-postgres.XXXXXX")
    echo "$postgres_folder" >"$postgres_note"
    trap stop_postgres EXIT
    [ "$(id -u)" != 0 ] || chown postgres "$postgres_folder"
    certificates || return
    chmod 755 "$postgres_folder" # the tests read the certificate
    as_postgres "$postgres_bin/initdb" -D "$postgres_folder/data" -U postgres -A trust --no-sync >/dev/null || return
    as_postgres tee -a "$postgres_folder/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = 'localhost'
unix_socket_directories = '$postgres_folder'
max_connections = 400
ssl = on
ssl_cert_file = '$postgres_folder/server.crt'
ssl_key_file = '$postgres_folder/server.key'
CONF
    local port try
    for try in 1 2 3 4 5 6; do
        port=$((20000 + RANDOM % 20000))
        as_postgres "$postgres_bin/pg_ctl" -D "$postgres_folder/data" -l "$postgres_folder/log" -o "-p $port" -w start \
            >/dev/null 2>&1 && break
        [ "$try" -lt 6 ] || { cat "$postgres_folder/log"; return 1; }
    done
    local as=""
    [ "$(id -u)" != 0 ] || as="runuser -u postgres --"
    export CAMPAIGN_TEST_POSTGRES="postgres://postgres@localhost:$port"
    export CAMPAIGN_TEST_RESTART="cd / && $as $postgres_bin/pg_ctl -D $postgres_folder/data -l $postgres_folder/log -o '-p $port' -m immediate -w restart"
    export CAMPAIGN_TEST_CA="$postgres_folder/ca.crt"
    echo "Postgres $("$postgres_bin/postgres" --version | grep -oE '[0-9.]+' | head -1) on port $port, in $postgres_folder"
}

# Creates a certificate authority and its certificate for localhost.
certificates() {
    local folder=$postgres_folder key=(-newkey rsa:2048 -nodes)
    as_postgres openssl req -x509 "${key[@]}" -days 2 -subj "/CN=cpaas tests" -keyout "$folder/ca.key" -out "$folder/ca.crt" &&
        as_postgres openssl req "${key[@]}" -subj /CN=localhost -keyout "$folder/server.key" -out "$folder/server.csr" &&
        echo "subjectAltName=DNS:localhost" | as_postgres tee "$folder/server.ext" >/dev/null &&
        as_postgres openssl x509 -req -in "$folder/server.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" \
            -CAcreateserial -days 2 -extfile "$folder/server.ext" -out "$folder/server.crt" &&
        as_postgres chmod 600 "$folder/server.key"
} 2>/dev/null

# Stops the server and deletes its folder.
stop_postgres() {
    local folder
    folder=$(cat "$postgres_note" 2>/dev/null) || return 0
    rm -f "$postgres_note"
    case $folder in */cpaas-postgres.*) ;; *) return 0 ;; esac
    [ -d "$folder/data" ] && as_postgres "$postgres_bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1
    rm -rf "$folder"
}

# Postgres refuses to run as root.
as_postgres() {
    (cd / && if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi)
}

# The npm package. `npm pack` builds it.
artifacts+=(npm)

build_npm() { (cd wasm && ./install-packages && npm pack --pack-destination "$1"); }

check_npm() {
    step installed npm_install
    step send in_sandbox node "$work/app/send.mjs"
    notices "$work/app/node_modules/cpaas"
}

npm_install() {
    mkdir -p "$work/app" && printf '{"name": "app", "private": true, "type": "module"}\n' >"$work/app/package.json" &&
        (cd "$work/app" && again npm install --no-audit --no-fund --ignore-scripts "$out"/*.tgz) &&
        cat >"$work/app/send.mjs" <<'JAVASCRIPT'
import assert from "node:assert/strict";
import { init, segments } from "cpaas";
import { Client } from "cpaas/client";

const client = new Client();
const { id } = await client.sms.send({ from: "Acme", to: "306912345678", text: "Your table is ready" });
assert.ok(id);
await init();
assert.equal(segments("Your table is ready").count, 1);
client.close();
JAVASCRIPT
}

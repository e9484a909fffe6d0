#!/usr/bin/env bash
# Compares the speed of counting SMS parts (without national languages) with that of an earlier commit: runs the bench `text` of both
# commits in turn and prints the ratios of their rates. Then runs the bench `user_data` of the present commit.
#   tests/nightly/count_speed_against_commit.sh [COMMIT]    default: the parent of the commit that added national language tables
set -euo pipefail
cd "$(dirname "$0")/../.."
first=$(git log --diff-filter=A --format=%H -1 -- core/src/text/national.rs || true)
base=${1:-${first:+$first^}}
[ -n "$base" ] && git rev-parse --quiet --verify "$base^{commit}" >/dev/null || { echo "no earlier commit: pass one"; exit 1; }
# Both commits share a folder, so that their dependencies are compiled once.
target="${CARGO_TARGET_DIR:-$PWD/target}"
export CARGO_TARGET_DIR="$target/count_speed_against_commit"
before=$(mktemp -d)
trap 'git worktree remove --force "$before"' EXIT
git worktree add --quiet --detach --force "$before" "$base"
(cd "$before" && cargo bench --quiet -p cpaas --bench text --no-run)
cargo bench --quiet -p cpaas --bench text --no-run
for round in 1 2 3; do
    (cd "$before" && cargo bench --quiet -p cpaas --bench text) >"$target/text_before.$round"
    cargo bench --quiet -p cpaas --bench text >"$target/text_after.$round"
done
python3 - "$target" <<'PYTHON'
import re, statistics, sys
def rows(kind):
    found = {}
    for number in (1, 2, 3):
        for line in open(f"{sys.argv[1]}/text_{kind}.{number}"):
            rates = re.findall(r"(\d+) \(\d+x\)", line)
            if len(rates) == 3:
                found.setdefault(line.split("  ")[0], []).append([float(rate) for rate in rates])
    return {name: [statistics.median(column) for column in zip(*rounds)] for name, rounds in found.items()}
before, after = rows("before"), rows("after")
print(f"{'now / before':<14}{'count_batch':>12}{'scalar':>12}{'segments':>12}")
for name in before:
    ratios = [new / old for new, old in zip(after[name], before[name])]
    print(f"{name:<14}" + "".join(f"{ratio:>12.2f}" for ratio in ratios))
PYTHON
cargo bench --quiet -p cpaas --bench user_data

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The commands that make a copy of a database on its host, and take it away again.
enum HostSnapshotScript {
    /// The line that makes a copy; it prints a line for each file of it: nonce, `file`, path, bytes, SHA-256 or `-`.
    static func making(_ path: String, nonce: String, busyMilliseconds: Int) throws -> String {
        let words = [
            "exec", "sh", "-c", script, "sh", path, nonce, String(busyMilliseconds), HostReaderScript.look, python,
        ]
        return try LoginShellCommand(ShellQuoting.join(words)).line
    }

    /// The line that takes away what was made with a nonce, whole or not.
    static func removing(nonce: String) throws -> String {
        let script = #"cd "${XDG_CACHE_HOME:-$HOME/.cache}/riff/hermes" 2>/dev/null && rm -f -- "$1".db*"#
        return try LoginShellCommand(ShellQuoting.join(["exec", "sh", "-c", script, "sh", nonce])).line
    }

    /// The line that takes files away.
    static func removing(_ paths: [String]) throws -> String {
        try LoginShellCommand(ShellQuoting.join(["exec", "rm", "-f", "--"] + paths)).line
    }

    /// A database at rest is copied as it is. One with a log is copied by SQLite, under its locks, in one transaction:
    /// else every commit of somebody else would have it begin anew; SQLite is told first not to trust the database's
    /// schema. Where the host has no program for that, both files are copied between two looks that must be the same.
    /// What is told is how they looked before: a copy may be newer than its look, and never older. What does not become
    /// whole is taken away again. Copies older than a day are what a broken pull left, and go.
    private static let script =
        HostReaderScript.resolving + "\n" + HostReaderScript.distrusting + "\n" + #"""
            nonce=$2 busy=$3 RIFF_LOOK=$4 python=$5
            RIFF_DB=$db
            export RIFF_DB RIFF_LOOK
            say() { printf '%s %s\n' "$nonce" "$*"; }
            copy=
            clean() {
                if [ -n "$copy" ]; then
                    for end in '' -wal -shm -journal .gz -wal.gz; do rm -f "$copy$end"; done
                fi
            }
            fail() { clean; say fail "$*"; exit 0; }
            trap 'clean; exit 1' HUP INT TERM
            if [ ! -e "$db" ]; then say missing; exit 0; fi
            if [ ! -r "$db" ]; then say unreadable; exit 0; fi
            if [ ! -s "$db" ]; then say empty; exit 0; fi
            umask 077
            folder=${XDG_CACHE_HOME:-$HOME/.cache}/riff/hermes
            mkdir -p "$folder" && cd "$folder" || fail "no folder for the copy"
            find . -type f -mmin +1440 -exec rm -f {} \;
            copy=$nonce.db
            seen=$(eval "$RIFF_LOOK")
            raw() {
                tries=0
                while [ $tries -lt 8 ]; do
                    seen=$(eval "$RIFF_LOOK")
                    rm -f "$copy-wal"
                    cp "$db" "$copy" || return 1
                    if [ -s "$db-wal" ]; then cp "$db-wal" "$copy-wal" || return 1; fi
                    if [ ! -e "$db-journal" ] && [ "$seen" = "$(eval "$RIFF_LOOK")" ]; then return 0; fi
                    tries=$((tries + 1))
                    sleep 1
                done
                return 1
            }
            if [ ! -e "$db-wal" ] && [ ! -e "$db-journal" ]; then
                raw || fail "it changed while it was copied"
            elif command -v sqlite3 >/dev/null 2>&1 && distrusts_sqlite3; then
                hold=
                if [ -e "$db-wal" ]; then hold="BEGIN; SELECT count(*) FROM sqlite_master;"; fi
                words=$(sqlite3 -batch -bail -readonly -init /dev/null "$db" 'PRAGMA trusted_schema = OFF;' ".timeout $busy" \
                    "$hold" ".backup $copy" 2>&1 >/dev/null) || fail "$words"
            elif distrusts_python3; then
                words=$(python3 -I -c "$python" "$db" "$copy" "$busy" 2>&1) || fail "$words"
            else
                raw || fail "it changed while it was copied"
            fi
            for file in "$copy" "$copy-wal"; do
                [ -e "$file" ] || continue
                if command -v gzip >/dev/null 2>&1; then
                    gzip -1 "$file" || fail "it could not be compressed"
                    file=$file.gz
                fi
                sum=$({ sha256sum "$file" || shasum -a 256 "$file" || openssl dgst -sha256 -r "$file"; } 2>/dev/null | cut -d ' ' -f 1)
                say file "$folder/$file" "$(wc -c < "$file" | tr -d ' ')" "${sum:--}"
            done
            say look "$seen"
            """#

    private static let python = #"""
        import os, sqlite3, sys
        from urllib.parse import quote
        source = sqlite3.connect("file:" + quote(os.fsencode(sys.argv[1])) + "?mode=ro", uri=True, timeout=int(sys.argv[3]) / 1000)
        target = sqlite3.connect(sys.argv[2])
        for connection in source, target: connection.execute("PRAGMA trusted_schema = OFF")
        source.backup(target)
        target.close()
        """#
}

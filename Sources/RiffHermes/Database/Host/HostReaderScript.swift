// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The command that reads a database on its host: `sqlite3 -readonly`, or Python with `mode=ro`, whichever is there.
///
/// The database is data, whoever wrote it. SQLite is told not to trust its schema before it reads it, and the program
/// to run in its safe mode where it has one; so nothing that a table, a view or a trigger calls can start a program or
/// touch a file. A program whose SQLite cannot be told so (before 3.31) is passed over. Neither reads settings of the
/// account, and Python loads nothing from the folder that it is started in.
///
/// Neither can write the database, carry its log over or remove it. Where no log lies beside it and no transaction is
/// under way it is read as a file that does not change (`immutable=1`), since a read-only connection would leave an
/// empty log behind; the look behind each statement tells whether that was right. Where a log is there, the first
/// statement runs at once: from then on SQLite keeps the log where it is. A database that is changed again and again is
/// met with locks, unless its header says that it is in WAL mode.
enum HostReaderScript {
    /// The programs that can read.
    static let programs = ["sqlite3", "python3"]

    /// The line for the account's shell.
    static func command(
        _ path: String,
        nonce: String,
        access: HermesDatabase.Access,
        isPatient: Bool,
        _ limits: HermesDatabase.Limits
    )
        throws -> String
    {
        let milliseconds = String(Int(limits.busySeconds * 1000))
        let words = [
            "exec", "sh", "-c", script, "sh", path, nonce, access.rawValue, isPatient ? "1" : "0", milliseconds, look,
            python,
        ]
        return try LoginShellCommand(ShellQuoting.join(words)).line
    }

    /// The line that looks at the files once, without opening the database.
    static func looking(at path: String, nonce: String) throws -> String {
        let start = resolving + "\n" + #"RIFF_DB=$db; export RIFF_DB; echo "$2"; eval "$3""#
        return try LoginShellCommand(ShellQuoting.join(["exec", "sh", "-c", start, "sh", path, nonce, look])).line
    }

    /// Sets `db` to the file that the first argument leads to: SQLite keeps its files beside that, not beside a link.
    static let resolving = #"""
        db=$1 links=0
        case $db in /*) ;; *) db=$HOME/$db ;; esac
        while [ -h "$db" ] && [ $links -lt 40 ]; do
            next=$(readlink "$db") || break
            case $next in /*) db=$next ;; *) db=${db%/*}/$next ;; esac
            links=$((links + 1))
        done
        """#

    /// Prints `L`, three times size, inode and time of change, and the counters of the files' headers. One line, since
    /// it is handed on unquoted. The files are opened by processes of their own, which hold no locks that they could
    /// lose.
    static let look =
        #"printf L; for f in "$RIFF_DB" "$RIFF_DB-wal" "$RIFF_DB-journal"; do "#
        + #"stat -L -c "%s/%i/%y;" "$f" 2>/dev/null || stat -L -f "%z/%i/%Fm;" "$f" 2>/dev/null || echo "-;"; done | tr -d "\n"; "#
        + #"{ od -An -v -tx1 -j24 -N20 "$RIFF_DB"; echo .; od -An -v -tx1 -N32 "$RIFF_DB-wal"; echo .; "#
        + #"od -An -v -tx1 -N48 "$RIFF_DB-shm"; } </dev/null 2>/dev/null | tr -d " \n"; echo"#

    /// Functions that tell whether a program can be told not to trust a schema. `distrusts_sqlite3` sets `safe` to the
    /// options of the safe mode, where there is one. `distrusts_python3` ends with 9 where Python has an SQLite that is
    /// too old.
    static let distrusting = #"""
        distrusts_sqlite3() {
            safe="-safe -nonce $nonce"
            told='PRAGMA trusted_schema = OFF;\nPRAGMA trusted_schema;\n'
            # shellcheck disable=SC2059,SC2086
            [ "$(printf "$told.nonce $nonce\n.shell echo runs\n" \
                | sqlite3 -batch -bail -init /dev/null $safe :memory: 2>/dev/null)" = "0
        runs" ] && return 0
            safe=
            # shellcheck disable=SC2059
            [ "$(printf "$told" | sqlite3 -batch -bail -init /dev/null :memory: 2>/dev/null)" = 0 ]
        }
        distrusts_python3() {
            python3 -I -c 'import sqlite3, sys; sys.exit(9 if sqlite3.sqlite_version_info < (3, 31) else 0)' >/dev/null 2>&1
        }
        """#

    private static let script =
        resolving + "\n" + distrusting + "\n" + #"""
            nonce=$2 want=$3 patient=$4 busy=$5 RIFF_LOOK=$6 python=$7
            RIFF_DB=$db
            export RIFF_DB RIFF_LOOK
            say() { printf '%s %s\n' "$nonce" "$*"; }
            if [ ! -e "$db" ]; then say missing; exit 0; fi
            if [ ! -r "$db" ]; then say unreadable; exit 0; fi
            if [ ! -s "$db" ]; then say empty; exit 0; fi
            may() { [ "$want" = any ] || [ "$want" = "$1" ]; }
            calm=file:$(printf '%s' "$db" | sed 's/%/%25/g;s/?/%3f/g;s/#/%23/g')'?immutable=1'
            seen=
            choose() {
                seen=$(eval "$RIFF_LOOK")
                mode=ro
                if [ ! -e "$db-wal" ] && [ ! -e "$db-journal" ]; then
                    if [ "$patient" = 0 ]; then
                        mode=immutable
                    else
                        case $(od -An -v -tx1 -j18 -N2 "$db" | tr -d ' \n') in *02*) mode=immutable ;; esac
                    fi
                fi
            }
            old=
            if may sqlite3 && command -v sqlite3 >/dev/null 2>&1; then
                if distrusts_sqlite3; then
                    choose
                    say sqlite3 "$mode" $$ ${safe:+safe}
                    printf '%s\n' "$seen"
                    set -- -batch -bail -readonly -init /dev/null $safe -cmd 'PRAGMA trusted_schema = OFF;'
                    if [ "$mode" = immutable ]; then exec sqlite3 "$@" "$calm"; fi
                    exec sqlite3 "$@" -cmd ".timeout $busy" -cmd 'SELECT 1 FROM sqlite_master LIMIT 0;' "$db"
                fi
                old=1
            fi
            if may python3; then
                distrusts_python3
                case $? in
                0)
                    choose
                    say python3 "$mode" $$
                    printf '%s\n' "$seen"
                    exec python3 -I -c "$python" "$db" "$mode" "$busy"
                    ;;
                9) old=1 ;;
                esac
            fi
            if [ -n "$old" ]; then say old; else say none; fi
            """#

    /// Answers a line of JSON each; ends when its input does, whatever it is at.
    private static let python = #"""
        import json, os, queue, sqlite3, subprocess, sys, threading
        from urllib.parse import quote
        db, mode, busy = sys.argv[1:4]
        out = sys.stdout.buffer
        asked = queue.Queue(1)
        def listen():
            for line in sys.stdin.buffer:
                asked.put(json.loads(line))
            os._exit(0)
        def sized(kind, data):
            return kind + str(len(data)).encode() + b":" + data
        def value(v):
            if v is None: return b"n0:"
            if isinstance(v, int): return sized(b"i", str(v).encode())
            if isinstance(v, float): return sized(b"r", repr(v).encode())
            if isinstance(v, str): return sized(b"t", v.encode())
            return sized(b"b", v.hex().encode())
        def given(v):
            if isinstance(v, dict): return float(v["r"]) if "r" in v else bytes.fromhex(v["b"])
            return v
        connection = None
        def connect():
            uri = "file:" + quote(os.fsencode(db)) + ("?immutable=1" if mode == "immutable" else "?mode=ro")
            made = sqlite3.connect(uri, uri=True, timeout=int(busy) / 1000, check_same_thread=False)
            made.text_factory = lambda data: data.decode("utf-8", "replace")
            # Before anything reads the schema.
            made.execute("PRAGMA trusted_schema = OFF")
            if made.execute("PRAGMA trusted_schema").fetchone() != (0,): os._exit(1)
            made.execute("PRAGMA cell_size_check = ON")
            made.execute("PRAGMA cache_size = -8000")
            return made
        threading.Thread(target=listen, daemon=True).start()
        try:
            connection = connect()
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error:
            # Told with the first statement, if it is still so then.
            if connection is not None: connection.close()
            connection = None
        while True:
            question = asked.get()
            try:
                if connection is None: connection = connect()
                size = 0
                for row in connection.execute(question["sql"], [given(v) for v in question["values"]]):
                    data = b"R" + b"".join(value(v) for v in row) + b"\n"
                    size += len(data)
                    out.write(data)
                    if size > question["limit"]: break
            except sqlite3.Error as error:
                out.write(b"F" + sized(b"t", str(error).encode("utf-8", "replace")) + b"\n")
            out.flush()
            look = subprocess.run(["sh", "-c", os.environ["RIFF_LOOK"]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            out.write(look.stdout + b"E" + question["end"].encode() + b"\n")
            out.flush()
        """#
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-agents.sh; change that.

extension BoardScript {
    static let text = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # Tells a client what coding agents are on this host, whenever it asks. It writes nothing to the disk.
        #
        #   sh -c SCRIPT riff-agents MARK TMUX...       MARK begins each row; TMUX is how tmux is called.
        #
        # A request is one line; its answer ends with the row "MARK .".
        #   look             what changed since the last look: "+KEY<tab>FIELDS" and "-KEY" of panes (P), of Claude's state files
        #                    whose process lives (S), and of Codex's records (R); "!WORDS" for what this host lacks
        #   find NAME...     processes of these programs and of these numbers (F), wherever they run; look then tells of the
        #                    newest records of Codex as well
        #   show PANE...     what the panes show, each "V PANE", and its rows behind "|"
        #   tail FROM N FILE N bytes of a record of Codex from byte FROM (1 is the first) on, rows behind "|"; what follows the
        #                    last line's end stands in a row of its own, which may be empty
        LC_ALL=C
        export LC_ALL
        exec 2>/dev/null
        mark=$1
        shift
        tab=$(printf '\t')
        claude=${CLAUDE_CONFIG_DIR:-$HOME/.claude}/sessions
        codex=${CODEX_HOME:-$HOME/.codex}/sessions
        old=
        records=
        user=$(id -u)
        row="$mark P#{pane_id}$tab#{pane_pid}$tab#{pane_tty}$tab#{pane_dead}$tab#{pane_dead_status}$tab#{pane_width}"
        row="$row$tab#{pane_height}$tab#{window_activity}$tab#{session_name}$tab#{pane_current_command}"
        row="$row$tab#{pane_current_path}$tab#{pane_title}"

        states() { # one row for each state file of a process that lives
            set --
            for file in "$claude"/*.json; do
                pid=${file##*/}
                pid=${pid%.json}
                case $pid in '' | *[!0-9]*) continue ;; esac
                if kill -0 "$pid" 2>/dev/null && [ $# -lt 64 ]; then set -- "$@" "$file"; fi
            done
            [ $# -eq 0 ] || awk -v m="$mark" '
                FNR == 1 { if (n++) print ""; name = FILENAME; sub(/.*\//, "", name); printf "%s S%s\t", m, name; left = 16384 }
                { gsub(/[\t\r]/, " "); line = substr($0, 1, left); left -= length(line); printf "%s", line }
                END { if (n) print "" }' "$@"
        }

        sizes() { # one row for each record that is known
            [ -n "$records" ] && cd "$codex" 2>/dev/null || return 0
            # shellcheck disable=SC2086 # names of records hold no spaces
            set -- $records
            stat -c "$mark R%n$tab%Y$tab%s" "$@" 2>/dev/null || stat -f "$mark R%N$tab%m$tab%z" "$@" 2>/dev/null
        }

        newest() { # the records of the last days, the newest first
            cd "$codex" 2>/dev/null || return 0
            find . -name 'rollout-*.jsonl' -mtime -2 2>/dev/null | sed -n 's|^\./||; /^[A-Za-z0-9_./-]*$/p' | head -n 500 |
                { xargs ls -t 2>/dev/null | head -n 40; }
        }

        now() {
            tmux_words=$1
            shift
            "$@" list-panes -a -F "$row" 2>/dev/null || {
                command -v "$1" >/dev/null 2>&1 || echo "$mark !no $tmux_words"
            }
            states
            (sizes)
        }

        look() {
            new=$(now tmux "$@")
            if [ "$new" != "$old" ]; then
                # A variable of awk would read backslashes.
                printf '%s\n\f\n%s\n' "$old" "$new" | awk -F '\t' -v m="$mark" '
                    $0 == "\f" { isNew = 1; next }
                    index($0, m " ") != 1 { next }
                    { key = $1; text = $0 }
                    !isNew { was[key] = text; next }
                    { is[key] = 1; if (was[key] != text) print m " +" substr(text, length(m) + 2) }
                    END { for (key in was) if (!(key in is)) print m " -" substr(key, length(m) + 2) }'
                old=$new
            fi
        }

        processes() { # the processes of these programs
            { ps -u "$user" -o pid= -o ppid= -o tty= -o etime= -o args= 2>/dev/null || ps -o pid,ppid,tty,etime,args; } |
                awk -v m="$mark" -v names=" $* " -v time="$(date +%s)" '
                    {
                        program = $5
                        sub(/.*\//, "", program)
                        if (program == "" || !index(names, " " program " ") && !index(names, " " $1 " ")) next
                        n = split($4, part, /[-:]/)
                        seconds = 0
                        if (index($4, "-")) { seconds = part[1] * 86400; first = 2 } else first = 1
                        unit = 1
                        for (i = n; i >= first; i--) { seconds += part[i] * unit; unit *= 60 }
                        server = 0
                        for (i = 6; i <= NF && i < 12; i++) if ($i == "app-server" || $i == "mcp-server" || $i == "proxy") server = 1
                        print m " F" $1 "\t" $2 "\t" $3 "\t" time - seconds "\t" program "\t" server
                    }' | head -n 256
        }

        while read -r request; do
            # shellcheck disable=SC2086 # words of the client, which holds no others
            case $request in
            look) look "$@" ;;
            find\ *)
                processes ${request#find }
                records=$(newest)
                ;;
            show\ *)
                for pane in ${request#show }; do
                    echo "$mark V$pane"
                    "$@" capture-pane -p -e -t "$pane" 2>/dev/null | sed 's/^/|/'
                done
                ;;
            tail\ *)
                file=${request#tail }
                from=${file%% *}
                file=${file#* }
                count=${file%% *}
                file=${file#* }
                if [ -f "$codex/$file" ]; then
                    { tail -c "+$from" "$codex/$file" | head -c "$count"; echo; } | sed 's/^/|/'
                fi
                ;;
            esac
            echo "$mark ."
        done

        """#
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-hook.sh; change that.

extension KitScript {
    static let hookText = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # riff-hook.sh AGENT
        #
        #   What a coding agent runs at its events: it notes the event (JSON on standard input) as one line of JSON in
        #   run/hooks/SESSION.jsonl beside it, {"t":SECONDS,"agent":AGENT,"pid":PID,"pane":PANE,"payload":...}. It prints
        #   nothing, because agents read what a hook prints, and it always succeeds: an agent never waits for it or fails by it.
        #
        #   A file of more than 512 KiB becomes SESSION.jsonl.1 and a new one is begun; the 64 newest files stay. A payload of
        #   more than 64 KiB is told as {"cut":true,...} with its names alone.
        umask 077
        LC_ALL=C
        export LC_ALL
        largest=65536
        limit=524288

        note() {
            folder=${0%/*}/../run/hooks
            # Without it the kit was removed: nothing comes back by a hook.
            [ -d "$folder" ] || return
            payload=$(head -c $((largest + 1)) | tr -d '\000' | tr '\n\r' '  ')
            # The rest is taken as well: an agent that writes into a closed pipe may take that for a failure.
            cat >/dev/null
            session=$(member session_id)
            file=$folder/${session:-unknown}.jsonl
            if [ "${#payload}" -gt "$largest" ]; then
                payload=$(printf '{"cut":true,"session_id":"%s","hook_event_name":"%s","tool_name":"%s","tool_use_id":"%s"}' \
                    "$session" "$(member hook_event_name)" "$(member tool_name)" "$(member tool_use_id)")
            fi
            [ -n "$payload" ] || payload=null
            pane=${TMUX_PANE:-}
            case $pane in
            *[!%0-9]*) pane='' ;;
            esac
            # In one piece: lines of events that come at once must not run into each other.
            line=$folder/.line.$$
            printf '{"t":%s,"agent":"%s","pid":%s,"pane":"%s","payload":%s}\n' \
                "$(now)" "$agent" "$PPID" "$pane" "$payload" >"$line" && make_room && cat "$line" >>"$file"
            rm -f "$line"
        }

        # The first text of this name, where it is of plain characters. Within a text the name's quotes have backslashes.
        member() { # NAME
            printf '%s' "$payload" | tr '{,' '[\n*]' |
                sed -n "s/^ *\"$1\" *: *\"\([A-Za-z0-9_-]\{1,128\}\)\".*/\1/p" | sed 1q
        }

        now() {
            time=$(date +%s.%N)
            case $time in
            *[!0-9.]*) date +%s ;; # %N is not everywhere.
            *) echo "$time" ;;
            esac
        }

        make_room() {
            if [ ! -e "$file" ]; then
                # A new session: the oldest ones go.
                # shellcheck disable=SC2010 # Names here are of plain characters, and find knows no order.
                ls -t "$folder" | grep '\.jsonl' | sed '1,63d' | while IFS= read -r old; do rm -f "$folder/$old"; done
                return 0
            fi
            size=$(($(wc -c <"$file")))
            [ "$size" -gt "$limit" ] || return 0
            # Of two at once, one makes room. A lock that was left behind is no reason to grow for ever.
            if mkdir "$file.lock" 2>/dev/null; then
                [ $(($(wc -c <"$file"))) -le "$limit" ] || mv -f "$file" "$file.1"
                rmdir "$file.lock"
            elif [ "$size" -gt $((limit * 4)) ]; then
                rmdir "$file.lock"
                return 1
            fi
        }

        case ${1:-} in
        '' | *[!a-z0-9-]*) agent=unknown ;;
        *) agent=$1 ;;
        esac
        note >/dev/null 2>&1
        exit 0

        """#
}

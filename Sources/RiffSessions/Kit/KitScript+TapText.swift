// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-tap.sh; change that.

extension KitScript {
    static let tapText = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # Gives clients the raw bytes of a pane, by one pipe of tmux's for all of them. See docs/decisions/0054-the-host-kit.md.
        #
        #   riff-tap.sh follow MARKER TAP FROM PANE COMMAND TMUX...
        #       One client: everything from byte FROM on of a tap it was on, or from the oldest byte that is kept of the pane's
        #       ("-" for TAP). COMMAND is what tmux runs where the pane has no pipe, or nothing; TMUX is how it is called. The
        #       header is MARKER, and "live TAP FIRST", "ended TAP FIRST" where tmux closed the pipe, "broken TAP FIRST" where
        #       the pump was killed, or "refused REASON". "bye" on standard input leaves for good.
        #   riff-tap.sh pump KEY
        #       What the pipe feeds: keeps the last bytes in a few files.
        #
        # tmux keeps what a pipe does not take in its own memory, without a limit: so the pump always takes it, and what the
        # slowest client did not fetch in time is lost to that client alone.
        set -u
        umask 077
        LC_ALL=C
        export LC_ALL

        taps=${0%/*}/../run/taps
        # A file of so many bytes is the last but one; so many files are kept.
        segment=1048576
        kept=4
        # How long a pipe stays open after its last client was cut off, and was seen last by what takes the bytes.
        rest=60
        longest_rest=180

        padded() { printf '%019d' "$1"; }

        number() { # a number without leading zeros, which would make it an octal one
            digits=${1#"${1%%[!0]*}"}
            echo "${digits:-0}"
        }

        size() { echo $(($(wc -c <"$1"))); }

        last() {
            shift $(($# - 1))
            echo "$1"
        }

        is_alive() { kill -0 "${1##*.}" 2>/dev/null; } # a file whose name ends with a process

        has_readers() { # TAP
            for reader in "$1"/reader.*; do
                if [ -e "$reader" ]; then is_alive "$reader" && return 0; fi
            done
            return 1
        }

        # MARK: The pipe's end

        pump() { # KEY
            tap=$taps/$1.$$
            rm -rf "$tap"
            mkdir "$tap" && cd "$tap" || exit
            start=0
            length=0
            seen=$(date +%s)
            file=out.$(padded 0)
            : >"$file"
            : >started
            # Short reads count, so that nothing waits for a full block; none at all is the end. Where the folder is gone, so is
            # the kit, and the redirection fails.
            while dd bs=65536 count=8 >>"$file" 2>/dev/null; do
                now=$(size "$file")
                [ "$now" -ne "$length" ] || break
                length=$now
                [ "$length" -ge "$segment" ] || continue
                if has_readers .; then
                    seen=$(date +%s)
                elif [ $(($(date +%s) - seen)) -gt "$longest_rest" ]; then
                    break
                fi
                start=$((start + length))
                length=0
                file=out.$(padded "$start")
                : >"$file" || break
                set -- out.*
                while [ $# -gt "$kept" ]; do
                    rm -f "$1"
                    shift
                done
            done
            : >ended
            exec </dev/null
            # Those who read it come back for what is left.
            sleep 20
            cd / && rm -rf "$tap"
        }

        # MARK: One client

        refuse() {
            printf '%s\nrefused %s\n' "$marker" "$1"
            exit 0
        }

        find_tap() { # sets tap to the pane's, where there is one
            for tap in "$taps/$key".*; do
                if [ -e "$tap/started" ] && [ ! -e "$tap/ended" ] && is_alive "$tap"; then return 0; fi
            done
            return 1
        }

        ask() { tmux "$@" 2>/dev/null; }

        ensure() { # TMUX...: the pane has a tap
            command -v "$1" >/dev/null || refuse "no tmux"
            shift
            # An older one keeps the words that it does not know out of its answer.
            answer=$(ask "$@" display-message -p -t "$pane" '#{pid}-#{start_time}-#{pane_id} #{pane_id} #{pane_pipe}') ||
                refuse "no pane"
            key=${answer%% *}
            piped=${answer##* }
            answer=${answer#* }
            [ "${answer%% *}" = "$pane" ] || refuse "no pane"
            case $piped in
            0) ;;
            1)
                find_tap && return
                # The pump was killed, and tmux has not noticed: that pipe is nobody's. One that somebody else put there would
                # have ended the pump.
                freed=''
                for tap in "$taps/$key".*; do
                    if [ -e "$tap/started" ] && [ ! -e "$tap/ended" ]; then
                        rm -rf "$tap"
                        ask "$@" pipe-pane -t "$pane"
                        freed=1
                    fi
                done
                [ -n "$freed$command" ] || refuse "taken"
                ;;
            *) refuse "old tmux" ;;
            esac
            [ -n "$command" ] || refuse "closed"
            # In one go: a pipe that somebody else opened meanwhile is not replaced.
            answer=$(ask "$@" if-shell -F -t "$pane" '#{pane_pipe}' 'display-message -p taken' "$command") || refuse "no pane"
            tries=0
            until find_tap; do
                [ "$answer" != taken ] || [ "$tries" -lt 5 ] || refuse "taken"
                [ $((tries += 1)) -le 50 ] || refuse "not started"
                sleep 0.1 2>/dev/null || sleep 1
            done
        }

        sweep() { # what pumps that were killed left behind
            for old in "$taps"/[0-9]*; do
                if [ -d "$old" ] && ! is_alive "$old" && ! has_readers "$old"; then
                    find "$old" -prune -mmin +1 -exec rm -rf {} \; 2>/dev/null
                fi
            done
        }

        follow() { # MARKER TAP FROM PANE COMMAND TMUX...
            marker=$1
            tap=$taps/$2
            from=$3
            pane=$4
            command=$5
            shift 5
            [ -d "$taps" ] || refuse "no kit"
            sweep
            if [ "${tap##*/}" = - ] || [ ! -e "$tap/started" ]; then
                from=oldest
                ensure "$@"
            fi
            cd "$tap" 2>/dev/null || refuse "gone"
            (: >"reader.$$") 2>/dev/null || refuse "gone"
            # Asked before the files are: what ended meanwhile is told the next time.
            state=live
            is_alive "$tap" || state=broken
            [ ! -e ended ] || state=ended
            files=$(set -- out.* && echo $#)
            set -- out.* "$@"
            [ "$1" != 'out.*' ] || refuse "gone"
            first=$(number "${1#out.}")
            if [ "$from" = oldest ] || [ "$from" -lt "$first" ]; then from=$first; fi
            printf '%s\n%s %s %s\n' "$marker" "$state" "${tap##*/}" "$from"
            while [ "$files" -gt 1 ]; do
                # The next one tells where this one ends.
                next=$(number "${2#out.}")
                if [ "$from" -lt "$next" ]; then
                    tail -c "+$((from - $(number "${1#out.}") + 1))" "$1" || exit
                    from=$next
                fi
                shift
                files=$((files - 1))
            done
            live=$1
            shift
            from=$((from - $(number "${live#out.}") + 1))
            if [ "$state" != live ]; then
                tail -c "+$from" "$live"
                rm -f "reader.$$"
                exit 0
            fi
            tail -f -c "+$from" "$live" &
            tail=$!
            # A subshell of its own: a function with redirections would keep the channel open.
            (watch "$@") </dev/null >/dev/null 2>&1 &
            watcher=$!
            while read -r word; do
                if [ "$word" = bye ]; then rest=0; fi
            done
            kill "$watcher" "$tail" 2>/dev/null
            leave "$@"
        }

        watch() { # TMUX...: ends the client's channel when there is another file to read, or no more
            while sleep 1; do
                [ -e "reader.$$" ] || break
                [ ! -e ended ] && is_alive "$tap" && [ "$(last out.*)" = "$live" ] || break
            done
            kill "$tail"
            leave "$@"
            kill $$
        }

        leave() { # TMUX...: and the last one closes the pipe, unless somebody came back
            rm -f "reader.$$"
            shift
            if [ "$rest" -eq 0 ]; then
                close_pipe "$@"
                return
            fi
            (
                trap '' HUP
                sleep "$rest"
                close_pipe "$@"
            ) </dev/null >/dev/null 2>&1 &
        }

        close_pipe() { # TMUX...: what is not the pump's any more is somebody else's
            has_readers "$tap" || [ -e "$tap/ended" ] || ! is_alive "$tap" || ask "$@" pipe-pane -t "$pane"
        }

        verb=${1-}
        [ $# -eq 0 ] || shift
        case $verb in
        pump | follow) "$verb" "$@" ;;
        *)
            echo "riff-tap.sh: run by Riff" >&2
            exit 64
            ;;
        esac

        """#
}

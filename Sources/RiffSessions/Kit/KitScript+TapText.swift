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
        #   riff-tap.sh resume MARKER TAP FROM WAY PANE COMMAND TMUX...
        #       As follow. FROM may be "newest". With "gzip" for WAY, what is kept comes compressed, and nothing after it. The
        #       state may be "full", where the disk was full. The header has three words more: how many bytes there are, "gzip"
        #       or "plain", and times, "NUMBER:SECONDS,..." where so many bytes were there at that time.
        #   riff-tap.sh keep MARKER PANE COMMAND TMUX...
        #       The pane's pipe stays open without a client, until the pane's end. PANE may be any target of tmux's. The answer
        #       is MARKER, and "kept TAP", or "refused REASON".
        #   riff-tap.sh erase MARKER PANE COMMAND TMUX...
        #       What is kept of a pane goes at once, and that of panes which ended; a pipe that is kept open begins again. The
        #       answer is MARKER, and "erased", or "refused REASON".
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
            step=1
            seen=$(date +%s)
            noted=$seen
            file=out.$(padded 0)
            : >"$file"
            echo "0:$seen" >times
            : >started
            # Short reads count, so that nothing waits for a full block; none at all is the end. Where the folder is gone, so is
            # the kit, and the redirection fails.
            while :; do
                if ! dd bs=16384 count=32 >>"$file" 2>/dev/null; then
                    (: >full) 2>/dev/null
                    break
                fi
                # Programs cost the most of it: in a flood the time is told by the file alone.
                now=$(wc -c <"$file")
                now=$((now))
                [ "$now" -ne "$length" ] || break
                grown=$((now - length))
                length=$now
                [ "$length" -ge "$segment" ] || [ "$grown" -lt 65536 ] || continue
                now=$(date +%s)
                note
                [ "$length" -ge "$segment" ] || continue
                if [ -e keep ] || has_readers .; then
                    seen=$now
                elif [ $((now - seen)) -gt "$longest_rest" ]; then
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
                forget "$(number "${1#out.}")"
            done
            (: >ended) 2>/dev/null
            exec </dev/null
            # Those who read it come back for what is left.
            sleep 20
            cd / && rm -rf "$tap"
        }

        note() { # how many bytes there are, and when; the longer it goes on, the fewer of these
            [ "$now" -ge "$((noted + step))" ] || return 0
            echo "$((start + length)):$now" >>times
            noted=$now
            [ "$(size times)" -gt 8192 ] || return 0
            sed -n 'n;p' times >times.new && mv -f times.new times
            step=$((step * 2))
        }

        forget() { # FIRST: times of bytes that are gone
            while IFS=: read -r place at; do
                [ "$place" -lt "$1" ] || echo "$place:$at"
            done <times >times.new
            mv -f times.new times
            [ "$(size times)" -gt 2048 ] || step=1
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
            way=''
            attach "$@"
        }

        resume() { # MARKER TAP FROM WAY PANE COMMAND TMUX...
            way=plain
            if [ "$4" = gzip ] && command -v gzip >/dev/null; then way=gzip; fi
            marker=$1
            tap=$2
            from=$3
            shift 4
            attach "$marker" "$tap" "$from" "$@"
        }

        attach() { # MARKER TAP FROM PANE COMMAND TMUX...
            marker=$1
            tap=$taps/$2
            from=$3
            pane=$4
            command=$5
            shift 5
            [ -d "$taps" ] || refuse "no kit"
            sweep
            if [ "${tap##*/}" = - ] || [ ! -e "$tap/started" ]; then
                [ "$from" = newest ] || from=oldest
                ensure "$@"
            fi
            cd "$tap" 2>/dev/null || refuse "gone"
            (: >"reader.$$") 2>/dev/null || refuse "gone"
            # Whoever was cut off came back.
            rm -f left
            # Asked before the files are: what ended meanwhile is told the next time.
            state=live
            is_alive "$tap" || state=broken
            [ ! -e ended ] || state=ended
            if [ -n "$way" ] && [ -e full ]; then state=full; fi
            # Looked for once: files come and go.
            set -- out.* -- "$@"
            [ "$1" != 'out.*' ] || refuse "gone"
            first=$(number "${1#out.}")
            for live in "$@"; do
                [ "$live" != -- ] || break
                newest=$live
            done
            live=$newest
            newest=$(($(number "${live#out.}") + $(size "$live")))
            if [ "$from" = newest ]; then
                from=$newest
            elif [ "$from" = oldest ] || [ "$from" -lt "$first" ]; then
                from=$first
            fi
            printf '%s\n%s %s %s' "$marker" "$state" "${tap##*/}" "$from"
            if [ -n "$way" ]; then
                # From a client that was here before these were: what it has is as new.
                [ "$newest" -ge "$from" ] || newest=$from
                printf ' %s %s %s' "$newest" "$way" "$(tr '\n' ',' <times 2>/dev/null)"
                # Not every system's date knows of files.
                changed=$(date -r "$live" +%s 2>/dev/null) && printf '%s:%s' "$newest" "$changed"
            fi
            echo
            if [ "$way" = gzip ]; then
                # Where a file went meanwhile, the client has less than it was told, and asks again.
                past "$from" "$newest" "$@" | gzip -1
            else
                past "$from" "$(number "${live#out.}")" "$@" || exit
            fi
            while [ "$1" != -- ]; do shift; done
            shift
            if [ "$way" = gzip ]; then
                leave "$@"
                exit 0
            fi
            next=$(number "${live#out.}")
            [ "$from" -gt "$next" ] || from=$next
            from=$((from - next + 1))
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

        past() { # FROM END FILE... --: the bytes from one number to another
            at=$1
            end=$2
            shift 2
            while [ "$1" != -- ] && [ "$at" -lt "$end" ]; do
                here=$(number "${1#out.}")
                # The next one tells where this one ends.
                there=$end
                [ "$2" = -- ] || there=$(number "${2#out.}")
                if [ "$at" -lt "$there" ]; then
                    if [ "$2" = -- ]; then
                        [ -e "$1" ] && tail -c "+$((at - here + 1))" "$1" | head -c "$((end - at))" || return 1
                    else
                        tail -c "+$((at - here + 1))" "$1" || return 1
                    fi
                    at=$there
                fi
                shift
            done
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
            [ ! -e keep ] || return 0
            if [ "$rest" -eq 0 ]; then
                # One that was cut off may come back; then it is the one to close it.
                [ -e left ] || close_pipe "$@"
                return
            fi
            echo "$$" >left
            (
                trap '' HUP
                sleep "$rest"
                [ "$(cat left 2>/dev/null)" != "$$" ] || close_pipe "$@"
            ) </dev/null >/dev/null 2>&1 &
        }

        close_pipe() { # TMUX...: what is not the pump's any more is somebody else's
            has_readers "$tap" || [ -e "$tap/ended" ] || [ -e "$tap/keep" ] || ! is_alive "$tap" || ask "$@" pipe-pane -t "$pane"
        }

        # MARK: Without a client

        keep() { # MARKER PANE COMMAND TMUX...
            marker=$1
            target=$2
            command=$3
            shift 3
            [ -d "$taps" ] || refuse "no kit"
            sweep
            find_pane "$@"
            ensure "$@"
            : >"$tap/keep"
            printf '%s\nkept %s\n' "$marker" "${tap##*/}"
        }

        find_pane() { # TMUX...: sets pane to the target's
            command -v "$1" >/dev/null || refuse "no tmux"
            shift
            pane=$(ask "$@" display-message -p -t "$target" '#{pane_id}') || refuse "no pane"
            [ -n "$pane" ] || refuse "no pane"
        }

        erase() { # MARKER PANE COMMAND TMUX...
            marker=$1
            target=$2
            command=$3
            shift 3
            [ -d "$taps" ] || refuse "no kit"
            for old in "$taps"/[0-9]*; do
                if [ -d "$old" ] && { [ -e "$old/ended" ] || ! is_alive "$old"; }; then rm -rf "$old"; fi
            done
            find_pane "$@"
            tool=$1
            shift
            key=$(ask "$@" display-message -p -t "$pane" '#{pid}-#{start_time}-#{pane_id}') || refuse "no pane"
            if find_tap; then
                kept=''
                [ ! -e "$tap/keep" ] || kept=1
                # Without its folder the pump ends; it may make a file meanwhile.
                rm -rf "$tap" 2>/dev/null || rm -rf "$tap" 2>/dev/null || rm -rf "$tap" || refuse "not erased"
                ask "$@" pipe-pane -t "$pane"
                if [ -n "$kept" ]; then
                    ensure "$tool" "$@"
                    : >"$tap/keep"
                fi
            fi
            printf '%s\nerased\n' "$marker"
        }

        verb=${1-}
        [ $# -eq 0 ] || shift
        case $verb in
        pump | follow | resume | keep | erase) "$verb" "$@" ;;
        *)
            echo "riff-tap.sh: run by Riff" >&2
            exit 64
            ;;
        esac

        """#
}

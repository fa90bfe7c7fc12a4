// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-keeper.sh; change that.

extension KeeperScript {
    static let text = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # Keeps an agent that speaks on its standard input and output running on this host while clients come and go. What it
        # writes is kept in bounded files that clients read from any byte on; what clients send is handed over whole, in order,
        # and once. See docs/decisions/0022-agents-that-outlive-the-link.md.
        #
        #   riff-keeper.sh start NAME BYTES LINE           starts LINE by the login shell, and keeps BYTES of what it writes
        #   riff-keeper.sh keep NAME                       what runs in tmux
        #   riff-keeper.sh attach NAME CLIENT FROM MARKER  one client: from byte FROM, or "oldest"
        #   riff-keeper.sh list                            "NAME STATE" for each agent
        #   riff-keeper.sh end NAME                        ends it and removes what was kept
        #
        # Status 3: there is no such agent. Status 4: a program is missing; its name is on standard error.
        set -u
        umask 077

        root=$HOME/.local/state/riff/agents
        largest=67108864

        number() { # a number without leading zeros, which would make it an octal one
            digits=${1#"${1%%[!0]*}"}
            echo "${digits:-0}"
        }

        offset() { number "${1##*.}"; }

        padded() { printf '%019d' "$1"; }

        size() { echo $(($(wc -c <"$1"))); }

        newest() { # the last one of files named by numbers
            shift $(($# - 1))
            echo "$1"
        }

        replace() { # writes standard input to a file in one step
            cat >"$1.new" && mv -f "$1.new" "$1"
        }

        is_alive() { [ -s keeper ] && kill -0 "$(cat keeper)" 2>/dev/null; }

        state() {
            if [ -e status ]; then echo "ended $(cat status)"; elif is_alive; then echo running; else echo lost; fi
        }

        # MARK: Starting

        start() { # BYTES LINE
            for tool in tmux mkfifo dd head tail wc cat mv rm sleep grep; do
                command -v "$tool" >/dev/null || { echo "$tool" >&2 && exit 4; }
            done
            mkdir -p "$root" && chmod 700 "$root" || exit
            waited=0
            # Who makes the folder starts the agent; who comes second waits for it.
            until mkdir "$folder" 2>/dev/null; do
                [ -d "$folder" ] || exit
                case $(cd "$folder" && state) in
                running) exit 0 ;;
                lost) [ -e "$folder/keeper" ] || [ $((waited += 1)) -gt 10 ] || { sleep 1 && continue; } ;;
                esac
                # One that has ended makes room, for the first who moves it away.
                mv "$folder" "$root/.gone.$$" 2>/dev/null && rm -rf "$root/.gone.$$"
            done
            cd "$folder" && mkdir spool && mkfifo in out err bell ready || exit
            echo "$1" >limit
            printf '%s\n' "$2" >line
            : >"out.$(padded 0)"
            : >"err.$(padded 0)"
            : >"events.$(padded 0)"
            # Whichever way it begins, it says so.
            exec 5<>ready
            unset TMUX
            tmux -S "$root/.tmux" -f /dev/null new-session -d -s "$name" sh "$0" keep "$name" 5<&- || { rm -rf "$folder" && exit 1; }
            read -r answer <&5
            [ "$answer" = ok ] || { echo "$answer" >&2 && exit 1; }
        }

        # MARK: Keeping

        pump() { # NAME BYTES: standard input into segments, of which the last eight are kept
            start=0
            length=0
            file=$1.$(padded 0)
            # Short reads count, so that nothing waits for a full block; none at all is the end.
            while dd bs=65536 count=64 >>"$file" 2>/dev/null; do
                now=$(size "$file")
                [ "$now" -ne "$length" ] || return 0
                length=$now
                [ "$length" -ge $(($2 / 8)) ] || continue
                start=$((start + length))
                length=0
                file=$1.$(padded "$start")
                : >"$file"
                keep_last 8 "$1".*
            done
            echo "what it writes cannot be kept: is the disk full?" >failure
        }

        keep_last() { # COUNT FILE...
            count=$1
            shift
            while [ $# -gt "$count" ]; do
                rm -f "$1"
                shift
            done
        }

        event() {
            echo "$*" >>"$events"
            [ $((told += 1)) -lt 256 ] || {
                told=0
                events=events.$(padded $(($(offset "$events") + 1)))
                : >"$events"
                keep_last 2 events.*
            }
        }

        turn() { # ID: of a prompt that begins one; the last sixteen are noted, with where in the output they begin
            turns=$((turns + 1))
            live=$(newest out.*)
            echo $(($(offset "$live") + $(size "$live"))) >noted && mv -f noted "turn.$(padded "$turns").$1"
            keep_last 16 turn.*
            event turn "$1" "$turns"
        }

        hand_over() { # everything in the spool whose turn it is
            for file in spool/*.*.*; do
                [ -e "$file" ] || continue
                client=${file#spool/} key=${file##*.}
                serial=${client#*.} client=${client%%.*}
                serial=$(number "${serial%.*}")
                last=0
                [ ! -e "number.$client" ] || read -r last <"number.$client"
                # Sent again though it had come; or one before it is still on its way.
                if [ "$serial" -gt $((last + 1)) ]; then continue; fi
                if [ "$serial" -gt "$last" ]; then
                    case $key in
                    hello) [ -e hello ] || replace hello <"$file" ;;
                    -) cat "$file" >&3 ;;
                    t*)
                        turn "$client:${key#t}"
                        cat "$file" >&3
                        ;;
                    *)
                        case $answered$earlier in
                        *" $key "*) ;;
                        *)
                            cat "$file" >&3
                            answered=" $key$answered"
                            event answered "$key" "$client"
                            # Old questions are not asked again.
                            [ ${#answered} -lt 32768 ] || {
                                earlier=$answered
                                answered=' '
                            }
                            ;;
                        esac
                        ;;
                    esac
                    echo "$serial" | replace "number.$client"
                fi
                rm -f "$file"
                event ack "$client" "$serial"
            done
        }

        keep() {
            cd "$folder" || exit
            trap 'echo "the keeper could not begin" 1<>ready' EXIT
            # Each of what follows is a process group of its own, and takes signals as usual.
            set -m
            line=$(cat line)
            events=events.$(padded 0)
            told=0
            answered=' '
            earlier=' '
            turns=0
            exec 4<>bell
            # The pipes open when both ends do.
            pump out "$(cat limit)" <out 4<&- &
            pumps=$!
            pump err 1048576 <err 4<&- &
            pumps="$pumps $!"
            (
                exec 4<&-
                trap : HUP INT TERM
                "${SHELL:-/bin/sh}" -lc "$line" <in >out 2>err
                echo "x $?" 1<>bell
            ) &
            agent=$!
            exec 3>in
            echo "$agent" >agent
            echo "$(date +%s).$$" >generation
            echo $$ | replace keeper
            trap - EXIT
            echo ok 1<>ready
            # What cannot be handed over because the agent is gone shows by the agent's own end.
            trap '' PIPE
            code=137
            while read -r word rest <&4; do
                case $word in
                m) hand_over ;;
                e) exec 3>&- ;;
                x) code=$rest && break ;;
                esac
            done
            exec 3>&-
            # Something that the agent left behind may hold its output open for ever.
            (sleep 2 && kill $pumps) 2>/dev/null &
            wait $pumps
            kill $! 2>/dev/null
            echo "$code" | replace status
        }

        # MARK: One client

        # Exactly so many bytes of standard input, and none more; some systems' head reads ahead.
        if [ "$(printf ab | { head -c 1 >/dev/null && head -c 1; } 2>/dev/null)" = b ]; then
            take() { head -c "$1"; }
        else
            take() { dd ibs=1 obs=65536 count="$1" 2>/dev/null; }
        fi

        answers() { # ID: whether the agent's answer to a request is among what is kept; a segment may end within it
            cat out.* 2>/dev/null | LC_ALL=C grep -q "\"id\" *: *\"$1\""
        }

        turns() { # FIRST: the number of the last turn, and the ids of those that nobody has seen an end of
            first=$1
            set -- turn.*
            [ "$1" != 'turn.*' ] || { echo 0 && return; }
            shift $(($# - 1))
            last_turn=$1
            number="${last_turn#turn.}"
            running=$(number "${number%%.*}")
            for note in turn.*; do
                id=${note#turn.*.}
                begun=$(cat "$note" 2>/dev/null) && [ -n "$begun" ] || continue
                # What began before all that is kept may have ended there.
                if [ "$begun" -ge "$first" ] && ! answers "${id%%-*}"; then
                    running="$running $id"
                elif [ "$note" != "$last_turn" ]; then
                    rm -f "$note"
                fi
            done
            echo "$running"
        }

        attach() { # CLIENT FROM MARKER
            cd "$folder" 2>/dev/null && [ -e generation ] || exit 3
            # Asked before the files are: what ended meanwhile is told the next time.
            state=$(state)
            last_event=$(newest events.*)
            client=$1 from=$2 marker=$3 last=0
            set -- out.*
            live=$(newest "$@")
            first=$(offset "$1")
            if [ "$from" = oldest ] || [ "$from" -lt "$first" ]; then from=$first; fi
            [ ! -e "number.$client" ] || read -r last <"number.$client"
            printf '%s\n%s %s %s %s %s\n' "$marker" "$(cat generation)" "$from" "$last" "$state" "$(turns "$first")"
            if [ -e hello ]; then cat hello; else echo; fi
            for file in events.*; do [ "$file" = "$last_event" ] || cat "$file" >&2; done
            for file; do
                shift
                # The next segment tells where this one ends.
                [ $# -gt 0 ] || break
                if [ "$from" -lt "$(offset "$1")" ]; then
                    tail -c "+$((from - $(offset "$file") + 1))" "$file" || exit
                    from=$(offset "$1")
                fi
            done
            from=$((from - $(offset "$live") + 1))
            if [ "$state" != running ]; then
                cat "$last_event" >&2
                tail -c "+$from" "$live"
                [ ! -e failure ] || cat failure >&2
                tail -c 4096 "$(newest err.*)" >&2
                exit 0
            fi
            tail -f -c "+$from" "$live" &
            readers=$!
            tail -f -n +1 "$last_event" >&2 &
            readers="$readers $!"
            part=spool/part.$$
            watch </dev/null >/dev/null 2>&1 &
            watcher=$!
            while read -r serial length key; do
                case $serial.$length.$key in
                *[!0-9a-z.-]* | .* | *..* | *.*.*.* | *.) break ;;
                esac
                [ "${#length}" -le 8 ] && [ "$length" -le $largest ] || break
                take "$length" >"$part"
                # Cut short: it comes again.
                [ "$(size "$part")" -eq "$length" ] || break
                mv -f "$part" "spool/$client.$(padded "$serial").$key"
                echo m 1<>bell
            done
            rm -f "$part"
            kill "$watcher" $readers 2>/dev/null
        }

        watch() { # ends the client's channel when there is another file to read, or no more
            while sleep 1; do
                [ "$(state)" = running ] || break
                [ "$(newest out.*)" = "$live" ] && [ "$(newest events.*)" = "$last_event" ] || break
            done
            kill $readers
            rm -f "$part"
            kill $$
        }

        # MARK: Ending

        end() {
            cd "$folder" 2>/dev/null || exit 3
            if is_alive; then
                agent=$(cat agent)
                echo e 1<>bell
                ended_within 2 || kill -s TERM -- "-$agent" 2>/dev/null
                ended_within 2 || {
                    kill -s KILL -- "-$agent" 2>/dev/null
                    echo "x 137" 1<>bell
                }
                ended_within 5 || tmux -S "$root/.tmux" kill-session -t "=$name" 2>/dev/null
            fi
            cd "$root" && rm -rf "$folder"
        }

        ended_within() { # SECONDS
            passed=0
            while is_alive; do
                [ $((passed += 1)) -le "$1" ] || return 1
                sleep 1
            done
        }

        list() {
            cd "$root" 2>/dev/null || exit 0
            for folder in *; do
                [ ! -e "$folder/generation" ] || (cd "$folder" && echo "$folder $(state)")
            done
        }

        verb=${1-}
        name=${2-}
        folder=$root/$name
        case $verb in
        list) list && exit ;;
        esac
        case $name in
        '' | *[!A-Za-z0-9_-]*) echo "riff-keeper.sh: an agent's name has letters, digits, - and _" >&2 && exit 2 ;;
        esac
        shift 2
        case $verb in
        start | keep | attach | end) "$verb" "$@" ;;
        *) echo "riff-keeper.sh: $verb is nothing it does" >&2 && exit 2 ;;
        esac

        """#
}

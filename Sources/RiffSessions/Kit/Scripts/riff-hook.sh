#!/bin/sh
# Riff host script
# SPDX-License-Identifier: Apache-2.0
#
# riff-hook.sh AGENT
# riff-hook.sh questions                  for a client: a line of JSON for each question whose hook waits
# riff-hook.sh answer NAME ID <DECISION   for a client: answers one of them, once
#
#   What a coding agent runs at its events: it notes the event (JSON on standard input) as one line of JSON in
#   run/hooks/SESSION.jsonl beside it, {"t":SECONDS,"agent":AGENT,"pid":PID,"pane":PANE,"payload":...}. It prints
#   nothing but an answer, because agents read what a hook prints, and it always succeeds: no agent fails by it.
#
#   A file of more than 512 KiB becomes SESSION.jsonl.1 and a new one is begun; the 64 newest files stay. A payload of
#   more than 64 KiB is told as {"cut":true,...} with its names alone.
#
#   When Claude Code asks for a permission the hook waits, while the dialog stands beside it: it makes a pipe,
#   run/answers/SESSION.PID, and beside it NAME.json, the question. Who makes NAME.claim decides: a client, with its id
#   and the decision, or the hook itself, because the question is over, its time is up or the agent is gone. The pipe
#   only wakes the hook. So an answer is given once, however often a client sends it, and never to another question.
umask 077
LC_ALL=C
export LC_ALL
largest=65536
limit=524288
# How long a question waits, in seconds: less than the agent lets a hook run. Then it is answered at the agent alone.
patience=${RIFF_HOOK_PATIENCE:-590}

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

# Prints the answer to the question of this event for the agent; nothing if there is none.
wait_for_answer() {
    answers=${0%/*}/../run/answers
    case $agent,$(member hook_event_name),$payload in
    *,*,'{"cut":true'*) return ;;
    claude,PermissionRequest,*) ;;
    *) return ;;
    esac
    [ -d "$answers" ] && [ "$(find "$answers" -name '*.json' | sed 65q | wc -l)" -lt 64 ] || return
    place=$answers/${session:-unknown}.$$
    status=${CLAUDE_CONFIG_DIR:-$HOME/.claude}/sessions/$PPID.json
    trap 'settle >/dev/null; exit 0' TERM HUP INT
    mkfifo "$place" || return
    exec 3<>"$place" || return
    printf '{"waiter":"%s","pid":%s,"payload":%s}\n%s\n' "${place##*/}" "$PPID" "$payload" "$status" >"$place.new" &&
        mv -f "$place.new" "$place.json" || return
    watch_question >/dev/null 2>&1 </dev/null &
    watcher=$!
    # shellcheck disable=SC2034 # Nothing is in the line: it wakes.
    IFS= read -r bell <&3
    kill "$watcher"
    settle
}

# Takes the question back, unless it was answered; prints the answer.
settle() {
    printf 'void\n' >"$place.new" && ln "$place.new" "$place.claim"
    rm -f "$place.new" "$place" "$place.json"
    {
        IFS= read -r id
        IFS= read -r decision
    } <"$place.claim"
    case ${id:-void} in
    void) rm -f "$place.claim" ;;
    *) printf '%s\n' "$decision" >&4 ;;
    esac
    # Clients that did not hear that they were first ask again: the newest claims stay.
    # shellcheck disable=SC2010 # Names here are of plain characters, and find knows no order.
    ls -t "$answers" | grep '\.claim$' | sed '1,63d' | while IFS= read -r old; do rm -f "$answers/$old"; done
}

# Wakes the hook when its time is up, the agent is gone, or says twice that it does not wait any more: an agent runs no
# hook when a question is denied at its terminal.
watch_question() {
    trap 'kill "$nap"; exit' TERM
    left=$patience
    away=0
    while [ "$left" -gt 0 ] && [ "$away" -lt 2 ] && kill -0 "$PPID" && kill -0 "$$"; do
        sleep 2 &
        nap=$!
        wait "$nap"
        left=$((left - 2))
        if is_away "$status"; then away=$((away + 1)); else away=0; fi
    done
    printf '\n' >&3
}

# Whether the agent says of itself that it does something else than wait. A word that is not known says nothing.
is_away() { # FILE
    case $(cat "$1" 2>/dev/null) in
    *'"status":"idle"'* | *'"status":"busy"'* | *'"status":"shell"'*) return 0 ;;
    *) return 1 ;;
    esac
}

# Wakes the hooks that wait in this session: a turn that ended or began has no question of before.
end_questions() {
    case $agent,$(member agent_id),$(member hook_event_name) in
    claude,,Stop | claude,,StopFailure | claude,,SessionEnd | claude,,UserPromptSubmit) ;;
    *) return ;;
    esac
    for file in "${0%/*}/../run/answers/${session:-unknown}".*.json; do
        ring "${file%.json}"
    done
}

ring() { # PLACE
    [ -p "$1" ] || return
    printf '\n' 1<>"$1"
    # It was removed in between, and made anew as a file.
    [ ! -f "$1" ] || rm -f "$1"
}

questions() {
    for file in "${0%/*}"/../run/answers/*.json; do
        [ -f "$file" ] || continue
        if is_there "${file%.json}"; then sed 1q "$file"; else rm -f "$file" "${file%.json}"; fi
    done
}

# Whether the hook of a question runs still.
is_there() { # PLACE
    [ -p "$1" ] && kill -0 "${1##*.}" 2>/dev/null
}

# Prints "given" if the hook has the answer, "gone" if the question is over, "taken" if it has another one, "unread" if
# the hook does not take it.
answer() { # NAME ID
    case $1,$2 in
    *[!A-Za-z0-9_.,-]* | .* | *,*,* | *, | ,*) return 1 ;;
    esac
    place=${0%/*}/../run/answers/$1
    IFS= read -r decision || [ -n "$decision" ] || return 1
    looks=0
    # The agent says a moment after its hook that it waits.
    while [ ! -e "$place.claim" ] && is_there "$place" && is_away "$(sed -n 2p "$place.json")" && [ "$looks" -lt 10 ]; do
        looks=$((looks + 1))
        sleep 0.1
    done
    if [ ! -e "$place.claim" ]; then
        if ! is_there "$place" || [ "$looks" -eq 10 ]; then
            echo gone
            return
        fi
        printf '%s\n%s\n' "$2" "$decision" >"$place.new.$$" || return 1
        ln "$place.new.$$" "$place.claim" 2>/dev/null
        rm -f "$place.new.$$"
    fi
    id=void
    [ ! -e "$place.claim" ] || IFS= read -r id <"$place.claim"
    case $id in
    "$2") ;;
    void)
        echo gone
        return
        ;;
    *)
        echo taken
        return
        ;;
    esac
    looks=0
    ring "$place"
    while is_there "$place" && [ "$looks" -lt 30 ]; do
        looks=$((looks + 1))
        sleep 0.1
    done
    if [ -p "$place" ]; then echo unread; else echo given; fi
}

case ${1:-} in
questions)
    questions
    exit
    ;;
answer)
    answer "${2:-}" "${3:-}"
    exit
    ;;
'' | *[!a-z0-9-]*) agent=unknown ;;
*) agent=$1 ;;
esac
note >/dev/null 2>&1
end_questions >/dev/null 2>&1
wait_for_answer 4>&1 >/dev/null 2>&1
exit 0

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-kit.sh; change that.

extension KitScript {
    static let kitText = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # Keeps the one folder that holds everything of Riff's on this host; see docs/decisions/0054-the-host-kit.md.
        #
        #   riff-kit.sh status              what is there, one fact a line
        #   riff-kit.sh install FOLDER PART...   PART is NAME:VERSION:MODE:FILE; put, which a client adds, prints its text
        #   riff-kit.sh remove              everything that install made, and nothing else; "kept FILE" for what is not Riff's
        #   riff-kit.sh remove-earlier      the scripts of Riffs that had no kit yet
        #
        # Nothing outside of the folder is written but the folders that lead to it, and those are removed again if they were
        # made here and are empty. No file of a person's is opened for writing, ever.
        #
        # Status 20: the folder is another one than was agreed on. 21: a newer Riff keeps it. 22: it is not Riff's. 23: it
        # cannot be written. 24: somebody else holds the lock. 25: kept agents run. The reason is on standard error.
        set -u
        umask 077
        LC_ALL=C
        export LC_ALL
        unset CDPATH

        format=1
        newline='
        '

        fail() { # STATUS REASON
            printf '%s\n' "$2" >&2
            exit "$1"
        }

        find_folder() {
            case ${HOME:-} in
            /*) ;;
            *) fail 23 "HOME is not set to a folder" ;;
            esac
            # Relative paths are invalid there (XDG Base Directory Specification).
            case ${XDG_DATA_HOME:-} in
            /*) data=$XDG_DATA_HOME ;;
            *) data=$HOME/.local/share ;;
            esac
            case $data in
            *"$newline"*) fail 23 "a folder with a line feed in its name cannot be used" ;;
            esac
            # A kit that is there stays where it is, whatever the variable says since.
            if [ ! -e "$data/riff/kit" ] && [ -e "$HOME/.local/share/riff/kit" ]; then data=$HOME/.local/share; fi
            kit=$data/riff/kit
            manifest=$kit/manifest
            lock=$data/riff/.kit-lock
            me=$$@$(uname -n)
        }

        state() {
            if [ -L "$kit" ]; then
                echo foreign
            elif [ ! -e "$kit" ]; then
                echo absent
            elif [ ! -d "$kit" ]; then
                echo foreign
            elif [ -f "$manifest" ] && [ ! -L "$manifest" ]; then
                mark='' number='' phase=''
                read -r mark number phase <"$manifest"
                case $mark.$number in
                riff-kit. | riff-kit.*[!0-9]*) echo foreign ;;
                riff-kit.??????*) echo newer ;;
                riff-kit.*)
                    if [ "$number" -gt "$format" ]; then
                        echo newer
                    elif [ "$phase" = installed ]; then
                        echo installed
                    else
                        echo partial
                    fi
                    ;;
                *) echo foreign ;;
                esac
            else
                # The very first file was on its way.
                for entry in "$kit"/* "$kit"/.[!.]*; do
                    case $entry in
                    "$kit/*" | "$kit/.[!.]*" | "$kit"/.manifest.*) ;;
                    *) echo foreign && return ;;
                    esac
                done
                echo partial
            fi
        }

        # The lines of the manifest that begin with a word.
        lines() { [ ! -f "$manifest" ] || sed -n "s/^$1 //p" "$manifest"; }

        # A path that a manifest may name: below the kit, and of plain characters.
        is_plain() {
            case /$1/ in
            *[!A-Za-z0-9._/-]* | */../* | */./* | //*) return 1 ;;
            esac
        }

        # VERSION CKSUM SIZE MODE FILE of a part, as the manifest has it.
        part_line() { lines part | sed -n "s/^$1 //p" | sed 1q; }

        is_intact() { # CKSUM SIZE FILE
            [ -f "$kit/$3" ] && [ ! -L "$kit/$3" ] && [ "$(cksum <"$kit/$3" 2>/dev/null)" = "$1 $2" ]
        }

        missing_folders() { # PATH: what is not there on the way to it, the outermost first
            path=$1
            set --
            while [ ! -e "$path" ] && [ ! -L "$path" ]; do
                set -- "$path" "$@"
                path=${path%/*}
                path=${path:-/}
            done
            nearest=$path
            [ $# -eq 0 ] || printf '%s\n' "$@"
        }

        # MARK: Status

        status() {
            printf 'format %s\nhome %s\nfolder %s\nstate %s\n' "$format" "$HOME" "$kit" "$(state)"
            lines made | sed 's/^/made /'
            lines part | while read -r name version sum size mode file; do
                is_plain "$file" || continue
                if is_intact "$sum" "$size" "$file"; then
                    condition=intact
                elif [ -e "$kit/$file" ]; then
                    condition=changed
                else
                    condition=missing
                fi
                printf 'part %s %s %s %s %s\n' "$name" "$version" "$condition" "$size" "$file"
            done
            missing_folders "$kit" | sed 's/^/makes /'
            missing_folders "$kit" >/dev/null
            if [ -d "$nearest" ] && [ -w "$nearest" ]; then echo writable; else printf 'unwritable %s\n' "$nearest"; fi
            earlier | sed 's/^/earlier /'
            for tool in tmux dd wc tail head sed grep cksum mkdir rmdir mv rm sleep date find; do
                command -v "$tool" >/dev/null 2>&1 || printf 'lacks %s\n' "$tool"
            done
            strangers | sed 's/^/stranger /'
        }

        # The scripts that Riffs without a kit put elsewhere.
        earlier() {
            for file in "$HOME/.local/bin/riff-claude.sh" "$HOME/.local/bin/riff-worktree-remove.sh" \
                "$HOME/.local/state/riff"/riff-keeper-*.sh; do
                if [ -f "$file" ] && sed -n 2p "$file" | grep -qx '# Riff host script'; then printf '%s\n' "$file"; fi
            done
        }

        # What lies in the folder and is not Riff's; at most twenty.
        strangers() {
            case $(state) in installed | partial) ;; *) return ;; esac
            known=$newline$(lines part | sed 's/.* //')$newline
            find "$kit" ! -type d 2>/dev/null | while IFS= read -r path; do
                file=${path#"$kit/"}
                case $file in
                manifest | .manifest.* | *.new.[0-9]*) continue ;;
                run/hooks/*.jsonl | run/hooks/*.jsonl.1 | run/hooks/.line.* | run/taps/[0-9]*/* | run/answers/*) continue ;;
                esac
                case $known in
                *"$newline$file$newline"*) ;;
                *) printf '%s\n' "$file" ;;
                esac
            done | sed 20q
        }

        # MARK: One at a time. Each enters a folder, because macOS has no flock(1); who is alone in it holds the lock. Of several
        # that meet there, the first by name stays, and the others step back.

        take_lock() { # COMMAND: run where the folder of the lock is gone
            until=$(($(date +%s) + ${RIFF_LOCK_WAIT:-10}))
            until enter_lock; do
                # A removal that came before took them along.
                [ -d "${lock%/*}" ] || "$1"
                [ "$(date +%s)" -lt "$until" ] || {
                    release_lock
                    fail 24 "another Riff is at work in $kit"
                }
                sleep 0.1 2>/dev/null || sleep 1
            done
            trap release_lock EXIT
        }

        enter_lock() {
            # The folder may be gone again at any moment.
            [ -d "$lock/$me" ] || { mkdir "$lock" || :; } 2>/dev/null
            [ -d "$lock/$me" ] || mkdir "$lock/$me" 2>/dev/null || return 1
            first=''
            others=''
            for entry in "$lock"/*; do
                entry=${entry##*/}
                first=${first:-$entry}
                [ "$entry" = "$me" ] || is_left_behind "$lock" "$entry" || others=1
            done
            [ -n "$others" ] || return 0
            [ "$first" = "$me" ] || release_lock
            return 1
        }

        release_lock() {
            rmdir "$lock/$me" 2>/dev/null && rmdir "$lock" 2>/dev/null
            return 0
        }

        # A process of this host that is gone, or what is older than any installation: a process may have the number of one that
        # died, and homes are shared between hosts.
        is_gone() { # PROCESS@HOST FILE
            if [ "${1#*@}" = "${me#*@}" ] && ! kill -0 "${1%%@*}" 2>/dev/null; then return 0; fi
            [ -n "$(find "$2" -prune -mmin +5 2>/dev/null)" ]
        }

        is_left_behind() { is_gone "$2" "$1/$2" && rmdir "$1/$2" 2>/dev/null; }

        # MARK: Folders. What is made is noted before it is made, and what goes is noted before it goes: whenever a process is
        # killed, the next one knows what is Riff's.

        note_folders() { # FOLDER LINES: notes lines in a file beside what they are about
            note=$1/.riff-making.$me
            notes=${notes:-}$note$newline
            printf '%s' "$2" >>"$note" 2>/dev/null || {
                rm -f "$note"
                fail 23 "$1 cannot be written"
            }
        }

        # Notes of processes that are gone: sets `claimed` to their lines, and `stale` to the files.
        collect_notes() {
            claimed=''
            stale=''
            path=$kit
            while [ -n "$path" ]; do
                path=${path%/*}
                for entry in "$path"/.riff-making.*@*; do
                    if [ -f "$entry" ] && is_gone "${entry##*/.riff-making.}" "$entry"; then
                        claimed=$claimed$(cat "$entry")$newline
                        stale=$stale$entry$newline
                    fi
                done
            done
        }

        drop_notes() {
            printf '%s' "${notes:-}$stale" | while IFS= read -r entry; do rm -f "$entry"; done
        }

        make_folders() {
            if [ -e "$kit" ] || [ -L "$kit" ]; then
                [ -d "$kit" ] || fail 22 "$kit"
                return
            fi
            more=$(missing_folders "$kit")
            # Somebody else is quicker.
            [ -n "$more" ] || return 0
            nearest=${more%%"$newline"*}
            nearest=${nearest%/*}
            nearest=${nearest:-/}
            more=$(printf '%s\n' "$more" | sed '$d; s/^/made /')
            mine=${mine:-}${more:+$more$newline}
            { [ -d "$nearest" ] && [ -w "$nearest" ]; } || fail 23 "$nearest cannot be written"
            note_folders "$nearest" "$mine"
            mkdir -p "$kit" 2>/dev/null || {
                unmake_folders "$mine"
                rm -f "$note"
                fail 23 "$kit cannot be made"
            }
        }

        unmake_folders() { # LINES: of folders that were made; the innermost first, and only if they are empty
            printf '%s' "$1" | sed -n 's/^made //p' | sort -ru | while IFS= read -r folder; do
                case $folder in
                /*) rmdir "$folder" 2>/dev/null ;;
                esac
            done
        }

        # MARK: Installing

        write_manifest() { # PHASE
            {
                printf 'riff-kit %s %s\n' "$format" "$1"
                printf '%s' "$made$parts"
            } >"$kit/.manifest.$$" && mv -f "$kit/.manifest.$$" "$manifest"
        }

        check_state() {
            case $(state) in
            newer) fail 21 "$kit" ;;
            foreign) fail 22 "$kit" ;;
            esac
        }

        install() { # FOLDER PART...
            [ "$kit" = "$1" ] || fail 20 "$kit"
            shift
            check_state
            make_folders
            take_lock make_folders
            check_state
            [ -d "$kit" ] || make_folders
            before=$(state)
            [ -f "$manifest" ] || before=absent
            collect_notes
            made=$({
                lines made | sed 's/^/made /'
                printf '%s' "${mine:-}$claimed"
            } | grep '^made /' | sort -u)
            made=${made:+$made$newline}
            parts=$(lines part | sed 's/^/part /')
            parts=${parts:+$parts$newline}
            { write_manifest installing && mkdir -p "$kit/run/hooks" "$kit/run/taps" "$kit/run/answers"; } || give_up
            drop_notes
            for part; do install_part "$part" || give_up; done
            write_manifest installed || give_up
            find "$kit" -name '*.new.[0-9]*' -mmin +5 -exec rm -f {} \; 2>/dev/null
            release_lock
        }

        install_part() { # NAME:VERSION:MODE:FILE
            file=${1##*:}
            name=${1%%:*}
            version=${1#*:}
            mode=${version#*:}
            version=${version%%:*}
            mode=${mode%%:*}
            is_plain "$file" && is_plain "$name" || return 1
            old_version=0 old_sum='' old_size='' old_file=''
            read -r old_version old_sum old_size _ old_file <<OLD
        $(part_line "$name")
        OLD
            if [ "${old_version:-0}" -gt "$version" ]; then return 0; fi
            if [ "${old_version:-0}" -eq "$version" ] && [ "$old_file" = "$file" ] && is_intact "$old_sum" "$old_size" "$file"
            then
                return 0
            fi
            case $file in
            */*) mkdir -p "$kit/${file%/*}" || return 1 ;;
            esac
            new=$kit/$file.new.$$
            { put "$name" >"$new" && chmod "$mode" "$new"; } || {
                rm -f "$new"
                return 1
            }
            sum=$(cksum <"$new") || return 1
            # The note comes first: a file that was never put there is missing, one without a note would be somebody else's.
            parts=$(printf '%s' "$parts" | grep -v "^part $name ")
            parts="${parts:+$parts$newline}part $name $version $sum $mode $file$newline"
            write_manifest installing || return 1
            # A folder in its place would swallow it.
            if [ -d "$kit/$file" ] || ! mv -f "$new" "$kit/$file"; then
                rm -f "$new"
                return 1
            fi
            if [ -n "$old_file" ] && [ "$old_file" != "$file" ] && is_plain "$old_file"; then rm -f "$kit/$old_file"; fi
        }

        give_up() {
            # What was there before stays, with the parts that are whole; what was not is gone again.
            if [ "$before" = absent ]; then take_away >/dev/null; else write_manifest installed; fi
            fail 23 "the files could not be written into $kit"
        }

        # MARK: Removing

        take_away() {
            files=$(lines part | sed 's/.* //')
            folders=$({
                lines made | sed 's/^/made /'
                printf '%s' "${mine:-}$claimed"
            } | grep '^made /' | sort -u)
            folders=${folders:+$folders$newline}
            for file in $files; do
                is_plain "$file" && rm -f "$kit/$file"
            done
            for entry in "$kit"/run/taps/[0-9]*; do
                [ ! -d "$entry" ] || [ -L "$entry" ] || rm -rf "$entry"
            done
            rm -f "$kit"/run/hooks/*.jsonl "$kit"/run/hooks/*.jsonl.1 "$kit"/run/hooks/.line.*
            rmdir "$kit"/run/hooks/*.lock 2>/dev/null
            # A hook that waits ends: its question is answered at the agent.
            for entry in "$kit"/run/answers/*; do
                # shellcheck disable=SC2094 # It is a pipe.
                [ ! -p "$entry" ] || printf '\n' 1<>"$entry"
                [ -d "$entry" ] || rm -f "$entry"
            done
            find "$kit" -name '*.new.[0-9]*' -exec rm -f {} \; 2>/dev/null
            # What holds something of somebody else's stays.
            find "$kit" -depth -type d ! -path "$kit" -exec rmdir {} \; 2>/dev/null
            outermost=$(printf '%s' "$folders" | sed -n '1s/^made //p')
            # On a disk that is full there is no room for it.
            if [ -n "$outermost" ]; then
                (note_folders "${outermost%/*}" "$folders") 2>/dev/null
                notes=${notes:-}${outermost%/*}/.riff-making.$me$newline
            fi
            rm -f "$manifest" "$kit"/.manifest.*
            rmdir "$kit" 2>/dev/null || find "$kit" ! -type d 2>/dev/null | sed 's/^/kept /' | sed 20q
            release_lock
            unmake_folders "$folders"
            # Who waits for the lock holds the folders, and takes over what is noted.
            [ -d "$lock" ] || drop_notes
        }

        # Agents that are kept cannot be reached without the keeper.
        check_agents() {
            [ -n "$(part_line keeper)" ] || return 0
            for keeper in "$HOME/.local/state/riff/agents"/*/keeper; do
                if [ -s "$keeper" ] && kill -0 "$(cat "$keeper")" 2>/dev/null; then
                    agent=${keeper%/keeper}
                    fail 25 "${agent##*/}"
                fi
            done
        }

        remove() {
            check_state
            check_agents
            if [ "$(state)" = absent ]; then
                # What a process that was killed at the very beginning, or at the very end, has left.
                collect_notes
                for entry in "$lock"/*; do is_left_behind "$lock" "${entry##*/}"; done
                rmdir "$lock" 2>/dev/null
                unmake_folders "$claimed"
                drop_notes
                return 0
            fi
            take_lock exit
            check_state
            collect_notes
            take_away
        }

        riff_kit() {
            # A connection that is lost must not leave half of it behind.
            trap '' HUP
            trap 'exit 1' INT TERM
            find_folder
            case ${1:-} in
            status) status ;;
            install) shift && install "$@" && status ;;
            remove) remove ;;
            remove-earlier) earlier | while IFS= read -r file; do rm -f "$file"; done ;;
            *) fail 64 "usage: riff-kit.sh status | remove | remove-earlier" ;;
            esac
        }

        # Given by a client from its standard input, it is read to here before anything is done: half of it does nothing.
        riff_kit "$@"

        """#
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-claude.sh; change that.

extension HostScript {
    static let claudeText = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # riff-claude.sh [ARGUMENT...]
        #
        #   Starts claude with these arguments. Where RIFF_WORKTREE is 1, it starts in a git worktree of the session's own, on
        #   the branch riff/SESSION: made, or found again. Where that cannot be, the reason is told on standard error and claude
        #   starts in the start directory: nothing here keeps it from starting.
        #
        # riff-claude.sh --riff-remove-worktree SESSION
        #
        #   See riff-worktree-remove.sh. It is here so that one file alone knows where worktrees lie.
        #
        #   RIFF_SESSION    the session's name
        #   RIFF_START_DIR  a directory in a repository; the current one where unset
        #   RIFF_ROOT       where worktrees are kept, as ROOT/worktrees/REPOSITORY/SESSION; see root_folder where unset
        #   RIFF_LOCK_WAIT  how many seconds to wait for other sessions of the same repository; 120 where unset
        #
        # Nothing is fetched, merged, pushed or reset. A branch moves in one case: one kept from an earlier session that holds
        # nothing of its own is moved ahead to where a new one would begin.
        set -u

        say() { printf 'riff: %s\n' "$*" >&2; }

        root_folder() {
            if [ -n "${RIFF_ROOT:-}" ]; then
                printf '%s\n' "$RIFF_ROOT"
            elif [ "$(uname)" = Darwin ]; then
                printf '%s\n' "$HOME/Library/Application Support/riff"
            else
                # Relative paths are invalid there (XDG Base Directory Specification).
                case ${XDG_DATA_HOME:-} in
                /*) printf '%s\n' "$XDG_DATA_HOME/riff" ;;
                *) printf '%s\n' "$HOME/.local/share/riff" ;;
                esac
            fi
        }

        # The session's name as the name of a folder and a branch: every ASCII character but letters, digits, - and _ becomes
        # %XX, so that two names never meet and no name leads anywhere else.
        safe_name() (
            LC_ALL=C rest=$1 name=''
            while [ -n "$rest" ]; do
                tail=${rest#?}
                character=${rest%"$tail"}
                case $character in
                [A-Za-z0-9_-]) ;;
                [[:print:]] | [[:cntrl:]]) character=$(printf '%%%02X' "'$character") ;;
                esac
                name=$name$character
                rest=$tail
            done
            printf '%s\n' "$name"
        )

        # The folder that all worktrees of one repository share: what tells two repositories apart.
        common_folder() (
            CDPATH='' cd -- "$1" && folder=$(git rev-parse --git-common-dir) && CDPATH='' cd -- "$folder" && pwd -P
        )

        repository_name() {
            name=${1%/.git}
            name=${name##*/}
            name=${name%.git}
            printf '%s\n' "${name:-root}"
        }

        is_worktree_of() { [ -f "$2/.git" ] && [ "$(common_folder "$2" 2>/dev/null)" = "$1" ]; }

        is_occupied() { [ -e "$1" ] && [ -n "$(ls -A "$1")" ]; }

        # --- One at a time in each repository. The lock is a folder, because macOS has no flock(1). What makes a process its
        # holder is to be alone in it: the folder itself may be cleared away as stale right after it was made.

        take_lock() {
            lock=$1 holder=$$@$(uname -n) until=$(($(date +%s) + ${RIFF_LOCK_WAIT:-120}))
            # Where nothing can be made there is nothing to wait for.
            mkdir -p "${lock%/*}" && mkdir "$lock.$holder" && rmdir "$lock.$holder" || return 1
            until enter_lock; do
                free_stale_lock
                if [ "$(date +%s)" -ge "$until" ]; then
                    say "another session still works on this repository ($lock)"
                    return 1
                fi
                sleep 0.1 2>/dev/null || sleep 1
            done
        }

        enter_lock() {
            mkdir "$lock" 2>/dev/null || return 1
            mkdir "$lock/$holder" 2>/dev/null || return 1
            [ "$(ls "$lock")" = "$holder" ] || { release_lock; return 1; }
        }

        release_lock() { rmdir "$lock/$holder" 2>/dev/null && rmdir "$lock" 2>/dev/null; }

        # Stale is a lock whose holder is gone, or that nobody entered for a minute, or that is older than any checkout: a
        # process may have the number of one that died. Only the holder that was judged is taken away, not one that came since.
        free_stale_lock() {
            find "$lock" -prune -mmin +1 -exec rmdir {} \; 2>/dev/null
            for entry in "$lock"/*; do
                other=${entry##*/}
                if [ "${other#*@}" = "${holder#*@}" ] && ! kill -0 "${other%%@*}" 2>/dev/null; then
                    rmdir "$entry" "$lock" 2>/dev/null
                else
                    find "$entry" -prune -mmin +15 -exec rmdir {} "$lock" \; 2>/dev/null
                fi
            done
        }

        # --- Making

        # Prints the folder to start in. A process of its own, so that its traps and variables are not claude's.
        make_worktree() (
            unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR
            [ -n "${RIFF_SESSION:-}" ] || { say "RIFF_SESSION is not set"; return 1; }
            CDPATH='' cd -- "$1" || return 1
            common=$(common_folder .) && below=$(git rev-parse --show-prefix) || return 1
            root=$(root_folder) && mkdir -p "$root/worktrees" && root=$(CDPATH='' cd -- "$root" && pwd -P) || return 1
            repository=$(repository_name "$common")
            session=$(safe_name "$RIFF_SESSION")
            tree=$root/worktrees/$repository/$session

            trap 'exit 1' HUP INT TERM
            trap release_lock EXIT
            take_lock "$root/locks/$repository" || return 1
            prune_leftovers "$root"
            # Another repository of the same name left something there.
            if is_occupied "$tree" && ! is_worktree_of "$common" "$tree"; then
                number=$(printf '%s' "$common" | cksum)
                tree=$root/worktrees/$repository-${number%% *}/$session
            fi
            # A failing hook makes git fail although all is there: what counts is what is there.
            is_worktree_of "$common" "$tree" || add_worktree "$tree" "riff/$session" >&2 || is_worktree_of "$common" "$tree" ||
                return 1
            if [ -d "$tree/$below" ]; then tree=$tree/$below; fi
            printf '%s\n' "$tree"
        )

        add_worktree() {
            # Where origin's default branch was at the last fetch, else where the start directory is.
            base=$(git rev-parse --verify --quiet 'refs/remotes/origin/HEAD^{commit}') ||
                base=$(git rev-parse --verify --quiet 'HEAD^{commit}') ||
                { say "the repository has no commit to begin from"; return 1; }
            if tip=$(git rev-parse --verify --quiet "refs/heads/$2^{commit}"); then
                if git merge-base --is-ancestor "$tip" "$base"; then git branch --force --no-track "$2" "$base"; fi
                git worktree add "$1" "$2"
            else
                git worktree add --no-track -b "$2" "$1" "$base"
            fi
        }

        # What git still remembers of worktrees of ours whose folders are gone; those of others are theirs.
        prune_leftovers() {
            git worktree list --porcelain | while IFS= read -r line; do
                case $line in "worktree $1/worktrees/"*) ;; *) continue ;; esac
                [ -e "${line#worktree }" ] || git worktree remove --force "${line#worktree }" >&2
            done
        }

        # --- Removing

        # Prints one line for each worktree of the session: removed, or kept and why. Ends with 3 where one was kept.
        remove_worktrees() (
            unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR
            session=$(safe_name "$1")
            root=$(root_folder) && root=$(CDPATH='' cd -- "$root" 2>/dev/null && pwd -P) || return 0
            status=0
            for tree in "$root/worktrees"/*/"$session" "$root/worktrees"/.[!.]*/"$session"; do
                [ -d "$tree" ] || continue
                if reason=$(remove_worktree "$root" "$tree" 2>&1); then
                    printf 'removed %s\n' "$tree"
                    rmdir "${tree%/*}" 2>/dev/null
                else
                    printf 'kept %s: %s\n' "$tree" "$(printf '%s' "$reason" | tr '\n' ' ')"
                    status=3
                fi
            done
            return $status
        )

        # Never by force: git keeps a worktree with changes or files that no commit has, and so do commits that no branch has.
        remove_worktree() (
            if ! is_occupied "$2"; then
                rmdir "$2"
                return
            fi
            if ! [ -f "$2/.git" ] || ! common=$(common_folder "$2"); then
                say "no worktree of a repository that is there"
                return 1
            fi
            CDPATH='' cd -- "$common" || return 1
            trap 'exit 1' INT TERM
            trap release_lock EXIT
            take_lock "$1/locks/$(repository_name "$common")" || return 1
            if ! git -C "$2" symbolic-ref --quiet HEAD >/dev/null &&
                [ -z "$(git -C "$2" for-each-ref --count=1 --contains HEAD)" ]; then
                say "commits that are on no branch"
                return 1
            fi
            # A person's settings may hide files that are not tracked.
            git -c status.showUntrackedFiles=normal worktree remove "$2" && prune_leftovers "$1"
        )

        if [ "${1:-}" = --riff-remove-worktree ]; then
            [ -n "${2:-}" ] || { say "usage: riff-worktree-remove.sh SESSION"; exit 64; }
            # A connection that is lost must not leave half a folder behind.
            trap '' HUP
            remove_worktrees "$2"
            exit
        fi
        if [ "${RIFF_WORKTREE:-}" = 1 ]; then
            start=${RIFF_START_DIR:-$PWD}
            folder=$(make_worktree "$start") || { say "no worktree for this session; starting in $start"; folder=$start; }
            CDPATH='' cd -- "$folder" || say "starting in $PWD"
        fi
        exec claude "$@"

        """#
}

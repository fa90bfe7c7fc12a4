// Riff
// SPDX-License-Identifier: Apache-2.0

extension ServerSupervisor {
    /// Starts a server, obeys one-word orders from its standard input, and at its end (also the end of the process that
    /// holds the other side of that pipe, however it died) kills the server with all its sessions and removes the
    /// folder. It is POSIX sh; everything it says goes to standard error, where the server's log goes too.
    ///
    /// Arguments: the private folder, then the server's command.
    ///
    /// Killing is done in two steps because a session forks while it is looked at: first everything is stopped, until
    /// a look finds nobody new; then all are killed. Processes that a session sent into the background lost their
    /// parent; they are known by the environment variable that the server gives to every session (Linux only).
    package static let script = #"""
        folder=$1
        shift
        server=

        parents() {
            if [ -r /proc/self/status ]; then
                grep -s '^PPid:' /proc/[0-9]*/status | sed 's|^/proc/\([0-9]*\)/status:PPid:[^0-9]*|\1 |'
            else
                ps -A -o pid= -o ppid=
            fi
        }

        family() {
            parents | awk -v root="$1" '
                { parent[$1] = $2 }
                END {
                    for (pid in parent) {
                        for (up = pid; up in parent && up != root && up > 1; up = parent[up]) {}
                        if (up == root) print pid
                    }
                }' | sort -n
        }

        start() {
            ( "$@" </dev/null >&2; echo "riff: server ended with status $?" >&2 ) &
            server=$!
            echo "riff: started" >&2
        }

        halt() {
            if [ -n "$server" ]; then
                members=$server
                while kill -STOP $members 2>/dev/null; found=$(family "$server"); [ "$found" != "$members" ]; do
                    members=$found
                done
                for pid in $members; do
                    [ "$pid" = "$server" ] || kill -KILL "$pid" 2>/dev/null
                done
                # It ends when the server has ended: until then the server listens, killed or not.
                kill -CONT "$server" 2>/dev/null
                wait "$server" 2>/dev/null
                server=
            fi
            echo "riff: halted" >&2
        }

        end() {
            halt
            for file in $(grep -ls "RIFF_THROWAWAY_SERVER=$folder" /proc/[0-9]*/environ 2>/dev/null); do
                pid=${file#/proc/}
                kill -KILL "${pid%/environ}" 2>/dev/null
            done
            rm -rf "$folder"
        }

        # The account database of this mount namespace alone; see ThrowawayDropbear and the password of ThrowawaySSHServer.
        if [ -f "$folder/passwd" ]; then mount --bind "$folder/passwd" /etc/passwd || exit 1; fi
        if [ -f "$folder/shadow" ]; then mount --bind "$folder/shadow" /etc/shadow || exit 1; fi
        if [ -f "$folder/pam" ]; then mount --bind "$folder/pam" /etc/pam.d/sshd || exit 1; fi
        if [ -f "$folder/mounts" ]; then sh "$folder/mounts" || exit 1; fi
        trap '' INT HUP PIPE
        start "$@"
        while read -r order; do
            case $order in
                start) start "$@" ;;
                halt) halt ;;
            esac
        done
        end
        """#
}

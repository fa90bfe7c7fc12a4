// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/embed-host-scripts from Scripts/riff-worktree-remove.sh; change that.

extension HostScript {
    static let worktreeRemoveText = #"""
        #!/bin/sh
        # Riff host script
        # SPDX-License-Identifier: Apache-2.0
        #
        # riff-worktree-remove.sh SESSION
        #
        #   Removes the git worktree that riff-claude.sh, which lies beside it, made for a session. The branch riff/SESSION
        #   stays, and so does a worktree with work that no commit has: it prints `removed FOLDER` or `kept FOLDER: REASON` for
        #   each, nothing where there is none, and ends with 3 where one was kept.
        #
        #   RIFF_ROOT  where worktrees are kept, as for riff-claude.sh
        exec "$(dirname "$0")/riff-claude.sh" --riff-remove-worktree "${1:-}"

        """#
}

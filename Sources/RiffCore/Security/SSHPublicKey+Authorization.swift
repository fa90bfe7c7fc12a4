// Riff
// SPDX-License-Identifier: Apache-2.0

extension SSHPublicKey {
    /// One line for a shell on the host that authorizes this key for the account it runs in.
    ///
    /// It makes `~/.ssh` (0700) and `authorized_keys` (0600), ends a last line that lacks its newline, and appends the
    /// key unless it is there already (a line that is commented out does not count). Running it again changes
    /// nothing. The line means the same to sh, dash, bash, zsh, fish and csh, because they only see two quoted
    /// words without anything that any of them would interpret, and the work is done by `sh`.
    ///
    /// Characters of the comment that a shell could interpret are replaced by `_`.
    public var authorizeCommand: String {
        // No quote, backslash or exclamation mark may stand in here: fish reads backslashes and csh reads
        // exclamation marks inside single quotes.
        let script = [
            "umask 077",
            "mkdir -p ~/.ssh && chmod 700 ~/.ssh && cd ~/.ssh && touch authorized_keys && chmod 600 authorized_keys || exit 1",
            "grep -v \"^[[:space:]]*#\" authorized_keys | grep -qF \"$1\" && exit 0",
            "[ -z \"$(tail -c 1 authorized_keys)\" ] || echo >> authorized_keys || exit 1",
            "echo \"$1$2\" >> authorized_keys",
        ]
        let words = [script.joined(separator: "; "), "sh", keyFields, plainComment.isEmpty ? "" : " \(plainComment)"]
        return "sh -c " + words.map { "'\($0)'" }.joined(separator: " ")
    }

    /// The comment in characters that no shell interprets, inside quotes or out.
    private var plainComment: String {
        String(
            comment.unicodeScalars.map { scalar -> Character in
                let isPlain =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789 @.,:_+=/-".unicodeScalars.contains(scalar))
                return isPlain ? Character(scalar) : "_"
            }
        )
    }
}

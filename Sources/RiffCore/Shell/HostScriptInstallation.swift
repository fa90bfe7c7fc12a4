// Riff
// SPDX-License-Identifier: Apache-2.0

/// Puts the scripts of this library on a host, into `~/.local/bin`.
///
/// Run ``line`` as a ``ManagementCommand``; doing so again changes nothing, and after an update of this library it puts
/// the new ones there. A file of the same name that is somebody's own is never replaced, and then nothing is.
package enum HostScriptInstallation {
    /// The line for `sh`.
    ///
    /// - Throws: ``CoreError`` with `nulInArgument`; none of the scripts has one.
    package static var line: String {
        get throws(CoreError) {
            try ShellQuoting.join(["sh", "-c", installer, "riff"] + HostScript.all.flatMap { [$0.name, $0.text] })
        }
    }

    /// Whether it worked.
    ///
    /// - Parameters:
    ///   - status: The line's status.
    ///   - diagnostics: What it wrote to standard error.
    ///   - host: The host's name, for the message.
    /// - Throws: ``CoreError`` with `hostScriptForeign` where a file is somebody's own, and `hostScriptNotInstalled`
    ///   where it could not be written.
    package static func check(status: Int, diagnostics: String, host: String) throws(CoreError) {
        guard status != 0 else { return }
        let words = InertText.line(String(diagnostics.prefix(500)))
        guard status == foreignStatus else {
            let message = "The scripts for worktrees could not be put into ~/.local/bin on \(host): \(words)"
            throw CoreError(.hostScriptNotInstalled, message, recovery: .retry)
        }
        throw CoreError(
            .hostScriptForeign,
            "On \(host) there is a script that did not come with Riff: \(words). Move it away, then install again."
        )
    }

    private static let foreignStatus = 3

    /// Each file is replaced in one step: a session that starts meanwhile runs the old one or the new one.
    private static let installer = #"""
        cd && mkdir -p .local/bin && cd .local/bin || exit 1
        is_foreign() { test -e "$1" && ! sed -n 2p "$1" | grep -qx "# Riff host script"; }
        for name in "$1" "$3"; do
        if is_foreign "$name"; then echo "$PWD/$name" >&2; exit \#(foreignStatus); fi
        done
        while test $# -gt 1; do
        { printf %s "$2" >".$1.$$" && chmod 755 ".$1.$$" && mv -f ".$1.$$" "$1"; } || { rm -f ".$1.$$"; exit 1; }
        shift 2
        done
        """#
}

extension CoreErrorCode {
    /// A file on the host has the name of a script of this library, and is another one.
    public static let hostScriptForeign = CoreError.Code(rawValue: "hostScriptForeign")
    /// A script could not be put on the host.
    public static let hostScriptNotInstalled = CoreError.Code(rawValue: "hostScriptNotInstalled")
}

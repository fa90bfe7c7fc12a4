// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import Testing

/// One way in which people have a host set up, and what becomes of the main job on it.
struct HostSetup: Sendable, CustomTestStringConvertible {
    /// The account's home folder.
    enum Home: Sendable { case plain, missing, readOnly, full, link }

    enum Outcome: Sendable {
        /// The main job is done. The preflight warns with these words, or not at all where there are none.
        case works(warning: [String] = [])
        /// The preflight says the first words, or nothing where there are none; the page does not open, for a reason
        /// with the second ones.
        case says(preflight: [String], page: [String])
    }

    let name: String
    /// The person's `~/.tmux.conf`.
    var tmux = ""
    /// The login shell.
    var shell = "bash"
    /// The login shell as a script of this name, in place of ``shell``.
    var ownShell: String?
    /// Files of the home folder. In them and in ``variables`` `@HOME@` stands for its path.
    var files: [String: String] = [:]
    var home = Home.plain
    /// What sshd sets for every session.
    var variables: [String: String] = [:]
    /// The programs of a folder `bin` in the home folder.
    var programs: [String] = []
    var server: @Sendable (inout ThrowawaySSHServer.Options) -> Void = { _ in }
    /// Whether a page that does not work is open for a moment, until the host was asked for its sessions.
    var opensFirst = false
    var outcome = Outcome.works()

    var testDescription: String { name }

    /// Whether it needs a file system of its own.
    var needsMount: Bool { home == .readOnly || home == .full }

    static let all = tmuxConfigurations + shells + homesAndLocales + servers

    static func named(_ name: String) -> HostSetup? { all.first { $0.name == name } }
}

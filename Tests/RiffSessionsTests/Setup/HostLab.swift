// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport

/// A throwaway server whose account has a home folder, a login shell and a profile of the test's choice.
struct HostLab {
    let lab: SSHLab
    let home: String
    let tmux: TmuxServer

    /// A login shell and what its profile says.
    struct Account: Sendable {
        var shell = "/bin/bash"
        var profile = ""
        /// The login shell as a script of its own, of this name, in place of ``shell``.
        var ownShell: (name: String, script: String)?
        /// What `HOME` is, where it is not the folder of the profile.
        var home: String?
        /// Programs of the account's own `bin`, by name, as shell scripts; `nil` keeps the system's PATH. The system's
        /// shell is always there.
        var bin: [String: String]?

        /// Where the shell looks for its profile.
        var profilePath: String {
            switch shell.split(separator: "/").last {
            case "zsh": ".zprofile"
            case "fish": ".config/fish/config.fish"
            case "csh", "tcsh": ".login"
            case "bash": ".bash_profile"
            default: ".profile"
            }
        }
    }

    static func with(
        _ account: Account = Account(),
        options: ThrowawaySSHServer.Options = .init(),
        _ body: (HostLab) async throws -> Void
    ) async throws {
        let home = "/tmp/riff-home-\(UInt32.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: home) }  // Cleanup.
        try await write(account, to: home)
        var options = options
        options.shell = account.shell
        if let own = account.ownShell {
            options.shell = "\(home)/\(own.name)"
            try await SystemProgram.writeScript(own.script, to: "\(home)/\(own.name)")
        }
        options.variables["HOME"] = account.home ?? home
        options.extraLines = ["AuthorizedKeysFile \(home)/.ssh/authorized_keys"]
        try await TmuxSocketFolder.with { socket in
            try await SSHLab.with(options) { lab in
                try await body(HostLab(lab: lab, home: home, tmux: TmuxServer(.path(socket))))
            }
        }
    }

    /// Runs a command that a person would run on the host, in the account's home and by its shell.
    func runOnHost(_ command: String, shell: String = "/bin/bash") async throws -> Int32 {
        try await SystemProgram.run("env", ["HOME=\(home)", shell, "-c", command]).status
    }

    /// Lets the lab's key in.
    func authorize() async throws {
        guard let command = lab.key.publicKey?.authorizeCommand, try await runOnHost(command) == 0 else {
            throw TestingError(.programFailed, "The key could not be authorized.")
        }
    }

    func host(_ configuration: SSHHost.Configuration? = nil) throws -> SSHHost {
        var configuration = try configuration ?? lab.configuration()
        // The machine that runs the tests may be busy.
        configuration.probeTimeout = .seconds(30)
        return lab.host(configuration)
    }

    private static func write(_ account: Account, to home: String) async throws {
        let profile = URL(fileURLWithPath: "\(home)/\(account.profilePath)")
        let folders = [profile.deletingLastPathComponent().path, "\(home)/.ssh", "\(home)/bin"]
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let path = account.bin == nil ? "" : "PATH=\(home)/bin; export PATH\n"
        try (path + account.profile + "\n").write(to: profile, atomically: true, encoding: .utf8)
        guard var programs = account.bin else { return }
        for name in ["sh", "bash", "sleep"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(home)/bin/\(name)",
                withDestinationPath: "/bin/\(name)"
            )
            programs[name] = nil
        }
        for (name, script) in programs {
            // Written by a child: a file this process still has open for writing cannot be run by another.
            let line = "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$0\" && chmod 755 \"$0\""
            _ = try await SystemProgram.run("sh", ["-c", line, "\(home)/bin/\(name)", script])
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport

/// Step 1: everything throw-away that the demo needs around itself: a host with its own sshd, home and tmux socket, and
/// a network towards it that can be cut.
@MainActor
final class Site {
    /// What a person's device has: a key, made here and kept nowhere, and the pinned host keys.
    let key = SSHPrivateKey.makeEd25519(comment: "riff demo")
    private(set) var home = ""
    private var folder: String?
    private var openServer: ThrowawaySSHServer?
    private var openProxy: ChaosProxy?
    private var closing: [@Sendable () async -> Void] = []
    private let accountBefore = Site.accountFile()

    /// The host's sshd.
    var server: ThrowawaySSHServer { get throws { try Self.there(openServer) } }
    /// The network to it.
    var proxy: ChaosProxy { get throws { try Self.there(openProxy) } }
    /// The host's tmux server, with a socket of its own.
    var tmux: TmuxServer { TmuxServer(.path("\(home)/tmux")) }
    /// This machine with the throw-away home: where the person sits in front of the host itself.
    var console: LocalHostSession {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return LocalHostSession(shell: "/bin/sh", homeDirectory: home, environment: ["HOME": home, "PATH": path])
    }

    /// Starts it all. What was started before a failure is ended by ``close()``.
    func open() async throws -> (Void, String) {
        let folder = try Self.makeFolder()
        self.folder = folder
        home = "\(folder)/home"
        try FileManager.default.createDirectory(
            atPath: home,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        var options = ThrowawaySSHServer.Options()
        options.variables = Agent.variables().merging(["HOME": home]) { $1 }
        options.extraLines = ["AuthorizedKeysFile \(home)/.ssh/authorized_keys", "PermitUserRC no"]
        let server = try await ThrowawaySSHServer.start(options)
        openServer = server
        let proxy = try await ChaosProxy.start(target: server.port)
        openProxy = proxy
        let line = try await server.waitForLog(containing: "Server listening on 127.0.0.1 port \(server.port)")
        try check(!line.isEmpty, "sshd said nothing.")
        let hostKey = try SSHPublicKey(line: server.hostPublicKeyLine)
        let fact =
            "a throw-away sshd listens on port \(server.port), reached through port \(proxy.port), with its own "
            + "\(hostKey.algorithm) host key, home and tmux socket"
        return ((), fact)
    }

    /// Ends what a step started, at the end of the demo; the last one first.
    func atEnd(_ body: @escaping @Sendable () async -> Void) { closing.append(body) }

    /// Ends everything and removes every file. Returns when that is done.
    func close() async {
        for body in closing.reversed() { await body() }
        await openProxy?.stop()
        if folder != nil, let line = try? TmuxCommand(tmux.socket, ["kill-server"]).line() {
            // No tmux server is what was wanted.
            _ = try? await console.run(line, timeout: .seconds(10))
        }
        await openServer?.stop()
        // A folder that cannot be removed is found by scripts/demo, which removes the one around it.
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Fails where the account's own authorized_keys is not as it was at the start.
    func checkAccountIsUntouched() throws {
        try check(Self.accountFile() == accountBefore, "The account's own authorized_keys has changed.")
    }

    private static func accountFile() -> Data? {
        let home = FileManager.default.homeDirectoryForCurrentUser
        // Most accounts of demonstration machines have none.
        return try? Data(contentsOf: home.appending(path: ".ssh/authorized_keys"))
    }

    /// A short path, since a Unix socket's has room for about a hundred bytes.
    private static func makeFolder() throws -> String {
        let base = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        var template = Array("\(base)\(base.hasSuffix("/") ? "" : "/")demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("No folder can be made in \(base).") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func there<Part>(_ part: Part?) throws -> Part {
        guard let part else { throw Failure("The throw-away host is not there.") }
        return part
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A real tmux server of a test's own on this machine; it ends with the test.
struct TmuxBench: Sendable {
    let socket: String
    var server: TmuxServer { TmuxServer(.path(socket)) }

    static var isInstalled: Bool { SystemProgram.path("tmux") != nil }

    static func with(_ body: (TmuxBench) async throws -> Void) async throws {
        try await TmuxSocketFolder.with { try await body(TmuxBench(socket: $0)) }
    }

    /// Asks the server, without any configuration; a failure fails the test.
    @discardableResult
    func ask(_ arguments: String...) async throws -> String {
        let (status, output) = try await tell(arguments)
        #expect(status == 0, "\(arguments): \(output)")
        return output
    }

    /// As `ask`, where a failure is an answer too.
    func tell(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let (status, output) = try await SystemProgram.run("tmux", ["-u", "-f", "/dev/null", "-S", socket] + arguments)
        return (status, output.trimmingCharacters(in: .newlines))
    }

    /// Makes a session that only waits.
    func makeSession(_ name: String) async throws {
        try await ask("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "sleep 1000")
    }
}

/// This machine as the host of a watcher, always up.
struct LocalWatchLink: TmuxWatchLink {
    let session: LocalHostSession

    /// - Parameter loginShell: The account's shell.
    init(loginShell: String = "/bin/sh") {
        let environment = ["HOME": "/", "SHELL": loginShell, "PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"]
        session = LocalHostSession(shell: "/bin/sh", homeDirectory: "/", environment: environment)
    }

    func follow(_ tell: @Sendable (Bool) async -> Void) async { await tell(true) }

    func openChannel(_ line: String) async throws -> any ByteChannel { try await session.openChannel(line) }
}

extension TmuxWatching {
    /// Waits for a state; the suite's time limit ends it.
    @discardableResult
    func wait(for isMeant: (TmuxServerState) -> Bool) async throws -> TmuxServerState {
        for await state in updates() where isMeant(state) { return state }
        throw CancellationError()
    }

    /// Waits until the server tells these sessions.
    @discardableResult
    func wait(forSessions names: [String]) async throws -> TmuxServerState {
        try await wait { $0.isLive && $0.sessions.map(\.name.rawValue) == names }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample: host: any TerminalHost
/// The rules of `TerminalHost` that are not those of its terminals, commands and files, as checks that any
/// implementation can run. ``TerminalTransportConformance`` (with ``TerminalHost/makeTerminal(_:)``) and
/// ``HostSessionConformance`` check the rest.
///
/// ```swift
/// try await TerminalHostConformance(host).runAll()
/// ```
public struct TerminalHostConformance: Sendable {
    let host: any TerminalHost
    let deadline: Duration

    /// Creates a suite for a host that can be reached.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - deadline: The most time that one check may take; a longer one is a failure.
    public init(_ host: any TerminalHost, deadline: Duration = .seconds(60)) {
        self.host = host
        self.deadline = deadline
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<TerminalHostConformance>] = [
        .init("hasAName") { try await $0.hasAName() },
        .init("connectsForATerminal") { try await $0.connectsForATerminal() },
        .init("tellsItsStateAtOnce") { try await $0.tellsItsStateAtOnce() },
        .init("opensNothingBeforeConnect") { try await $0.opensNothingBeforeConnect() },
        .init("passesCommandLinesAsTheyAre") { try await $0.passesCommandLinesAsTheyAre() },
        .init("keepsTerminalsApart") { try await $0.keepsTerminalsApart() },
        .init("runsCommandsBesideATerminal") { try await $0.runsCommandsBesideATerminal() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    private func hasAName() async throws {
        try expect(!host.name.isEmpty && InertText.line(host.name) == host.name, "its name is \"\(host.name)\"")
    }

    private func connectsForATerminal() async throws {
        try await with("stty -echo; echo ready; exec cat") { _, reader in
            _ = try await reader.read(through: "ready")
            let state = host.current.connection
            try expect(state == .connected, "with a terminal open its state is \(state), and not connected")
        }
    }

    private func tellsItsStateAtOnce() async throws {
        try await bounded(#function, by: deadline) {
            for reader in 1...2 {
                var states = host.updates().makeAsyncIterator()
                let first = await states.next()?.connection
                try expect(first != nil, "updates() ended at once for reader \(reader)")
            }
        }
    }

    private func opensNothingBeforeConnect() async throws {
        try await bounded(#function, by: deadline) {
            let terminal = host.makeTerminal("echo never")
            await terminal.disconnect()
            let closure = await terminal.closure()
            try expect(
                closure.reason == .disconnected,
                "a terminal that was never connected ended as \(closure.reason.rawValue)"
            )
        }
    }

    private func passesCommandLinesAsTheyAre() async throws {
        let odd = #"a  b'c"d$HOME\e;|&*?~é 名"#
        try await with("printf '%s' \(try ShellQuoting.quote(odd)); echo; echo end; exec cat") { _, reader in
            let drawn = String(decoding: try await reader.read(through: "end"), as: UTF8.self)
            try expect(drawn.contains(odd), "of the argument \(odd) the program was given \(drawn.debugDescription)")
        }
    }

    private func keepsTerminalsApart() async throws {
        try await with("stty -echo; echo ready; exec cat") { first, reader in
            _ = try await reader.read(through: "ready")
            let second = host.makeTerminal("stty -echo; echo ready; exec cat")
            try await second.connect(size: .standard)
            var others = TerminalReader(second.output)
            _ = try await others.read(through: "ready")
            try await second.write(Array("second\r".utf8))
            _ = try await others.read(through: "second")
            await second.disconnect()
            try await first.write(Array("first\r".utf8))
            let drawn = String(decoding: try await reader.read(through: "first"), as: UTF8.self)
            try expect(
                !drawn.contains("second"),
                "one terminal drew what was typed into another: \(drawn.debugDescription)"
            )
        }
    }

    private func runsCommandsBesideATerminal() async throws {
        try await with("stty -echo; echo ready; exec cat") { terminal, reader in
            _ = try await reader.read(through: "ready")
            let result = try await host.run("echo beside")
            try expect(result.text == "beside\n", "a command beside a terminal wrote \(result.text.debugDescription)")
            try await terminal.write(Array("still\r".utf8))
            _ = try await reader.read(through: "still")
        }
    }

    private func with(
        _ command: String,
        named name: String = #function,
        _ body: @escaping @Sendable (any TerminalTransport, inout TerminalReader) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) {
            let terminal = host.makeTerminal(command)
            do {
                try await terminal.connect(size: .standard)
                var reader = TerminalReader(terminal.output)
                try await body(terminal, &reader)
            } catch {
                await terminal.disconnect()
                throw error
            }
            await terminal.disconnect()
        }
    }
}

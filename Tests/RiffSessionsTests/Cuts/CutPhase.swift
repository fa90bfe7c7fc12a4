// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

/// What a connection is busy with when it is cut.
enum CutPhase: UInt64, CaseIterable, Sendable, CustomStringConvertible, CustomTestStringConvertible {
    case banner, keyExchange, authentication, channelOpen, terminal, command, fileTransfer

    var index: UInt64 { rawValue }

    /// Whether the connection is still being made.
    var isDial: Bool { rawValue <= CutPhase.authentication.rawValue }

    var description: String {
        switch self {
        case .banner: "the banner"
        case .keyExchange: "the key exchange"
        case .authentication: "authentication"
        case .channelOpen: "opening channels"
        case .terminal: "a terminal's stream"
        case .command: "a command's stream"
        case .fileTransfer: "a file transfer"
        }
    }

    var testDescription: String { description }

    /// Something done on a connection: it either ends as it should, or throws why it could not.
    typealias Work = @Sendable () async throws -> Void

    /// What is done at the same time on a connection that stands; terminals are made of the link and kept by the
    /// caller.
    func work(on host: SSHHost, folder: String, terminals: inout [SSHTerminal]) -> [(name: String, run: Work)] {
        switch self {
        case .banner, .keyExchange, .authentication: return []
        case .channelOpen:
            let terminal = SSHTerminal("exit 4", on: host.link)
            terminals.append(terminal)
            var work: [(name: String, run: Work)] = [("a terminal", { try await Self.ends(terminal) })]
            for number in 0..<4 { work.append(("command \(number)", { try await Self.exits(host) })) }
            return work
        case .terminal:
            let terminal = SSHTerminal(Self.streaming, on: host.link)
            terminals.append(terminal)
            return [("the terminal", { try await Self.streams(terminal) })]
        case .command: return [("the command", { try await Self.pipes(host) })]
        case .fileTransfer: return [("the transfer", { try await Self.transfers(host, folder) })]
        }
    }

    // MARK: Work

    static let fileBytes = 96 << 10
    private static let block = (0..<fileBytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private static func exits(_ host: SSHHost) async throws {
        for status: Int32 in [3, 5] {
            let result = try await host.files.run("exit \(status)", timeout: .seconds(50))
            #expect(result.exit == .exited(status))
        }
    }

    private static func ends(_ terminal: SSHTerminal) async throws {
        try await terminal.connect(size: .standard)
        let closure = await terminal.closure()
        guard closure.reason == .exited else { throw loss(closure) }
        #expect(closure.exit == .exited(4))
    }

    private static func loss(_ closure: TerminalClosure) -> any Error {
        if let error = closure.error { return error }
        return CancellationError()
    }

    /// Takes 96 KiB of keys while it draws 128 KiB, then ends.
    private static let streaming =
        "exec sh -c 'stty raw -echo; exec 3<&0; echo READY; head -c 98304 <&3 | cksum & head -c 131072 /dev/zero; "
        + "wait; exit 6'"

    private static func streams(_ terminal: SSHTerminal) async throws {
        try await terminal.connect(size: .standard)
        var iterator = terminal.output.makeAsyncIterator()
        var count = 0
        // No key before the terminal is raw: some would end the program.
        while count < 5, let bytes = await iterator.next() { count += bytes.count }
        async let typing: Void = types(on: terminal)
        while let bytes = await iterator.next() { count += bytes.count }
        let closure = await terminal.closure()
        let failure: (any Error)?
        do {
            try await typing
            failure = nil
        } catch { failure = error }
        guard closure.reason == .exited else { throw failure ?? loss(closure) }
        #expect(failure == nil && closure.exit == .exited(6) && count > 131_072)
    }

    private static func types(on terminal: SSHTerminal) async throws {
        for start in stride(from: 0, to: block.count, by: 8 << 10) {
            try await terminal.write(Array(block[start..<start + 8 << 10]))
            try await terminal.resize(to: TerminalSize(columns: 80 + start >> 13, rows: 24))
        }
    }

    private static func pipes(_ host: SSHHost) async throws {
        let result = try await host.files.run(
            "exec cat",
            input: block,
            outputLimit: 1 << 20,
            timeout: .seconds(50)
        )
        #expect(result.output == block)
    }

    private static func transfers(_ host: SSHHost, _ folder: String) async throws {
        let path = "\(folder)/\(UInt64.random(in: 0 ... .max))"
        try await host.files.write(block, to: path, permissions: nil)
        #expect(try await host.files.read(path, from: 0, count: block.count * 2) == block)
        #expect(try await host.files.status(of: path)?.sizeBytes == UInt64(block.count))
        try await host.files.remove(path)
    }
}

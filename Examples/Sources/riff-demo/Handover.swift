// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffSessions
import RiffTransport

/// Hands the person's terminal to the session until Ctrl-] or the session's end.
@MainActor
enum Handover {
    /// Ctrl-], as telnet and others leave by it.
    private nonisolated static let leaving: UInt8 = 0x1D

    static func run(_ desk: Desk, _ site: Site) async throws {
        // A terminal of another size attaches anew, and tmux draws everything for it.
        await desk.session.close()
        let terminal = try PersonsTerminal(isOnOtherScreen: false)
        defer { terminal.restore() }
        let session = try await desk.host.session(desk.name.rawValue, size: terminal.size, server: site.tmux)
        do {
            try await pass(session, terminal)
        } catch {
            await session.close()
            throw error
        }
        await session.close()
    }

    private static func pass(_ session: TerminalSession, _ terminal: PersonsTerminal) async throws {
        let resizes = Signals.stream([SIGWINCH])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await bytes in session.output { await terminal.handOver(Array(bytes)) } }
            group.addTask { try await send(terminal.typed(), to: session) }
            group.addTask {
                for await _ in resizes { try await session.resize(to: terminal.size) }
                try Task.checkCancellation()
            }
            // The first to end, the session or the person, ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Until Ctrl-], or the end of standard input.
    private nonisolated static func send(_ typed: AsyncStream<[UInt8]>, to session: TerminalSession) async throws {
        for await keys in typed {
            let end = keys.firstIndex(of: leaving)
            let bytes = Array(keys[..<(end ?? keys.endIndex)])
            do {
                if !bytes.isEmpty { try await session.write(bytes) }
            } catch let error as TransportError where error.code == .notConnected {
                // The person sees the state of the network by what is not drawn; keys into nothing are not kept.
            }
            if end != nil { return }
        }
    }
}

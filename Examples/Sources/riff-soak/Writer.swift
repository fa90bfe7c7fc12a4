// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// Somebody who types, pastes, dictates and scrolls in one session, and now and then thinks better of it.
struct Writer: Sendable {
    let session: RecordedSession
    let manager: SessionManager
    var generator: SeededGenerator

    /// Goes on until the time is over.
    mutating func run(until end: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < end, !Task.isCancelled {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &generator)))
            guard await session.isInUse, let name = await session.name,
                let terminal = manager.current.page(name)?.terminal
            else { continue }
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<10:
                try await ignoringRefusals { try await terminal.scroll(Int.random(in: -8...8, using: &generator)) }
            case 10..<12: try await ignoringRefusals { try await terminal.leaveModes() }
            default:
                let input = Input.random(await session.nextNumber(), &generator)
                await session.note(input, try await give(input, to: terminal))
            }
        }
    }

    private mutating func give(_ input: Input, to terminal: TerminalSession) async throws -> InputRecord.Answer {
        guard Int.random(in: 0..<30, using: &generator) == 0 else { return try await Self.give(input, to: terminal) }
        // Thinks better of it.
        let giving = Task { try await Self.give(input, to: terminal) }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &generator)))
        giving.cancel()
        return try await giving.value
    }

    static func give(_ input: Input, to terminal: TerminalSession) async throws -> InputRecord.Answer {
        do {
            switch input.kind {
            case .keys(let bytes): try await terminal.write(bytes)
            case .text(let text, let submit): try await terminal.type(text, submit: submit)
            case .paste(let text): try await terminal.paste(text)
            }
            return .taken
        } catch let error as TransportError where [.inputUncertain, .textNotSubmitted].contains(error.code) {
            // Of a text without its Return a part arrives.
            return .uncertain
        } catch let error as TransportError where [.notConnected, .closed, .inputNotDelivered].contains(error.code) {
            return .refused
        } catch is CancellationError {
            // Keys are taken whole or not at all; a text may have gone before its task was cancelled.
            if case .keys = input.kind { return .refused }
            return .uncertain
        }
    }

    private func ignoringRefusals(_ body: () async throws -> Void) async throws {
        do { try await body() } catch is TransportError {
            // Nothing arrives of these in any case.
        }
    }
}

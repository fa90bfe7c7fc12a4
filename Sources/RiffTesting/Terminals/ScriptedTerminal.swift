// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

/// A terminal that plays a script: what must be written, and what it answers.
///
/// A write that is not what the script expects next throws `ScriptFailure` and ends the terminal as lost; so a test
/// that goes wrong fails where it does, and ``verify()`` at its end fails where something is left.
public final class ScriptedTerminal: TerminalTransport {
    /// One step of a script.
    public enum Step: Sendable, Hashable {
        /// These bytes are written next, in one write or in several.
        case expect([UInt8])
        /// The terminal is resized to this next.
        case expectResize(TerminalSize)
        /// The program draws these bytes.
        case send([UInt8])
        /// The program ends.
        case exit(ExitStatus)

        /// This text is written next.
        public static func expect(_ text: String) -> Step { .expect(Array(text.utf8)) }
        /// The program draws this text.
        public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// A departure from the script.
    public struct ScriptFailure: Error, Sendable, CustomStringConvertible {
        /// The difference between the script's next step and the step that came.
        public let description: String
    }

    private struct State {
        var steps: ArraySlice<Step>
        var failure: ScriptFailure?
    }

    private let terminal = InMemoryTerminal(bufferedBytes: .max)
    private let state: Mutex<State>

    /// A terminal that plays these steps from `connect` on.
    public init(_ steps: [Step]) { state = Mutex(State(steps: steps[...])) }

    /// The output that the script sent.
    public var output: TerminalOutput { terminal.output }

    /// Connects, and plays up to the first expectation.
    public func connect(size: TerminalSize) async throws {
        try await terminal.connect(size: size)
        try await play { _ in }
    }

    /// Takes what the script expects next.
    public func write(_ bytes: [UInt8]) async throws {
        try requireOpen()
        try await play { state in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard case .expect(let expected)? = state.steps.first else {
                    throw Self.departure(state, "a write of \(Self.shown(rest))")
                }
                let common = min(rest.count, expected.count)
                guard rest.prefix(common) == expected.prefix(common) else {
                    throw Self.departure(state, "a write of \(Self.shown(rest))")
                }
                rest = rest.dropFirst(common)
                state.steps.removeFirst()
                if common < expected.count { state.steps = [.expect(Array(expected.dropFirst(common)))] + state.steps }
            }
        }
    }

    /// Takes what the script expects next; a size that is not usable is ignored.
    public func resize(to size: TerminalSize) async throws {
        try requireOpen()
        guard size.isUsable else { return }
        try await play { state in
            guard state.steps.first == .expectResize(size) else {
                throw Self.departure(state, "a resize to \(size.columns)x\(size.rows)")
            }
            state.steps.removeFirst()
        }
        try await terminal.resize(to: size)
    }

    /// Ends it on purpose.
    public func disconnect() async { await terminal.disconnect() }

    /// Suspends until the end.
    public func closure() async -> TerminalClosure { await terminal.closure() }

    /// Throws what went wrong, or what the script still expects.
    ///
    /// - Throws: ``ScriptFailure``.
    public func verify() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            if !state.steps.isEmpty { throw Self.departure(state, "the end of the test") }
        }
    }

    private func requireOpen() throws {
        guard terminal.program.size != nil else {
            throw TransportError(.closed, "The scripted terminal is not connected.")
        }
    }

    /// Takes one call against the script, then does what the script does by itself.
    private func play(_ take: (inout State) throws -> Void) async throws {
        let played: Result<[Step], any Error> = state.withLock { state in
            do {
                if let failure = state.failure { throw failure }
                try take(&state)
            } catch {
                state.failure = state.failure ?? error as? ScriptFailure
                return .failure(error)
            }
            var own: [Step] = []
            while let step = state.steps.first {
                switch step {
                case .send, .exit: own.append(state.steps.removeFirst())
                case .expect, .expectResize: return .success(own)
                }
            }
            return .success(own)
        }
        do {
            for step in try played.get() {
                if case .send(let bytes) = step { try await terminal.program.send(bytes) }
                if case .exit(let status) = step { terminal.program.exit(status) }
            }
        } catch {
            terminal.program.end(TerminalClosure(.lost))
            throw error
        }
    }

    private static func departure(_ state: State, _ came: String) -> ScriptFailure {
        let next: String =
            switch state.steps.first {
            case .expect(let bytes)?: "a write of \(shown(bytes[...]))"
            case .expectResize(let size)?: "a resize to \(size.columns)x\(size.rows)"
            case .send?, .exit?: "to be connected"
            case nil: "nothing more"
            }
        return ScriptFailure(description: "The script expects \(next); there came \(came).")
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(200), as: UTF8.self).debugDescription
    }
}

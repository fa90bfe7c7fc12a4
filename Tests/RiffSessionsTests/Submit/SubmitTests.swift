// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// A gate that answers what it was told to, in order, and notes what it was asked.
private final class ScriptedGate: SubmitGate {
    private let script: Mutex<[SubmitDecision]>
    private let notes = Mutex<[String]>([])

    init(_ script: [SubmitDecision]) { self.script = Mutex(script) }

    var asked: [String] { notes.withLock(\.self) }

    func decide(
        _ submission: Submission,
        after step: SubmitStep,
        within limit: Duration
    ) async throws -> SubmitDecision {
        notes.withLock { $0.append("\(step) \(submission.text) \(limit)") }
        return script.withLock { $0.isEmpty ? .submitted : $0.removeFirst() }
    }
}

/// A session's writes, as its gate allows them.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SubmitTests {
    private static func submit(
        _ text: String = "go on",
        anyway: Bool = false,
        gate: (any SubmitGate)?
    ) async throws -> (result: SubmitResult, writes: [String]) {
        let terminal = RecordingTerminal(InMemoryTerminal())
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: ManualClock(advancesItself: true))
        session.setSubmitGate(gate)
        try await session.open()
        let result = try await session.submit(text, anyway: anyway)
        await session.close()
        return (result, terminal.lines)
    }

    private nonisolated static let dialog = SubmitRefusal(.dialog, name: "trust")

    @Test func `without a gate Return is pressed, and the result is uncertain`() async throws {
        let (result, writes) = try await Self.submit(gate: nil)
        guard case .uncertain = result else { return #expect(Bool(false), "\(result)") }
        #expect(writes == ["go on ", "\r"])
    }

    @Test func `each write is asked about right before it, and the receipt after`() async throws {
        let gate = ScriptedGate([.proceed, .proceed, .proceed, .submitted])
        let (result, writes) = try await Self.submit(gate: gate)
        #expect(result == .submitted)
        #expect(writes == ["go on ", "\r"])
        #expect(
            gate.asked == [
                "untyped go on 10.0 seconds", "untyped go on 0.0 seconds", "typed go on 2.0 seconds",
                "pressed(1) go on 2.0 seconds",
            ]
        )
    }

    @Test(arguments: [[SubmitDecision.refuse(dialog)], [.proceed, .refuse(dialog)]])
    func `a refusal before the text types nothing`(script: [SubmitDecision]) async throws {
        let (result, writes) = try await Self.submit(gate: ScriptedGate(script))
        #expect(result == .refused(Self.dialog, isTyped: false))
        #expect(writes == [])
    }

    @Test func `a refusal before Return leaves the text and presses nothing`() async throws {
        let (result, writes) = try await Self.submit(gate: ScriptedGate([.proceed, .proceed, .refuse(Self.dialog)]))
        #expect(result == .refused(Self.dialog, isTyped: true))
        #expect(writes == ["go on "])
    }

    @Test func `a decision to press anyway is a person's, and the receipt is still asked for`() async throws {
        let script = [SubmitDecision.refuse(Self.dialog), .refuse(Self.dialog), .uncertain("Nobody knows.")]
        let (result, writes) = try await Self.submit(anyway: true, gate: ScriptedGate(script))
        #expect(result == .uncertain("Nobody knows."))
        #expect(writes == ["go on ", "\r"])
    }

    @Test func `a Return that was lost is pressed once more, after the gate was asked again`() async throws {
        let gate = ScriptedGate([.proceed, .proceed, .proceed, .proceed, .proceed, .submitted])
        let (result, writes) = try await Self.submit(gate: gate)
        #expect(result == .submitted)
        #expect(writes == ["go on ", "\r", "\r"])
        #expect(gate.asked.suffix(2) == ["pressed(1) go on 0.0 seconds", "pressed(2) go on 2.0 seconds"])
    }

    @Test func `a Return that was lost twice is not pressed a third time`() async throws {
        let gate = ScriptedGate(Array(repeating: .proceed, count: 100))
        let (result, writes) = try await Self.submit(gate: gate)
        #expect(result == .refused(SubmitRefusal(.notTaken), isTyped: true))
        #expect(writes == ["go on ", "\r", "\r"])
    }

    @Test func `a second Return is held back if the gate changes its mind in its turn`() async throws {
        let gate = ScriptedGate([.proceed, .proceed, .proceed, .proceed, .refuse(Self.dialog)])
        let (result, writes) = try await Self.submit(gate: gate)
        #expect(result == .refused(Self.dialog, isTyped: true))
        #expect(writes == ["go on ", "\r"])
    }

    @Test(arguments: [("look at @sta", "look at @sta "), ("look ", "look "), ("/model", "/model")])
    func `a space closes the menu that a last word opens, and a command gets none`(text: String, typed: String)
        async throws
    {
        let (_, writes) = try await Self.submit(text, gate: ScriptedGate([.proceed, .proceed, .proceed]))
        #expect(writes == [typed, "\r"])
    }

    @Test(arguments: ["", " \n\t", "\u{1B}\u{7F}"])
    func `a text without words is refused`(text: String) async throws {
        let (result, writes) = try await Self.submit(text, gate: ScriptedGate([]))
        #expect(result == .refused(SubmitRefusal(.empty), isTyped: false))
        #expect(writes == [])
    }

    @Test(arguments: [
        ([SubmitDecision.refuse(dialog)], TransportError.Code.submitRefused, [String]()),
        ([.proceed, .proceed, .refuse(dialog)], .textNotSubmitted, ["go on "]),
        ([.proceed, .proceed, .proceed, .uncertain("Nobody knows.")], .inputUncertain, ["go on ", "\r"]),
    ])
    func `typing with Return throws what became of the text, with the dialog's name`(
        script: [SubmitDecision],
        code: TransportError.Code,
        writes: [String]
    ) async throws {
        let terminal = RecordingTerminal(InMemoryTerminal())
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: ManualClock(advancesItself: true))
        session.setSubmitGate(ScriptedGate(script))
        try await session.open()
        let error = await transportError { try await session.type("go on", submit: true) }
        #expect(error?.code == code)
        #expect(error?.message.contains(code == .inputUncertain ? "Nobody knows." : "a dialog is open (trust)") == true)
        #expect(terminal.lines == writes)
        // Without Return nothing is asked.
        try await session.type("more")
        #expect(terminal.lines == writes + ["more "])
        await session.close()
    }

    @Test func `keys pass while a gate waits`() async throws {
        let waiting = WaitingGate()
        let terminal = RecordingTerminal(InMemoryTerminal())
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: ManualClock(advancesItself: true))
        session.setSubmitGate(waiting)
        try await session.open()
        let submitting = Task { try await session.submit("go on") }
        await waiting.began.value()
        // A person answers the question that the gate waits for.
        try await session.write(Array("y".utf8))
        #expect(terminal.lines == ["y"])
        waiting.mayProceed.resolve(())
        #expect(try await submitting.value == .submitted)
        #expect(terminal.lines == ["y", "go on ", "\r"])
        await session.close()
    }

    @Test func `a submission that is cancelled while its gate waits types nothing`() async throws {
        let waiting = WaitingGate()
        let terminal = RecordingTerminal(InMemoryTerminal())
        let session = TerminalSession.make(on: ArrangedLink([terminal]), clock: ManualClock(advancesItself: true))
        session.setSubmitGate(waiting)
        try await session.open()
        let submitting = Task { try await session.submit("go on") }
        await waiting.began.value()
        submitting.cancel()
        await #expect(throws: CancellationError.self) { try await submitting.value }
        #expect(terminal.lines == [])
        await session.close()
    }
}

/// A gate that waits for a sign before the text, and allows everything after it.
private final class WaitingGate: SubmitGate {
    let began = EventualValue<Void>()
    let mayProceed = EventualValue<Void>()

    func decide(
        _ submission: Submission,
        after step: SubmitStep,
        within limit: Duration
    ) async throws -> SubmitDecision {
        switch step {
        case .untyped:
            began.resolve(())
            try await mayProceed.cancellableValue()
            return .proceed
        case .typed: return .proceed
        case .pressed: return .submitted
        }
    }
}

extension RecordingTerminal {
    /// What was written, each write by itself.
    fileprivate var lines: [String] {
        recording.compactMap { entry in
            guard case .wrote(let bytes) = entry.event else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

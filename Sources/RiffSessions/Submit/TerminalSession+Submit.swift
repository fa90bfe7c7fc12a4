// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

extension TerminalSession {
    /// The time that the composer may take to show a text that was typed.
    private static let showLimit = Duration.seconds(2)
    /// The time that the program may take to say that it took a prompt.
    private static let receiptLimit = Duration.seconds(2)
    /// The time that a text may wait to be typed if the caller does not say.
    package static let waitLimit = Duration.seconds(10)

    /// Sets the gate that is asked before each Return that Riff presses in this session, such as an adapter's for an
    /// agent. Without one Return is pressed as it is asked for, and every result is uncertain.
    ///
    /// - Parameter gate: The gate; `nil` for none.
    public nonisolated func setSubmitGate(_ gate: (any SubmitGate)?) { submitGate.withLock { $0 = gate } }

    /// Types a prompt and presses Return, each only if the session's gate allows it, and tells what became of it.
    ///
    /// The text is data, never keys; its lines stay lines if the program asked for bracketed paste. Return is a write
    /// of its own at least 0.3 s later, after the gate saw the text in the composer. A Return that the program lost is
    /// pressed once more, and no more. Other input waits while the text is typed, for about 3 s at most, and not
    /// before.
    ///
    /// - Parameters:
    ///   - text: The prompt.
    ///   - anyway: Whether it is typed and submitted although the gate refuses: only if a person decided so for this
    ///     text, having seen the refusal. If a refusal says that the text is typed, do not type it again: after such a
    ///     decision write the Return key.
    ///   - limit: How long to wait until the program takes a prompt; nothing is typed meanwhile.
    /// - Returns: The result; a refusal is one.
    /// - Throws: `TransportError` if the terminal was lost: nothing was sent, as ``write(_:)``; the text stands at the
    ///   prompt, `textNotSubmitted`; nobody knows, `inputUncertain`. `CancellationError`, and then the text may stand
    ///   at the prompt or be submitted.
    public nonisolated func submit(
        _ text: String,
        anyway: Bool = false,
        within limit: Duration = .seconds(10)
    ) async throws -> SubmitResult {
        guard let prompt = InertText.paste(text, bracketed: true), !InertText.line(prompt.text).isEmpty else {
            return .refused(SubmitRefusal(.empty), isTyped: false)
        }
        // A name behind "@" at the end opens Codex's menu of files, and Return would choose one; a space closes it.
        let isCommand = prompt.text.hasPrefix(bytes: "/")
        let typed = isCommand || prompt.text.hasSuffix(bytes: " ") ? prompt.text : prompt.text + " "
        return try await submit(Submission(prompt.text), anyway: anyway, within: limit) {
            try await self.pasteText(typed, on: $0)
        }
    }

    /// Types and submits, asking the gate before each write and for the receipt after. `allow` looks at the screen
    /// besides, and throws if it does not allow the next write.
    nonisolated func submit(
        _ submission: Submission,
        anyway: Bool,
        within limit: Duration,
        allowedBy allow: (@Sendable (PaneLook?, SpokenInput) async throws -> Void)? = nil,
        typing type: @escaping @Sendable (TerminalConnection) async throws -> Void
    ) async throws -> SubmitResult {
        let connection = try requireConnection()
        let gate = submitGate.withLock(\.self)
        // While the gate waits, others may write: what the gate waits for may be a person's answer.
        if let gate, !anyway, let end = try await gate.objection(to: submission, after: .untyped, within: limit) {
            return end
        }
        let asked = gate ?? UnprovedSubmitGate()
        let end = try await onThisConnection(connection, at: turns.reserve()) { connection -> SubmitResult? in
            try await self.becomeReady(on: connection)
            if let allow { try await allow(try await self.look(on: connection), .words) }
            var end = try await asked.objection(to: submission, after: .untyped, within: .zero)
            if let end, !anyway { return end }
            try await type(connection)
            try await self.pauseBeforeReturn(on: connection)
            if let allow { try await allow(try await self.look(on: connection), .submission) }
            let showLimit = anyway ? .zero : Self.showLimit
            end = try await asked.objection(to: submission, after: .typed, within: showLimit)
            if let end, !anyway { return end }
            try await self.pressReturn(on: connection)
            return nil
        }
        if let end { return end }
        return try await receipt(of: submission, from: asked, on: connection)
    }

    /// Waits for the program's word, and presses a Return again that it lost.
    private nonisolated func receipt(
        of submission: Submission,
        from gate: any SubmitGate,
        on connection: TerminalConnection
    ) async throws -> SubmitResult {
        var end = try await gate.end(of: submission, presses: 1, within: Self.receiptLimit)
        if let end { return end }
        // The composer may have changed while the turn was waited for.
        do {
            end = try await onThisConnection(connection, at: turns.reserve()) { connection -> SubmitResult? in
                if let end = try await gate.end(of: submission, presses: 1, within: .zero) { return end }
                try await self.pressReturn(on: connection)
                return nil
            }
        } catch let error as TransportError where error.code != .inputUncertain {
            return .uncertain("Return was not taken, and could not be pressed again: \(error.message)")
        }
        if let end { return end }
        return try await gate.end(of: submission, presses: 2, within: Self.receiptLimit)
            ?? .refused(SubmitRefusal(.notTaken), isTyped: true)
    }

    /// Throws if a text was not submitted as requested, or perhaps not.
    nonisolated func require(_ result: SubmitResult) throws {
        switch result {
        case .submitted: return
        case .uncertain(let why):
            // Without a gate nothing is ever known.
            guard submitGate.withLock({ $0 != nil }) else { return }
            throw TransportError(.inputUncertain, "\(why) Look at \(name) before typing it again.")
        case .refused(let refusal, isTyped: false):
            let message = "Nothing was typed into \(name): \(refusal.words)."
            throw TransportError(.submitRefused, message, recovery: .retry)
        case .refused(let refusal, isTyped: true):
            let message =
                "The text stands at the prompt of \(name) and was not submitted: \(refusal.words). "
                + "Submit it by hand, or clear it first."
            throw TransportError(.textNotSubmitted, message)
        }
    }
}

extension SubmitGate {
    /// The refusal of a write before Return; `nil` if it may go out.
    fileprivate func objection(
        to submission: Submission,
        after step: SubmitStep,
        within limit: Duration
    ) async throws -> SubmitResult? {
        let isTyped = step != .untyped
        switch try await decide(submission, after: step, within: limit) {
        case .proceed: return nil
        case .refuse(let refusal): return .refused(refusal, isTyped: isTyped)
        case .uncertain(let why): return .refused(SubmitRefusal(.unknown, name: why), isTyped: isTyped)
        // Nothing was pressed that could have been taken.
        case .submitted: return .refused(SubmitRefusal(.unknown), isTyped: isTyped)
        }
    }

    /// The end of a submission after Return; `nil` if it is to be pressed again.
    fileprivate func end(
        of submission: Submission,
        presses: Int,
        within limit: Duration
    ) async throws -> SubmitResult? {
        switch try await decide(submission, after: .pressed(presses), within: limit) {
        case .proceed: nil
        case .submitted: .submitted
        case .uncertain(let why): .uncertain(why)
        case .refuse(let refusal): .refused(refusal, isTyped: true)
        }
    }
}

extension TransportErrorCode {
    /// A text was to be submitted, and nothing of it was typed: the gate of the session refused, for the reason in the
    /// message.
    public static let submitRefused = TransportError.Code(rawValue: "submitRefused")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

// sample: chat: RiffConversation, dictation: some SpeechToText
/// A chat that is spoken to: any agent that takes a text and gives an answer, without a terminal. It is the sink of
/// dictations and conversations, and the feed of narrators and conversations.
///
/// ```swift
/// let agent = SpokenChat("The agent") { text in try await chat.send(text).text }
/// let byHand = Dictation(recognizer: dictation, sink: agent, policy: DictationPolicy(submits: true)) {
///     CommandAudioSource(.arecord())
/// }
/// ```
///
/// Turns run one after another, and go on while somebody speaks. Call ``shutdown()`` before dropping it.
public actor SpokenChat: TextInjecting, AgentAnswerFeed {
    /// What the feed has to tell, newest last.
    private struct Told: Sendable {
        var answer: AgentAnswer?
        var failures = 0
        var failure: (any Error)?
    }

    /// As many turns wait as a person may have said while an agent works.
    private static let mostWaiting = 8

    private nonisolated let name: String
    private let prose: SpokenProse
    private let wallClock: @Sendable () -> Double
    private let ask: @Sendable (String) async throws -> String?
    private nonisolated let told = StateSource(Told())
    private let tasks = OwnedTasks()
    private let turns = WriteTurns()
    private var draft = ""
    private var waiting = 0
    private var lastTime = 0.0
    private var toldFailures = 0

    /// Creates a chat that nothing was said to.
    ///
    /// - Parameters:
    ///   - name: The agent's name, for a person.
    ///   - prose: What of an answer is worth hearing.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    ///   - ask: Sends a text, and returns the answer at the end of the agent's turn, as Markdown; `nil` where there is
    ///     none to hear. What it throws is told by the feed.
    public init(
        _ name: String,
        prose: SpokenProse = SpokenProse(),
        wallClock: (@Sendable () -> Double)? = nil,
        ask: @escaping @Sendable (String) async throws -> String?
    ) {
        self.name = name
        self.prose = prose
        self.wallClock = wallClock ?? WallClock.now
        self.ask = ask
    }

    deinit { told.finish() }

    /// Ends the turns that run or wait, and returns when they have ended.
    public func shutdown() async {
        await tasks.end()
        told.finish()
    }

    // MARK: The sink

    /// Sends a text to the agent, behind those that wait; without Return it waits for the next one that has it.
    ///
    /// - Throws: `VoiceError` with `chatBusy` while eight texts wait; the text is not kept then.
    public func type(_ text: String, submit: Bool) async throws {
        guard submit else {
            // A person who dictates for hours and sends nothing loses the oldest words.
            draft = String((draft + text).suffix(100_000))
            return
        }
        guard waiting < Self.mostWaiting else {
            let message = "\(InertText.line(name)) still works on what was said before; say it again later."
            throw VoiceError(.chatBusy, message, recovery: .retry)
        }
        let whole = String((draft + text).reversed().drop(while: \.isWhitespace).reversed())
        draft = ""
        guard !whole.isEmpty else { return }
        waiting += 1
        let place = turns.reserve()
        let task = tasks.run { [weak self, turns] in
            // A turn that is cancelled while it waits has given its place up.
            guard (try? await turns.wait(for: place)) != nil else { return }
            await self?.turn(whole)
            turns.leave()
        }
        guard task == nil else { return }
        waiting -= 1
        turns.leave()
        throw CancellationError()
    }

    /// A chat takes no keys: nothing that is said can answer anything but the agent's own words.
    public nonisolated var guardsQuestions: Bool { true }

    /// The agent's name.
    public nonisolated func destination() async -> String? { name }

    private func turn(_ text: String) async {
        defer { waiting -= 1 }
        do {
            guard let answer = try await ask(text) else { return }
            let spoken = prose.prose(of: answer)
            guard !spoken.isEmpty else { return }
            // Two answers never have one time, whatever the clock does.
            lastTime = max(lastTime.nextUp, wallClock())
            let new = AgentAnswer(time: lastTime, .prose(spoken))
            told.update { told in
                var next = told
                next.answer = new
                return next
            }
        } catch is CancellationError {
            // Ended by whoever ended the chat.
        } catch {
            told.update { told in
                var next = told
                next.failures += 1
                next.failure = error
                return next
            }
        }
    }

    // MARK: The feed

    /// The time of the last answer, or the time now.
    public func beginning() async throws -> Double {
        toldFailures = told.current.failures
        return max(lastTime, wallClock())
    }

    /// Waits for an answer.
    ///
    /// - Returns: The newest one.
    /// - Throws: What a turn failed with, once; `CancellationError`.
    public func next(after time: Double) async throws -> AgentAnswer {
        for await told in told.updates() {
            if told.failures > toldFailures, let failure = told.failure {
                toldFailures = told.failures
                throw failure
            }
            if let answer = told.answer, answer.time > time { return answer }
        }
        throw CancellationError()
    }
}

extension VoiceErrorCode {
    /// An agent still works on so many texts that no other one is taken.
    public static let chatBusy = VoiceError.Code(rawValue: "chatBusy")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// Asks an agent that runs in a session of its own, by files: each turn is a file `NAME.event.json` in a folder, and
/// the answer is what the agent's side puts into `NAME.reply.json` there: `{"reply": "..."}`. No model is called from
/// here.
///
/// An event appears whole, and is gone again when its turn has ended, whether it was answered or not: what is in the
/// folder is what waits, and what a server that was killed left there, which nobody reads the answer of any more. The
/// other side should write its file under another name and rename it; a file that is not whole yet is read again.
public struct PollBridge: ConversationResponder {
    private let files: BridgeFolder
    private let pause: Duration
    private let clock: any Clock<Duration>

    /// A bridge over a folder, which is made with the first turn, with mode 0700.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - pause: How long to wait before looking again.
    ///   - clock: Measures that.
    public init(
        path: String,
        pause: Duration = .milliseconds(200),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        files = BridgeFolder(path: path)
        self.pause = pause
        self.clock = clock
    }

    /// Puts the turn into the folder, and waits for its answer.
    ///
    /// - Throws: `CoreError` where the folder cannot be used; `CancellationError`.
    public func reply(to turn: ConversationTurn) async throws -> String {
        let event: JSONValue = [
            "id": .string(turn.id.text), "conversation_id": turn.conversation.map { .string($0.text) } ?? .null,
            "device_id": turn.device.map { .string($0.text) } ?? .null, "text": .string(turn.text),
            "prompt": .string(turn.prompt),
        ]
        try await files.put(event.bytes() + [0x0A], as: "\(turn.id).event.json")
        let result: Result<String, any Error>
        do { result = .success(try await wait(for: turn.id)) } catch { result = .failure(error) }
        // Also where the turn was cancelled: nobody is to answer it any more.
        let cleaning = Task { [files] in
            try await files.remove("\(turn.id).event.json")
            try await files.remove("\(turn.id).reply.json")
        }
        try await cleaning.value
        return try result.get()
    }

    private func wait(for id: RiffIdentifier) async throws -> String {
        while true {
            if let bytes = try await files.contents(of: "\(id).reply.json") {
                // Not whole yet, or not this: looked at again until the time is over.
                if let reply = (try? JSONValue(parsing: bytes))?["reply"]?.text { return reply }
            }
            try await clock.sleep(for: pause)
        }
    }
}

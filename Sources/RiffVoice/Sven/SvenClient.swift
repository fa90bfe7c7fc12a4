// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
public import RiffTransport
internal import Synchronization

// sample: store: some SecretStore, http: any HTTPTransport
/// A client of a Sven server: what was said to the agent, and its replies back.
///
/// ```swift
/// let token = try await SvenClient.DeviceToken.kept(in: store)
/// let sven = SvenClient(server: try HTTPBaseURL("http://mac.tailnet.ts.net:8080"), token: token, http: http)
/// let receipt = try await sven.send("What is on my calendar?")
/// if receipt.replies == .messages {
///     for try await message in SvenReplies(sven) where message.role == .assistant { show(message.content) }
/// }
/// ```
///
/// A request is tried a second time only when no connection could be made. Once the server may have seen a prompt it is
/// never sent again by itself, not after a timeout and not after a 500: the public servers keep such a prompt, and the
/// agent would act twice. A person who tries again should do so with the same `messageID`, which servers that know it
/// recognize.
///
/// The token stands in the query of every request but a prompt, since the public server wants it there. It is in no
/// error; a front end must not log the addresses of requests.
public final class SvenClient: Sendable {
    /// The time limits of the client.
    public struct Timing: Sendable, Hashable {
        /// Until a connection is there; each of the two tries has this long.
        public var connect: Duration
        /// Until a prompt is answered; at least 35 s, since a server may be silent for 30 while it hands the prompt on.
        public var prompt: Duration
        /// Until anything else is answered; speech has four times as long.
        public var answer: Duration

        /// 5 s to connect, 40 s for a prompt and 15 s for anything else, unless said otherwise.
        public init(
            connect: Duration = .seconds(5),
            prompt: Duration = .seconds(40),
            answer: Duration = .seconds(15)
        ) {
            self.connect = connect
            self.prompt = max(prompt, .seconds(35))
            self.answer = answer
        }
    }

    /// What is known of how many prompts the server still takes.
    private struct Pace {
        var window = SlidingWindow(limit: SvenContract.rateLimit, length: SvenContract.rateWindow)
        /// Until when the server refuses, after it did.
        var refusedUntil: Duration = .zero
    }

    /// The address of the server.
    package let server: HTTPBaseURL
    let token: Secret
    let timing: Timing
    private let http: any HTTPTransport
    private let provider: (any AttestationProvider)?
    private let stopwatch: Stopwatch
    private let pace = Mutex(Pace())

    /// A client; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - server: Where the server is.
    ///   - token: This device's token, from ``SvenClient/DeviceToken/kept(in:)``.
    ///   - http: What sends.
    ///   - attestation: What vouches for prompts, where the server wants that; no public server does.
    ///   - timing: How long things may take.
    ///   - clock: Counts the prompts per minute.
    public init(
        server: HTTPBaseURL,
        token: Secret,
        http: any HTTPTransport,
        attestation: (any AttestationProvider)? = nil,
        timing: Timing = Timing(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.server, self.token, self.http, self.timing) = (server, token, http, timing)
        provider = attestation
        stopwatch = Stopwatch(clock)
    }

    /// The time to wait before the server takes another prompt, as far as this client can tell: from the prompts that
    /// it sent in the last minute, and from the server's refusal. Zero where nothing speaks against one now.
    package var promptDelay: Duration {
        let now = stopwatch.now.offset
        return pace.withLock { max($0.window.delay(at: now), $0.refusedUntil - now, .zero) }
    }

    /// Sends a prompt, on `POST /prompt`.
    ///
    /// - Parameters:
    ///   - transcript: What was said; white space around it is left out.
    ///   - attestation: A finished assertion; without one, the provider is asked where there is one.
    ///   - messageID: The prompt's own id: the same for a second try of the same prompt. `nil` sends none.
    /// - Returns: What the server said.
    /// - Throws: ``VoiceError``: `emptyPrompt` and `attestationMissing` before anything is sent; what a server says and
    ///   what happens on the way, as ``VoiceError/Code`` lists beside this client. `CancellationError` when cancelled;
    ///   the server may then have the prompt.
    public func send(
        _ transcript: String,
        attestation: String? = nil,
        messageID: RiffIdentifier? = .random()
    ) async throws -> SvenClient.Receipt {
        let prompt = SvenClient.AttestedPrompt(transcript: Self.trimmed(transcript), messageID: messageID?.text)
        guard !prompt.transcript.isEmpty else {
            throw VoiceError(.emptyPrompt, "Nothing was said; say it again.")
        }
        var assertion = attestation
        if assertion == nil { assertion = try await vouch(for: prompt) }
        var fields: JSONObject = ["transcript": .string(prompt.transcript), "token": .string(tokenText)]
        fields["attestation"] = assertion.map { .string($0) }
        fields["message_id"] = prompt.messageID.map { .string($0) }
        let now = stopwatch.now.offset
        pace.withLock { $0.window.note(at: now) }
        let answer = try await exchange(
            server.request(.post, SvenContract.promptPath),
            fields,
            deadlines: deadlines(timing.prompt)
        )
        if answer.head.status == .tooManyRequests { throw refused(answer) }
        try check(answer, isAttested: assertion != nil)
        do {
            return try SvenClient.Receipt(json: try JSONValue(parsing: answer.body))
        } catch {
            throw VoiceError.notSven("its answer to a prompt is not a receipt", server: server, cause: error)
        }
    }

    private func vouch(for prompt: SvenClient.AttestedPrompt) async throws -> String? {
        guard let provider else { return nil }
        do {
            return try await provider.assertion(for: prompt)
        } catch {
            try Task.checkCancellation()
            throw VoiceError.attestationMissing("This device could not vouch for the prompt.", cause: error)
        }
    }

    /// Notes how long the server will go on refusing, and says it.
    private func refused(_ answer: HTTPAnswer) -> VoiceError {
        let now = stopwatch.now.offset
        let announced = answer.head.headerFields[.retryAfter].flatMap { Int($0) }
        let wait: Duration = pace.withLock { pace in
            // Where neither side knows, the server's whole window: then it takes prompts again, whoever sent the
            // others.
            let own = pace.window.delay(at: now)
            let guessed = own > .zero ? own : SvenContract.rateWindow
            let wait = announced.map { .seconds(min(max($0, 1), 3600)) } ?? guessed
            pace.refusedUntil = now + wait
            return wait
        }
        let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
        let message = "The Sven server at \(server) takes no more prompts for now (429); try again in \(seconds) s."
        return VoiceError(.tooManyPrompts, message, recovery: .retry)
    }

    // MARK: Sending

    var tokenText: String { String(decoding: token.bytes, as: UTF8.self) }

    func deadlines(_ answer: Duration) -> HTTPDeadlines {
        HTTPDeadlines(connect: timing.connect, idle: answer, total: timing.connect + answer)
    }

    /// Sends a request; again where no connection could be made.
    func exchange(
        _ request: HTTPRequest,
        _ fields: JSONObject? = nil,
        deadlines: HTTPDeadlines,
        limitBytes: Int = 4 << 20
    ) async throws -> HTTPAnswer {
        var request = request
        var body = HTTPBody.none
        if let fields {
            request.headerFields[.contentType] = "application/json"
            body = .bytes(JSONValue.object(fields).bytes())
        }
        do {
            let reply = try await http.sendOnce(request, body: body, deadlines: deadlines)
            return HTTPAnswer(head: reply.head, body: try await reply.body.collect(upTo: limitBytes))
        } catch let error as TransportError {
            throw VoiceError(sven: error, server: server)
        }
    }

    /// Refuses whatever is not a success and, where JSON is meant, something else.
    func check(_ answer: HTTPAnswer, isAttested: Bool = false, isJSON: Bool = true) throws(VoiceError) {
        guard answer.head.status == .ok else { throw VoiceError(sven: answer, server: server, isAttested: isAttested) }
        guard !isJSON || answer.mediaType == "application/json" else {
            let kind = answer.mediaType == "text/html" ? "a web page" : "something that is not JSON"
            throw VoiceError.notSven("it answered with \(kind)", server: server)
        }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
public import RiffCore
public import RiffTransport

// sample: secret: RiffSecret, http: any HTTPTransport, bytes: [UInt8]
/// A client of a Riff server: clips to text, and conversations with the agent of its host.
///
/// ```swift
/// let riff = RiffClient(server: try HTTPBaseURL("http://mac.tailnet.ts.net:8902"), secret: secret, http: http)
/// let transcript = try await riff.transcribe(AudioClip(bytes, encoding: .m4a))
/// let answer = try await riff.send("What changed today?")
/// ```
///
/// A request is tried a second time only when no connection could be made, since a private network needs a moment to
/// wake up. Once the server may have seen it, it is never repeated: speech would be recognized, and billed, twice.
public struct RiffClient: SpeechToText {
    /// The time limits of the client.
    public struct Timing: Sendable, Hashable {
        /// Until a connection is there; each of the two tries has this long.
        public var connect: Duration
        /// Between two bytes; a server that recognizes for 30 s and asks an agent for 60 s is silent for 90.
        public var silence: Duration
        /// For the whole of one try.
        public var total: Duration

        /// 1.5 s to connect, 95 s of silence, 150 s in total, unless said otherwise.
        public init(
            connect: Duration = .milliseconds(1500),
            silence: Duration = .seconds(95),
            total: Duration = .seconds(150)
        ) {
            self.connect = connect
            self.silence = silence
            self.total = total
        }

        var deadlines: HTTPDeadlines { HTTPDeadlines(connect: connect, idle: silence, total: total) }
    }

    /// The address of the server.
    package let server: HTTPBaseURL
    private let secret: RiffSecret
    private let http: any HTTPTransport
    let device: RiffIdentifier
    private let timing: Timing
    private let signer: RequestSigner
    let wallClock: @Sendable () -> Double

    /// A client; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - server: Where the server is.
    ///   - secret: The secret shared with it.
    ///   - http: What sends.
    ///   - device: Which device this is, for the server's records; a random one unless said otherwise.
    ///   - timing: How long things may take.
    ///   - signature: How requests are signed. There is no way back by itself: a server that knows only version 1 is
    ///     talked to only by a client that was told so.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    public init(
        server: HTTPBaseURL,
        secret: RiffSecret,
        http: any HTTPTransport,
        device: RiffIdentifier = .random(),
        timing: Timing = Timing(),
        signature: RiffClient.SignatureVersion = .v2,
        wallClock: (@Sendable () -> Double)? = nil
    ) {
        self.server = server
        self.secret = secret
        self.http = http
        self.device = device
        self.timing = timing
        let wallClock = wallClock ?? WallClock.now
        self.wallClock = wallClock
        signer = RequestSigner(secret, signature, wallClock)
    }

    /// Whether the secret protects nothing; a front end should say so.
    package var hasPlaceholderSecret: Bool { secret.isPlaceholder }

    /// Turns a clip into text, on `POST /riff/transcribe-only`; the server keeps nothing.
    ///
    /// - Parameter clip: A WAV or an m4a file of at most 25 MB; raw samples, as a recorder gives them, are sent as WAV.
    /// - Returns: What was said; empty where nothing was.
    /// - Throws: ``VoiceError``: `unsupportedAudio`, `emptyAudio` and `audioTooLarge` before anything is sent;
    ///   `serverUnreachable`, `serverTimeout`, `serverConnectionLost`; and what the server said, as
    ///   ``VoiceError/Code`` lists beside this client. `CoreError` for samples of a format that WAV has not.
    ///   `CancellationError` when cancelled, with the connection closed.
    public func transcribe(_ clip: AudioClip) async throws -> Transcript {
        let (request, body) = try self.request(RiffContract.transcribePath, clip)
        let answer: TranscribeAnswer = try await ask(request, body: body, about: .clip)
        return Transcript(text: answer.transcript)
    }

    /// A request that carries a clip.
    func request(_ path: String, _ clip: AudioClip) throws -> (HTTPRequest, [UInt8]) {
        guard !clip.bytes.isEmpty else { throw VoiceError(.emptyAudio, "The recording is empty; record again.") }
        let clip = try clip.asFile()
        guard let format = RiffContract.audioFormat(of: clip.encoding) else {
            throw VoiceError(.unsupportedAudio, "A Riff server takes WAV and m4a files; record in one of them.")
        }
        guard clip.bytes.count <= RiffContract.audioLimitBytes else {
            // Rounded up, so that one byte too many does not read as 25 MB of 25 MB.
            let megabytes = (clip.bytes.count + 1_048_575) / 1_048_576
            let message = "The recording is too large (\(megabytes) MB > 25 MB); record a shorter one."
            throw VoiceError(.audioTooLarge, message)
        }
        var request = server.request(.post, path)
        request.headerFields[.contentType] = clip.encoding == .wav ? "audio/wav" : "audio/mp4"
        request.headerFields[.riffAudioFormat] = format
        request.headerFields[.riffDeviceID] = device.text
        request.headerFields[.riffSessionID] = RiffIdentifier.random().text
        request.headerFields[.riffTimestamp] = String(wallClock())
        return (request, clip.bytes)
    }

    /// Asks whether the server is there and takes the secret, on `GET /riff/health`.
    ///
    /// - Returns: What it says of itself.
    /// - Throws: ``VoiceError`` and `CancellationError`, as ``transcribe(_:)`` does.
    public func health() async throws -> RiffClient.Health {
        let answer = try await answer(to: server.request(.get, RiffContract.healthPath), about: .question)
        var health: RiffClient.Health = try decode(answer, about: .question)
        health.time = answer.head.headerFields[.riffTimestamp].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        return health
    }

    private func ask<Answer: Decodable>(
        _ request: HTTPRequest,
        body: [UInt8]? = nil,
        about kind: RiffRequestKind
    ) async throws -> Answer {
        try decode(try await answer(to: request, body: body, about: kind), about: kind)
    }

    /// Signs a request, and sends it; again where no connection could be made.
    func answer(
        to request: HTTPRequest,
        body: [UInt8]? = nil,
        about kind: RiffRequestKind,
        limitBytes: Int = 1 << 20
    ) async throws -> HTTPAnswer {
        var request = request
        signer.sign(&request, of: server, body: body ?? [])
        let content = body.map(HTTPBody.bytes) ?? .none
        do {
            let reply: HTTPReply
            do {
                reply = try await http.send(request, body: content, deadlines: timing.deadlines)
            } catch let error as TransportError where error.code == .httpNeverConnected {
                reply = try await http.send(request, body: content, deadlines: timing.deadlines)
            }
            return HTTPAnswer(head: reply.head, body: try await reply.body.collect(upTo: limitBytes))
        } catch let error as TransportError {
            throw VoiceError(riff: error, server: server, sent: kind)
        }
    }

    func decode<Answer: Decodable>(_ answer: HTTPAnswer, about kind: RiffRequestKind) throws(VoiceError) -> Answer {
        guard answer.head.status == .ok else { throw VoiceError(riff: answer.head, server: server, sent: kind) }
        return try answer.riffAnswer(from: server)
    }
}

extension HTTPAnswer {
    /// Returns the answer in the body of a Riff server's success.
    func riffAnswer<Answer: Decodable>(from server: HTTPBaseURL) throws(VoiceError) -> Answer {
        try requireJSON(from: server)
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            throw VoiceError.notRiff("its answer lacks what a Riff server says", server: server, cause: error)
        }
    }

    private func requireJSON(from server: HTTPBaseURL) throws(VoiceError) {
        guard mediaType == "application/json" else {
            let kind = mediaType == "text/html" ? "a web page" : "something that is not JSON"
            throw VoiceError.notRiff("it answered with \(kind)", server: server)
        }
    }

    /// Returns the answer in the body of a Riff server's success, read by a closure that gives `nil` if it is not that.
    func riffAnswer<Answer>(
        from server: HTTPBaseURL,
        _ read: (JSONValue) -> Answer?
    ) throws(VoiceError) -> Answer {
        try requireJSON(from: server)
        let failure: any Error
        do {
            if let answer = read(try JSONValue(parsing: body)) { return answer }
            throw VoiceError.notRiff("its answer lacks what a Riff server says", server: server)
        } catch { failure = error }
        throw failure as? VoiceError ?? .notRiff("its answer is no JSON", server: server, cause: failure)
    }
}

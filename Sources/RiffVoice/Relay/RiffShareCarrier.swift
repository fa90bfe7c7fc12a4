// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
public import RiffShare
public import RiffTransport

/// Brings shared files to the host by an upload to a Riff server there, for hosts whose SSH server has no file service.
///
/// The file is the body, signed as every request is; `X-Riff-File-Name` says its name, and the answer is
/// `{"path": "/absolute/path"}`. It is read twice from the disk, once to sign it and once to send it, and never held in
/// memory. It is sent a second time only when no connection could be made.
public struct RiffShareCarrier: ShareCarrier {
    /// 1.5 s to connect, 95 s of silence and an hour in all: a film on a slow line takes its time.
    public static let deadlines = HTTPDeadlines(
        connect: .milliseconds(1500),
        idle: .seconds(95),
        total: .seconds(3600)
    )

    private let server: HTTPBaseURL
    private let signer: RequestSigner
    private let http: any HTTPTransport
    private let path: String
    private let cap: SharedMediaInbox.UploadCap
    private let deadlines: HTTPDeadlines

    /// A carrier; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - server: Where the server is.
    ///   - secret: The secret shared with it.
    ///   - http: What sends.
    ///   - path: The server's path for uploads.
    ///   - cap: The most bytes that the server takes.
    ///   - deadlines: How long things may take.
    ///   - signature: How requests are signed.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    public init(
        server: HTTPBaseURL,
        secret: RiffSecret,
        http: any HTTPTransport,
        path: String = RiffContract.uploadPath,
        cap: SharedMediaInbox.UploadCap = SharedMediaInbox.UploadCap(),
        deadlines: HTTPDeadlines = RiffShareCarrier.deadlines,
        signature: RiffClient.SignatureVersion = .v2,
        wallClock: (@Sendable () -> Double)? = nil
    ) {
        self.server = server
        signer = RequestSigner(secret, signature, wallClock ?? WallClock.now)
        self.http = http
        self.path = path
        self.cap = cap
        self.deadlines = deadlines
    }

    /// Uploads a file.
    ///
    /// - Throws: `CoreError` with `mediaTooLarge`, before a byte is sent or because the server said so (413);
    ///   ``VoiceError`` as ``RiffClient/transcribe(_:)`` does; `CancellationError`.
    public func carry(_ media: SharedMediaClaim) async throws -> String {
        let format = media.item.name.format
        try cap.check(media.item.sizeBytes, format)
        var signature = signer.bodySignature
        var length = 0
        for try await piece in media.bytes {
            signature.update(piece)
            length += piece.count
        }
        var request = server.request(.post, path)
        request.headerFields[.contentType] = format.contentType
        request.headerFields[.riffFileName] = media.item.name.text
        signer.sign(&request, of: server, signature)
        let answer = try await send(request, media.reportedBytes, length)
        if answer.head.status == .contentTooLarge {
            throw CoreError(.mediaTooLarge, "\(format.noun) too large for the server at \(server) (413)")
        }
        guard answer.head.status == .ok else { throw VoiceError(riff: answer.head, server: server, sent: .file) }
        let said: UploadAnswer = try answer.riffAnswer(from: server)
        media.reportSent(media.item.sizeBytes)
        return said.path
    }

    private func send(_ request: HTTPRequest, _ bytes: some AsyncSequence<[UInt8], any Error> & Sendable, _ length: Int)
        async throws -> HTTPAnswer
    {
        let body = HTTPBody.stream(bytes, length: length)
        do {
            do {
                return try await http.answer(to: request, body: body, deadlines: deadlines, upTo: 1 << 20)
            } catch let error as TransportError where error.code == .httpNeverConnected {
                return try await http.answer(to: request, body: body, deadlines: deadlines, upTo: 1 << 20)
            }
        } catch let error as TransportError {
            throw VoiceError(riff: error, server: server, sent: .file)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension SvenClient {
    /// The most bytes of one reply as speech: a minute and a half as WAV, with room.
    private static let audioLimitBytes = 32 << 20

    /// Returns the messages of both sides, on `GET /messages`. Most callers want ``SvenReplies``, which asks again and
    /// again.
    ///
    /// - Parameter time: Only messages that are later, a text as the server wrote it in ``SvenMessage/createdAt``; it
    ///   is given back as it is. Everything the server has without one.
    /// - Returns: The messages, the oldest first. Those that cannot be read are left out.
    /// - Throws: ``VoiceError``, as ``send(_:attestation:messageID:)`` does; `notOnThisServer` where the server is too
    ///   old.
    public func messages(since time: String? = nil) async throws -> [SvenMessage] {
        let answer = try await exchange(request(.get, SvenContract.messagesPath, [("since", time)]))
        guard let list = try member("messages", of: answer).array else {
            throw VoiceError.notSven("its list of messages is none", server: server)
        }
        // One message that cannot be read does not hide the others.
        return list.compactMap { try? SvenMessage(json: $0) }
    }

    /// A reply as speech, on `GET /audio/{id}`. What was fetched should be kept: it does not change.
    ///
    /// - Parameter id: The message's id.
    /// - Returns: The clip; the public server speaks WAV.
    /// - Throws: ``VoiceError`` with `audioNotReady` where there is none, or none yet: a server speaks a reply some
    ///   time after it has listed it. Otherwise as ``messages(since:)``.
    public func audio(of id: SvenMessage.ID) async throws -> AudioClip {
        let answer = try await exchange(
            request(.get, "\(SvenContract.audioPath)/\(SvenQuery.encode(id))"),
            deadlines: deadlines(timing.answer * 4),
            limitBytes: Self.audioLimitBytes
        )
        try check(answer, isJSON: false)
        guard let clip = AudioClip(file: answer.body) else {
            throw VoiceError.notSven("what it sent as speech is no sound", server: server)
        }
        return clip
    }

    /// Removes all messages on the server, on `DELETE /messages`, for every device. A ``SvenReplies/Inbox`` may go on.
    ///
    /// - Throws: ``VoiceError``, as ``messages(since:)`` does.
    public func clear() async throws {
        _ = try member("status", of: try await exchange(request(.delete, SvenContract.messagesPath)))
    }

    /// Starts the agent's session again, on `POST /restart-session`: the work that it was doing is lost.
    ///
    /// - Throws: ``VoiceError``, as ``messages(since:)`` does.
    public func restart() async throws {
        _ = try member("status", of: try await exchange(request(.post, SvenContract.restartPath)))
    }

    /// Asks whether the server is there, on `GET /health`. It tells nothing about the token.
    ///
    /// - Returns: What it says of itself, such as `healthy`.
    /// - Throws: ``VoiceError``, as ``messages(since:)`` does.
    @discardableResult
    public func health() async throws -> String {
        // The one request without a token: it needs none.
        let request = server.request(.get, SvenContract.healthPath)
        let answer = try await exchange(request, deadlines: deadlines(timing.answer))
        guard let status = try member("status", of: answer).text else {
            throw VoiceError.notSven("it does not say how it is", server: server)
        }
        return status
    }

    /// Makes this device known, on `POST /register`, to a server of Riff's own that has its pairing window open. A
    /// public server takes the first device that sends a prompt, and knows no code.
    ///
    /// - Parameters:
    ///   - code: The code that the server's console shows, as a person typed it.
    ///   - name: What the server shall call this device in its list.
    /// - Throws: ``VoiceError`` with `pairingRefused` where the code is wrong, used or too old; otherwise as
    ///   ``messages(since:)``.
    public func register(code: String, name: String? = nil) async throws {
        var fields: JSONObject = ["token": .string(tokenText), "code": .string(code)]
        fields["name"] = name.map { .string($0) }
        let answer = try await exchange(
            server.request(.post, SvenContract.registerPath),
            fields,
            deadlines: deadlines(timing.answer)
        )
        guard answer.head.status != .unauthorized else {
            let message =
                "The Sven server at \(server) did not take the code. Open a new pairing window there for another."
            throw VoiceError(.pairingRefused, message, recovery: .retry)
        }
        _ = try member("status", of: answer)
    }

    // MARK: Requests with the token in the query

    private func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ items: [(String, String?)] = []
    ) -> HTTPRequest {
        server.request(method, path + SvenQuery(items + [("token", tokenText)]).text)
    }

    private func exchange(_ request: HTTPRequest) async throws -> HTTPAnswer {
        try await exchange(request, deadlines: deadlines(timing.answer))
    }

    private func member(_ name: String, of answer: HTTPAnswer) throws -> JSONValue {
        try check(answer)
        do {
            let value: JSONValue? = try JSONValue(parsing: answer.body)[name]
            if let value { return value }
        } catch {
            throw VoiceError.notSven("its answer is not JSON", server: server, cause: error)
        }
        throw VoiceError.notSven("its answer lacks what a Sven server says", server: server)
    }
}

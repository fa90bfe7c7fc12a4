// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension HubService {
    /// All sessions: `GET /api/sessions`. What a hub never tells by itself is seen only here, as a session that died.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func sessions() async throws -> [HubSession] {
        let json = try json(of: try await success(.get, "/api/sessions", what: "the sessions"), "the sessions")
        guard let list = json.array else { throw HubError.malformed("the sessions") }
        return list.compactMap(HubSession.init(json:))
    }

    /// Starts an agent with a voice: `POST /api/sessions`. The hub answers when the agent is there, up to 75 seconds
    /// later. Two at once for one voice break each other: ask once.
    ///
    /// - Returns: The session.
    /// - Throws: ``HubError`` with `voiceBusy` (503), `spawnTimedOut` (504), `hubFailed` (500: a fresh hub of 279d9d6
    ///   wants a project first) and what failed on the way; `CancellationError`.
    public func spawn(voice: HubVoice.ID) async throws -> HubSession {
        let answer: HTTPAnswer
        do {
            answer = try await success(
                .post,
                "/api/sessions",
                ["voice": .string(voice.rawValue)],
                what: "a new session",
                within: timing.spawn
            )
        } catch let error as HubError where error.status == 503 {
            let message = "The hub has a session with the voice \(voice) already; open that one."
            throw HubError(.voiceBusy, message, cause: error, status: 503)
        } catch let error as HubError where error.status == 504 {
            let message = "The agent of the voice \(voice) did not come up in time; try again."
            throw HubError(.spawnTimedOut, message, recovery: .retry, cause: error, status: 504)
        }
        guard let session = HubSession(json: try json(of: answer, "the new session")) else {
            throw HubError.malformed("the new session")
        }
        return session
    }

    /// Ends a session: `DELETE /api/sessions/{id}`. The hub says the same of one that it does not have.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func terminate(session: HubSession.ID) async throws {
        _ = try await success(.delete, "/api/sessions/\(Self.escaped(session.rawValue))", what: "to end a session")
    }

    /// Gives a session another voice. The hub tells no other client, and takes any text.
    ///
    /// - Throws: ``HubError``, `unsupported` where there is no such session; `CancellationError`.
    public func setVoice(_ voice: HubVoice.ID, of session: HubSession.ID) async throws {
        let path = "/api/sessions/\(Self.escaped(session.rawValue))/voice"
        _ = try await success(.put, path, ["voice": .string(voice.rawValue)], what: "another voice")
    }

    /// Lets a session speak faster or slower; 1 is normal.
    ///
    /// - Throws: ``HubError``, `unsupported` where there is no such session; `CancellationError`.
    public func setSpeed(_ speed: Double, of session: HubSession.ID) async throws {
        guard speed.isFinite, speed > 0 else {
            throw HubError(.commandInvalid, "A speed of \(speed) is none; 1 is normal, 2 twice as fast.")
        }
        let path = "/api/sessions/\(Self.escaped(session.rawValue))/speed"
        _ = try await success(.put, path, ["speed": .number(speed)], what: "another speed")
    }

    /// Tells the hub that everything of a session was read.
    ///
    /// - Returns: Whether the hub counts at all; the older ones do not.
    /// - Throws: ``HubError``; `CancellationError`.
    @discardableResult
    public func markRead(session: HubSession.ID) async throws -> Bool {
        try await told(.post, "/api/sessions/\(Self.escaped(session.rawValue))/mark-read")
    }

    /// Tells the hub which session is looked at. It keeps one for all of its clients.
    ///
    /// - Returns: Whether the hub knows the question.
    /// - Throws: ``HubError``; `CancellationError`.
    @discardableResult
    public func setViewing(session: HubSession.ID) async throws -> Bool {
        try await told(.post, "/api/sessions/\(Self.escaped(session.rawValue))/viewing")
    }

    private func told(_ method: HTTPRequest.Method, _ path: String) async throws -> Bool {
        do {
            _ = try await success(method, path, what: "what was read")
            return true
        } catch let error as HubError where error.code == .unsupported {
            return false
        }
    }
}

extension HubErrorCode {
    /// The voice has a session already (503).
    public static let voiceBusy = HubError.Code(rawValue: "voiceBusy")
    /// The agent did not come up in time (504).
    public static let spawnTimedOut = HubError.Code(rawValue: "spawnTimedOut")
}

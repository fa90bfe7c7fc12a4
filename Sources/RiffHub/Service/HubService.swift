// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
public import RiffTransport

/// A hub's REST interface, by itself: for those who want no live connection.
///
/// What a hub of its age does not have is an error with the code `unsupported`, or `nil` where there is an answer to a
/// question. Redirects are not followed.
public struct HubService: Sendable {
    /// The time limits of the service.
    public struct Timing: Sendable, Hashable {
        /// Until anything small is answered.
        public var question: Duration
        /// Until a new session is there: the hub answers when its agent is, which takes up to 75 seconds.
        public var spawn: Duration
        /// Until a clip is transcribed or a text spoken.
        public var work: Duration

        /// 10 s, 120 s and 35 s unless said otherwise. Never less than 90 s for a spawn.
        public init(
            question: Duration = .seconds(10),
            spawn: Duration = .seconds(120),
            work: Duration = .seconds(35)
        ) {
            (self.question, self.spawn, self.work) = (question, max(spawn, .seconds(90)), work)
        }
    }

    /// The address of the hub.
    public let address: HubAddress
    let http: any HTTPTransport
    let timing: Timing

    /// A hub; nothing is sent yet.
    public init(_ address: HubAddress, http: any HTTPTransport, timing: Timing = Timing()) {
        (self.address, self.http, self.timing) = (address, http, timing)
    }

    /// Sends a request, and returns the answer of success.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    func success(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: JSONObject? = nil,
        content: (bytes: [UInt8], type: String)? = nil,
        what: String,
        within time: Duration? = nil,
        upTo limit: Int = 16 << 20
    ) async throws -> HTTPAnswer {
        var request = address.server.request(method, path)
        var body = HTTPBody.none
        if let json {
            // Exactly this: with a charset behind it the hub ignores the body, and spawns whatever voice is free.
            request.headerFields[.contentType] = "application/json"
            body = .bytes(JSONValue.object(json).bytes())
        } else if let content {
            request.headerFields[.contentType] = content.type
            body = .bytes(content.bytes)
        }
        let time = time ?? timing.question
        let answer: HTTPAnswer
        do {
            let deadlines = HTTPDeadlines(connect: min(time, .seconds(10)), idle: time, total: time)
            answer = try await http.answer(to: request, body: body, deadlines: deadlines, upTo: limit)
        } catch let error as TransportError {
            throw HubError(error, server: address.server)
        }
        guard answer.head.status.kind == .successful else { throw HubError(refusal: answer, to: what) }
        return answer
    }

    /// The JSON of an answer of success; its type decides, since hosts answer with their page where they know no
    /// address.
    func json(of answer: HTTPAnswer, _ what: String) throws(HubError) -> JSONValue {
        guard answer.mediaType == "application/json" || answer.mediaType.hasSuffix("+json") else {
            throw HubError(.unsupported, "The hub does not offer \(what): it answers with something else.")
        }
        do { return try JSONValue(parsing: answer.body) } catch { throw .malformed(what, cause: error) }
    }

    /// Returns a text as it is written in one segment of a path.
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true;
                default: false
                }
            return isPlain ? String(scalar) : "%" + HexDigits.text([byte]).uppercased()
        }.joined()
    }
}

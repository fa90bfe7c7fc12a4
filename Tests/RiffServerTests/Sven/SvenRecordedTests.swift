// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// The recorded exchanges of the public server, replayed to the client and to the handler.
@Suite(.timeLimit(.minutes(5)))
struct SvenRecordedTests {
    @Test(arguments: SvenFixtures.files)
    func `the client asks as recorded, and understands what was answered`(file: String) async throws {
        for exchange in try SvenFixtures.exchanges(file) {
            let http = ScriptedHTTPTransport([exchange.reply])
            let token = Secret(exchange.request["json"]?["token"]?.text ?? SvenFixtures.tokenText)
            let client = try SvenFixtures.client(http, token: token)
            let path = String(exchange.path.prefix { $0 != "?" })
            var error: VoiceError?
            do {
                switch (exchange.method, path) {
                case ("POST", "/prompt"):
                    // A prompt that this client would not send can still be answered with what was recorded.
                    let text = exchange.request["json"]?["transcript"]?.text ?? "x"
                    let sent = text.allSatisfy(\.isWhitespace) ? "x" : text
                    let attestation = exchange.request["json"]?["attestation"]?.text
                    let receipt = try await client.send(sent, attestation: attestation, messageID: nil)
                    #expect(receipt.message == exchange.body["message"]?.text)
                    #expect(receipt.requestID == exchange.body["request_id"]?.text)
                    #expect(receipt.replies == (file.contains("055d8c3") ? .none : .messages))
                    var expected = exchange.request["json"]?.object
                    expected?["assertion"] = nil
                    #expect(try JSONValue(parsing: try #require(http.requests.first).body).object == expected)
                case ("GET", "/health"): #expect(try await client.health() == "healthy")
                case ("GET", "/messages"):
                    let messages = try await client.messages(since: SvenQuery(parsing: Self.query(exchange))["since"])
                    #expect(messages.json == exchange.body["messages"], "\(exchange)")
                case ("GET", _) where path.hasPrefix("/audio/"):
                    let clip = try await client.audio(of: String(path.dropFirst("/audio/".count)))
                    #expect(clip.encoding == .wav)
                    #expect(clip.bytes.count == 4844)
                case ("DELETE", "/messages"): try await client.clear()
                case ("POST", "/restart-session"): try await client.restart()
                default: continue  // Not the client's: the root, the list of tokens, registering without a code.
                }
            } catch let failure as VoiceError {
                error = failure
            }
            #expect(error?.code == Self.codes[exchange.name], "\(exchange)")
            let sent = try #require(http.requests.first)
            #expect(http.requests.count == 1)
            #expect(sent.head.method.rawValue == exchange.method)
            let since = SvenQuery(parsing: sent.head.path?.split(separator: "?").last.map(String.init))["since"]
            #expect(since == SvenQuery(parsing: Self.query(exchange))["since"])
            #expect(error.map { String(reflecting: $0).contains(SvenFixtures.tokenText) } != true)
        }
    }

    /// What each refusal is to the client.
    private static let codes: [String: VoiceError.Code] = [
        "unknown_token_401": .unknownDevice, "empty_transcript_400_before_auth": .emptyPrompt,
        "missing_token_422": .promptRejected, "wrong_type_422": .promptRejected, "bad_json_422": .promptRejected,
        "no_content_type": .promptRejected, "inject_failure_500": .promptNotHandedOn,
        "inject_timeout_500": .promptNotHandedOn, "messages_bad_token": .unknownDevice, "audio_404": .audioNotReady,
        "audio_bad_token": .unknownDevice, "restart_bad_token": .unknownDevice,
    ]

    /// Exchanges that the handler answers otherwise, on purpose, with the status it gives instead.
    private static let different: [String: Int] = [
        // There is no list of tokens, and no session to begin anew.
        "tokens_list_unauthenticated": 404, "restart_ok": 404, "restart_bad_token": 404,
        "restart_no_token_allowed": 404,
        // A token is registered with a code in the body, and none in a query.
        "register_query_param": 422,
        // A token must be there for everything that was said.
        "messages_all_no_token": 401, "messages_since_first": 401, "messages_since_iso_T_and_Z": 401,
        "audio_ok": 401, "audio_404": 401, "delete_messages_no_token": 401, "messages_empty": 401,
    ]

    @Test(arguments: SvenFixtures.files)
    func `the handler answers as recorded, but for what is not safe`(file: String) async throws {
        struct Refused: Error {}
        let keepsMessages = file.contains("2dba590")
        let server = SvenServer(
            devices: try await SvenFixtures.ledger(),
            conversation: keepsMessages ? SvenConversation() : nil,
            clock: ManualClock()
        ) { prompt in
            if prompt.text.hasPrefix("inject") { throw Refused() }
        }
        for exchange in try SvenFixtures.exchanges(file) {
            let response = try await server.respond(to: try Self.request(exchange))
            let json = try response.json
            #expect(response.headerFields[.contentType] == "application/json")
            if let status = Self.different[exchange.name] {
                #expect(response.status.code == status, "\(exchange)")
                continue
            }
            #expect(response.status.code == exchange.status, "\(exchange)")
            switch exchange.name {
            case "root":
                #expect(json.object?.keys == exchange.body.object?.keys)
                #expect(json["service"] == exchange.body["service"])
            case "first_prompt_self_registers", "attestation_accepted_unverified":
                // The same members; the id is another, and no SMS is promised by who sends none.
                #expect(json.object?.keys == exchange.body.object?.keys)
                if keepsMessages { #expect(json["message"] == exchange.body["message"]) }
            case _ where exchange.status == 422:
                #expect(try Self.faults(json) == Self.faults(exchange.body), "\(exchange)")
            default: #expect(json == exchange.body, "\(exchange)")
            }
        }
    }

    @Test(arguments: SvenFixtures.files)
    func `the thirty-first prompt in a minute is refused, as recorded`(file: String) async throws {
        let series = try #require(try SvenFixtures.lines(file).first { $0["statuses"] != nil })
        let server = SvenServer(devices: try await SvenFixtures.ledger(), clock: ManualClock()) { _ in }
        var statuses: [JSONValue] = []
        var last: ServerResponse?
        for number in 0..<32 {
            last = try await server.respond(to: SvenFixtures.prompt("n\(number)"))
            statuses.append(.integer(Int64(last?.status.code ?? 0)))
        }
        #expect(JSONValue.array(statuses) == series["statuses"])
        #expect(try last?.json == series["last_body"])
    }

    /// Type, place and text of what is wrong, without the value, which is not sent back here, and without the place in
    /// a text that is no JSON. What is missing from a query there is missing from the body here.
    private static func faults(_ json: JSONValue) throws -> Set<[String]> {
        Set(
            try #require(json["detail"]?.array).compactMap { fault in
                let place = (fault["loc"]?.array ?? []).compactMap(\.text)
                return place.first == "query" || place == ["body", "code"]
                    ? nil : [fault["type"]?.text ?? "", fault["msg"]?.text ?? ""] + place
            }
        )
    }

    private static func request(_ exchange: SvenFixtures.Exchange) throws -> ServerRequest {
        let method = try #require(HTTPRequest.Method(exchange.method))
        switch exchange.name {
        case "bad_json_422":
            let body = BodyChunks(chunks: [Array("{bad".utf8)])
            return ServerRequest(method, exchange.path, headerFields: [.contentType: "application/json"], body: body)
        case "no_content_type":
            let json: JSONValue = ["transcript": "hi", "token": .string(SvenFixtures.tokenText)]
            return SvenFixtures.request(method, exchange.path, json, type: nil)
        default:
            let json = exchange.request["json"].flatMap { $0 == .null ? nil : $0 }
            return SvenFixtures.request(method, exchange.path, json)
        }
    }

    private static func query(_ exchange: SvenFixtures.Exchange) -> String? {
        let parts = exchange.path.split(separator: "?", maxSplits: 1)
        return parts.count > 1 ? String(parts[1]) : nil
    }
}

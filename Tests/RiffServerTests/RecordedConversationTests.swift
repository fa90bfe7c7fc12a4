// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

/// The exchanges of `reference_conversations.jsonl`, in their order, both ways.
@Suite(.timeLimit(.minutes(5))) struct RecordedConversationTests {
    struct Exchange {
        let name: String
        let method: HTTPRequest.Method
        let target: String
        let fields: HTTPFields
        let body: [UInt8]
        let isSigned: Bool
        let status: Int
        let answer: JSONValue
    }

    static func exchanges() throws -> [Exchange] {
        try RiffFixtures.lines("reference_conversations.jsonl").map { line in
            let json = try JSONValue(parsing: Array(line.utf8))
            let request = try #require(json["request"])
            var fields = HTTPFields()
            for member in try #require(request["headers"]?.object) {
                fields[try #require(HTTPField.Name(member.key))] = member.value.text
            }
            let text = request["body"]?.text ?? ""
            let count = text.hasPrefix("<") ? Int(text.dropFirst().prefix { $0.isNumber }) : nil
            return Exchange(
                name: json["name"]?.text ?? "",
                method: request["method"]?.text == "GET" ? .get : .post,
                target: request["path"]?.text ?? "",
                fields: fields,
                body: count.map { [UInt8](repeating: 0x78, count: $0) } ?? Array(text.utf8),
                isSigned: count == nil,
                status: Int(json["response"]?["status"]?.integer ?? 0),
                answer: json["response"]?["body"] ?? .null
            )
        }
    }

    private struct Failed: Error {}

    /// Does what the reference server's stand-ins did.
    private static let responder = ClosureResponder { turn in
        if turn.text == "claudetimeout" { try await EventualValue<Void>().cancellableValue() }
        // What is quoted is one message each in this recording; the rest is the window's own.
        let count = turn.prompt.split(separator: "\n").filter { $0.hasPrefix("> ") }.count
        return "You said: \(turn.text)" + (turn.conversation == nil ? "" : " [window \(count)]")
    }
    private static let recognizer = FakeRecognizer { clip in
        if clip.bytes == Array("SCRIBEFAIL".utf8) { throw Failed() }
        return Transcript(text: String(decoding: clip.bytes.dropFirst(5), as: UTF8.self))
    }

    @Test func `the handlers answer as the reference server did`() async throws {
        let folder = "\(NSTemporaryDirectory())/riff-recorded-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Nothing else to clean up with.
        var configuration = ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network)
        configuration.allowsV1 = true
        let records = ServerRecords(folder: folder)
        func server(_ timeout: Duration) throws -> VoiceServer {
            let conversations = ConversationService(responder: Self.responder, records: records, timeout: timeout)
            return try VoiceServer(configuration, recognizer: Self.recognizer, conversations: conversations)
        }
        // With the same records. Only what is never answered is to run out of time.
        let (patient, hasty) = (try server(.seconds(30)), try server(.milliseconds(200)))
        let all = try Self.exchanges()
        #expect(all.count == 17)
        for exchange in all {
            var fields = exchange.fields
            if !exchange.isSigned {
                let secret = try RiffFixtures.secret()
                fields[.riffSignature] = RequestSignature(of: exchange.body, with: secret).value
            }
            let body = BodyChunks(chunks: exchange.body.isEmpty ? [] : [exchange.body])
            let response = try await (exchange.status == 504 ? hasty : patient).respond(
                to: ServerRequest(exchange.method, exchange.target, headerFields: fields, body: body)
            )
            #expect(response.statusCode == exchange.status, "\(exchange.name)")
            let answer = try JSONValue(parsing: response.body)
            #expect(answer.withoutNamesAndTimes == exchange.answer.withoutNamesAndTimes, "\(exchange.name)")
        }
    }

    @Test func `the client reads every answer that it can ask for`() async throws {
        var read = 0
        for exchange in try Self.exchanges() where exchange.status == 200 {
            let http = ScriptedHTTPTransport([.json(String(decoding: exchange.answer.bytes(), as: UTF8.self))])
            let client = try RelayClient.make(http)
            let clip = AudioClip(exchange.body.isEmpty ? [1] : exchange.body, encoding: .m4a)
            switch exchange.name {
            case "message":
                #expect(try await client.send("hello").text == exchange.answer["reply"]?.text)
                #expect(http.requests.first?.body == exchange.body)
            case "conversation", "conversation_limit_1":
                let limit = exchange.name == "conversation" ? 200 : 1
                let messages = try await client.messages(limit: limit)
                #expect(JSONValue.array(messages.map(\.json)) == exchange.answer["messages"])
                #expect(http.requests.first?.head.path == exchange.target)
            case "audio_oneshot": #expect(try await client.ask(clip).session.text == "s-1")
            case "audio_conversation":
                #expect(try await client.send(clip).transcript == "spoken turn")
                #expect(http.requests.first?.head.headerFields[.riffConversationID] == "default")
            case "transcript": #expect(try await client.ask("legacy").text == "You said: legacy")
            case "sessions":
                let count = try #require(exchange.answer["sessions"]?.array?.count)
                #expect(try await client.sessions().count == count && count > 0)
            default: Issue.record("\(exchange.name) is not asked")
            }
            #expect(http.requests.first?.head.method == exchange.method)
            read += 1
        }
        #expect(read == 7)
    }
}

extension JSONValue {
    /// Without what is another each time, and without records of clips that failed: the reference server keeps none.
    fileprivate var withoutNamesAndTimes: JSONValue {
        switch self {
        case .array(let elements):
            .array(elements.filter { $0["error"] != "transcription failed" }.map(\.withoutNamesAndTimes))
        case .object(let members):
            .object(
                JSONObject(
                    members.filter { !["id", "message_id", "ts", "ts_reply"].contains($0.key) }.map {
                        ($0.key, $0.value.withoutNamesAndTimes)
                    }
                )
            )
        default: self
        }
    }
}

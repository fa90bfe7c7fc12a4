// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHub
import RiffTesting
import Testing

@Suite struct HubIdentifierTests {
    /// Texts that differ from their usual form: composed of two scalars, unusual in an address, not printable.
    private static let texts = ["e\u{301}", "a/b?c=%20&d#e", " ", "\u{200B}\u{1F3F4}\u{7F}", "A\u{30A}\u{327}"]

    @Test(arguments: texts) func `an id of a peer comes back to it byte for byte`(text: String) throws {
        let bytes = Array(text.utf8)
        let json: JSONValue = ["type": "user_ack", "session_id": .string(text), "msg_id": .string(text)]
        let frame = try HubFrame(text: json.description)
        guard case .userAck(let session, let message) = frame.message else {
            Issue.record("\(frame.message)")
            return
        }
        #expect(Array(session.rawValue.utf8) == bytes && Array(session.description.utf8) == bytes)
        #expect(Array(message.rawValue.utf8) == bytes)
        let command = HubCommand.userAck(session: session, messageID: message)
        let said = try JSONValue(parsing: try command.message(for: .acknowledgements))
        #expect(said["session_id"]?.text.map { Array($0.utf8) } == bytes)
        #expect(said["msg_id"]?.text.map { Array($0.utf8) } == bytes)
    }

    @Test(arguments: texts) func `an id in an address has every byte of it`(text: String) async throws {
        let http = ScriptedHTTPTransport([.json("{}"), .json(#"{"messages":[]}"#)])
        let service = HubService(try HubAddress("http://127.0.0.1:3460"), http: http)
        try await service.terminate(session: HubSession.ID(rawValue: text))
        let message = HubChatMessage(.user, "x", id: HubChatMessage.ID(rawValue: text))
        _ = try await service.history(of: HubVoice.ID(rawValue: text), before: message)
        let escaped = text.utf8.map { Self.escaped($0) }.joined()
        #expect(
            http.requests.map(\.head.path) == [
                "/api/sessions/\(escaped)", "/api/history/\(escaped)?before=\(escaped)&limit=150",
            ]
        )
    }

    private static func escaped(_ byte: UInt8) -> String {
        let scalar = Unicode.Scalar(byte)
        if scalar.isASCII, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            return String(scalar)
        }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

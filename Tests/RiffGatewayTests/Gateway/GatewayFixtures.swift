// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// Recorded exchanges with RemoteClaw's plugin and a stand-in of its host (Fixtures/gateway).
enum GatewayFixtures {
    static let files = ["plugin_2a96181_and_host_shim", "plugin_5afb77e_newest"]

    /// What was answered to the exchange of a name.
    static func reply(_ name: String, in file: String = files[0]) throws -> ScriptedHTTPTransport.Reply {
        let response = try #require(try exchange(name, in: file)["response"])
        let status = HTTPResponse.Status(code: Int(response["status"]?.integer ?? 0))
        var fields = HTTPFields()
        for member in response["headers"]?.object ?? [:] {
            guard let name = HTTPField.Name(member.key), name != .connection, name != .contentLength else { continue }
            fields[name] = member.value.text
        }
        // Some recordings kept the type alone, or no fields; the plugin sends a type with all that it writes.
        let type = response["content_type"]?.text ?? (response["headers"] == nil ? "application/json" : nil)
        if let type { fields[.contentType] = type }
        let head = HTTPResponse(status: status, headerFields: fields)
        if let lines = response["lines"]?.array {
            let failure = response["transport_error"]?.text.map { TransportError(.connectionLost, $0) }
            // A line that was cut off has no end.
            let text = lines.compactMap(\.text).joined(separator: "\n") + (failure == nil ? "\n" : "")
            return .response(head, chunks: [Array(text.utf8)], failure: failure)
        }
        let body = response["body"] ?? .null
        if let hex = body["hex_head"]?.text, let count = body["bytes"]?.integer {
            let digits = Array(hex)
            let start = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
            return .response(head, chunks: [start + [UInt8](repeating: 0, count: Int(count) - start.count)])
        }
        if body == .null { return .response(head, chunks: []) }
        return .response(head, chunks: [body.text.map { Array($0.utf8) } ?? body.bytes()])
    }

    static func exchange(_ name: String, in file: String) throws -> JSONValue {
        try #require(
            try Fixture.cases("gateway/\(file).jsonl").first { $0["name"]?.text == name },
            "there is no exchange \(name)"
        )
    }

    static func gateway(
        _ http: any HTTPTransport,
        token: String? = "t0ken",
        timing: ChatGateway.Timing = ChatGateway.Timing(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> ChatGateway {
        let server = try HTTPBaseURL("http://127.0.0.1:18789")
        let configuration = GatewayConfiguration(server: server, token: token.map { Secret($0) }, agent: "remoteclaw")
        return ChatGateway(configuration, http: http, timing: timing, clock: clock)
    }

    /// A gateway that answers with recorded exchanges.
    static func gateway(_ names: [String], in file: String = files[0]) throws -> (ChatGateway, ScriptedHTTPTransport) {
        let http = ScriptedHTTPTransport(try names.map { try reply($0, in: file) })
        return (try gateway(http), http)
    }
}

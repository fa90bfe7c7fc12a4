// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import Testing

/// Reads everything that real agents and a client wrote to each other.
@Suite struct TranscriptTests {
    @Test(arguments: TranscriptLines.names)
    func `every message reads into its type and writes the same`(name: String) throws {
        var methods: [ACP.RequestID: String] = [:]
        var read = 0
        for line in try TranscriptLines.read(name) where line.direction == "a2c" || line.direction == "c2a" {
            let message = line.message
            let id = message["id"].map(ACP.RequestID.init(json:))
            let method = message["method"]?.text
            if let method, let params = message["params"] {
                if let id { methods[id] = method }
                guard let type = ACP.parameterTypes[method] else {
                    // Extensions, and what the client asked to see it refused.
                    #expect(method.hasPrefix("_") || method == "no/such_method", "\(line.number): \(method)")
                    continue
                }
                let value = Result { try type.init(json: params) }
                if Self.brokenOnPurpose[name] == line.number {
                    #expect(throws: CoreError.self) { try value.get() }
                    continue
                }
                #expect(try value.get().json.normalized == params.normalized, "\(line.number)")
                if case .success(let value as ACP.SessionNotification) = value, case .unknown = value.update {
                    Issue.record("line \(line.number): an update of a known kind was not read")
                }
                read += 1
            } else if let id, let result = message["result"], let method = methods[id], !method.hasPrefix("_") {
                // Some answer null where nothing is to be said.
                let result: JSONValue = result == .null ? [:] : result
                let type = try #require(ACP.resultTypes[method], "\(line.number): \(method)")
                if Self.brokenOnPurpose[name] == line.number {
                    #expect(throws: CoreError.self) { try type.init(json: result) }
                    continue
                }
                #expect(try type.init(json: result).json.normalized == result.normalized, "\(line.number): \(method)")
                read += 1
            } else if let error = message["error"] {
                #expect(try ACP.RPCError(json: error).json == error, "\(line.number)")
                read += 1
            }
        }
        #expect(read > 3)
    }

    /// The lines in which the recorded client left out a member or misspelt one, to see what the agent makes of it.
    private static let brokenOnPurpose = [
        "hermes-full": 253, "sdk-example-agent": 59, "hermes-scarf-shaped-client": 32,
    ]
}

extension JSONValue {
    /// The same with each number in the form that its value has, whole or not: `2` and `2.0` are equal JSON.
    var normalized: JSONValue {
        switch self {
        case .number: integer.map { .integer($0) } ?? self
        case .array(let elements): .array(elements.map(\.normalized))
        case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.normalized) }))
        default: self
        }
    }
}

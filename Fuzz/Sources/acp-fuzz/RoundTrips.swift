// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore

/// Reads a message's parameters or result into the types that the method may mean, and writes them again.
func read(_ json: JSONValue, _ transcript: inout ACPTranscript) {
    if let update = json["params"]?["update"], let update = try? ACP.SessionUpdate(json: update) {
        transcript.apply(update)
        check(update)
    }
    for part in [json["params"], json["result"], json].compactMap(\.self) {
        check(as: ACP.SessionNotification.self, part)
        check(as: ACP.RequestPermissionRequest.self, part)
        check(as: ACP.InitializeResponse.self, part)
        check(as: ACP.NewSessionResponse.self, part)
        check(as: ACP.PromptResponse.self, part)
        check(as: ACP.CreateElicitationRequest.self, part)
        check(as: ACP.CreateTerminalRequest.self, part)
        check(as: ACP.ListSessionsResponse.self, part)
    }
}

private func check<Value: JSONConvertible>(as type: Value.Type, _ json: JSONValue) {
    // What does not read is the peer's mistake.
    if let value = try? Value(json: json) { check(value) }
}

private func check<Value: JSONConvertible>(_ value: Value) {
    precondition((try? Value(json: value.json)) == value, "What is written reads differently.")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffTesting
import RiffTransport

/// Replies of a gateway, written out.
enum ChatScript {
    /// A reply that is not streamed, with this message.
    static func whole(_ message: String, finish: String = "stop") -> ScriptedHTTPTransport.Reply {
        .json(#"{"model":"m","choices":[{"message":\#(message),"finish_reason":"\#(finish)"}]}"#)
    }

    /// A stream with these deltas, and how it ends: with its end unless a failure is given, or an event.
    static func stream(
        _ deltas: [String],
        last: String? = "[DONE]",
        failure: (any Error)? = nil
    ) -> ScriptedHTTPTransport.Reply {
        var text = deltas.map { "data: {\"choices\":[{\"index\":0,\"delta\":\($0)}]}\n\n" }.joined()
        if failure == nil, let last { text += "data: \(last)\n\n" }
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        return .response(head, chunks: [Array(text.utf8)], failure: failure)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ACPTranscript.Entry.Kind {
    /// The message; `nil` for a tool call.
    public var message: ACPTranscript.Message? {
        switch self {
        case .user(let message), .agent(let message), .thought(let message): message
        case .toolCall: nil
        }
    }
}

extension Patch where Value == String {
    func map(_ transform: (String) -> String) -> Patch<String> {
        if case .set(let text) = self { .set(transform(text)) } else { self }
    }
}

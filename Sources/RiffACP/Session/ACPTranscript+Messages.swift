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

    func isSameKind(as other: Self) -> Bool {
        switch (self, other) {
        case (.user, .user), (.agent, .agent), (.thought, .thought): true
        default: false
        }
    }

    /// Adds a piece in place: the message's text must not be copied for each of its pieces.
    mutating func append(_ block: ACP.ContentBlock) {
        switch consume self {
        case .user(var message):
            message.append(block)
            self = .user(message)
        case .agent(var message):
            message.append(block)
            self = .agent(message)
        case .thought(var message):
            message.append(block)
            self = .thought(message)
        case .toolCall(let call): self = .toolCall(call)
        }
    }
}

extension ACPTranscript.Message {
    mutating func append(_ block: ACP.ContentBlock) {
        guard case .text(let more) = block, more.annotations == nil, let last = content.last, case .text(var text) = last,
            text.annotations == nil
        else {
            content.append(block)
            return
        }
        // Nobody else may hold the text while it grows, or it is copied each time.
        content.removeLast()
        text.text += more.text
        content.append(.text(text))
    }
}

extension Patch where Value == String {
    func map(_ transform: (String) -> String) -> Patch<String> {
        if case .set(let text) = self { .set(transform(text)) } else { self }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ChatReply {
    /// Whether the reply reads like an error of the host that came as an answer, whole and ended properly: `Error:
    /// ...`, or the JSON of an error. It may also be the model's own words; a front end can only ask whether to try
    /// again.
    public var suspectedError: Bool {
        guard let choice = choices.first, choice.finishReason == .stop, choice.toolCalls.isEmpty else { return false }
        return SuspectedError.isLikely(choice.content)
    }
}

extension ChatThread.Entry {
    /// Whether an answer reads like an error of the host, as ``ChatReply/suspectedError`` says. The conversation can be
    /// resumed then, which asks for the answer anew.
    public var isSuspectedError: Bool {
        role == .assistant && state == .whole && toolCalls.isEmpty && SuspectedError.isLikely(text)
    }
}

/// The ways in which hosts write an error where an answer belongs.
enum SuspectedError {
    /// More than this is more than an error says.
    private static let limitBytes = 4096
    private static let beginnings = [
        "error: ", "error code: ", "[error]", "[error: ", "\u{26A0}\u{FE0F} error", "\u{274C} error", "api error: ",
        "litellm.",
    ]

    static func isLikely(_ text: String) -> Bool {
        guard text.utf8.count <= limitBytes else { return false }
        let words = text.drop(while: \.isWhitespace)
        if words.utf8.first == UInt8(ascii: "{") {
            // An answer in JSON is no error; one that says no more than that there is an error, is.
            let object = (try? JSONValue(parsing: String(words)))?.object
            return object?.count == 1 && object?["error"] != nil && GatewayProblem(member: object?["error"]) != nil
        }
        let start = words.prefix(24).lowercased()
        return beginnings.contains { start.utf8.starts(with: $0.utf8) }
            && (!start.utf8.starts(with: "litellm.".utf8) || words.prefix(64).contains("Error:"))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ChatEntry.ToolCall {
    /// The bytes of an input or an output that can be found; what is behind them is kept, and not searched.
    static let searchedBytes = 4096

    /// The text of the call that a search finds.
    var searchedText: String {
        [name, kind ?? "", Self.searched(input), Self.searched(output), Self.searched(extra["content"])]
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func searched(_ json: JSONValue?) -> String {
        guard let json else { return "" }
        return String(decoding: (json.text.map { Array($0.utf8) } ?? json.bytes()).prefix(searchedBytes), as: UTF8.self)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The addition to a tool's call. A member that is absent, null or empty adds nothing.
struct ChatToolCallPiece {
    var index: Int?
    var id = ""
    var name = ""
    var arguments = JSONText("")
    /// Whether it came in the form that calls had before there were tools.
    var isFunctionCall = false

    /// Reads an element of `tool_calls`.
    init(_ cursor: inout JSONCursor) throws(CoreError) {
        try cursor.members { (name, cursor) throws(CoreError) in
            switch name {
            case "index": index = try cursor.value().integer.flatMap { Int(exactly: $0) }
            case "id": id = try cursor.text()?.repaired ?? ""
            case "function": try takeFunction(&cursor)
            default: break
            }
        }
    }

    /// Reads a `function_call`.
    init(function cursor: inout JSONCursor) throws(CoreError) {
        isFunctionCall = true
        try takeFunction(&cursor)
    }

    /// Whether nothing is added.
    var isEmpty: Bool { id.isEmpty && name.isEmpty && arguments.isEmpty }

    private mutating func takeFunction(_ cursor: inout JSONCursor) throws(CoreError) {
        try cursor.members { (name, cursor) throws(CoreError) in
            switch name {
            case "name": self.name = try cursor.text()?.repaired ?? ""
            case "arguments":
                if cursor.kind() == .text {
                    arguments = try cursor.text() ?? arguments
                } else {
                    // Some send the arguments themselves instead of their text.
                    let value = try cursor.value()
                    if value != .null { arguments = JSONText(value.description) }
                }
            default: break
            }
        }
    }
}

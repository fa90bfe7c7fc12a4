// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Names in messages of Codex's app-server: ids of threads, turns, items and requests. One that is too long is none.
package enum CodexName {
    /// The most bytes of a name. Codex's own have 36.
    static let limitBytes = 256

    /// A text as a name; `nil` if it is none.
    package static func read(_ value: JSONValue?) -> String? {
        guard let text = value?.text, !text.isEmpty, text.utf8.count <= limitBytes else { return nil }
        return text
    }

    /// The id of a request as a text: a number, or a text that is no number's.
    package static func request(_ value: JSONValue?) -> String? {
        if case .integer(let number)? = value { return String(number) }
        guard let text = read(value) else { return nil }
        // A server may have both; they must not be taken for each other.
        return Int64(text) == nil ? text : "\"" + text + "\""
    }

    /// Whether two names are the same, byte for byte.
    package static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name of a member under a ``JSONCursor``, to compare without making a text of it. Valid as long as the cursor is.
package struct JSONName {
    /// The bytes between the quotes, checked.
    private let source: UnsafeBufferPointer<UInt8>
    /// The number of the name's bytes; -1 if there are escapes among them.
    @usableFromInline let count: Int

    init(source: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
        self.source = source
        count = isEscaped ? -1 : source.count
    }

    /// Whether a name is this one, which is ASCII; so that names can be the cases of a switch.
    @inlinable
    package static func ~= (name: StaticString, found: JSONName) -> Bool { found == name }

    /// Whether a name is this one, which is ASCII.
    // Inlined, since nearly all of a message's names differ in length from nearly all that are looked for.
    @inlinable
    package static func == (found: JSONName, name: StaticString) -> Bool {
        (found.count == name.utf8CodeUnitCount || found.count < 0) && found.isSame(name)
    }

    @usableFromInline
    func isSame(_ name: StaticString) -> Bool {
        // Nobody writes escapes in names, but they mean the same.
        guard count >= 0 else { return unescaped == name.description }
        let expected = UnsafeBufferPointer(start: name.utf8Start, count: count)
        for place in 0..<count where source[place] != expected[place] { return false }
        return true
    }

    private var unescaped: String? {
        let quote = [UInt8(ascii: "\"")]
        // It was checked when it was passed over, so that it reads.
        return try? JSONValue(parsing: quote + source + quote).text
    }
}

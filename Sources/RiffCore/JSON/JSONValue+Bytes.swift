// Riff
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Reads one JSON document.
    ///
    /// Accepts RFC 8259, and beyond it a byte order mark, control characters inside of texts, half surrogate pairs and
    /// invalid UTF-8 (each becomes U+FFFD), and `NaN` and `Infinity` (null). At most 256 levels of nesting.
    ///
    /// - Parameter bytes: The document, in UTF-8, complete.
    /// - Throws: ``CoreError`` with `invalidJSON`.
    public init(parsing bytes: [UInt8]) throws(CoreError) { try self.init(parsing: bytes[...]) }

    /// Reads one JSON document from a part of an array.
    ///
    /// - Throws: ``CoreError`` with `invalidJSON`.
    public init(parsing bytes: ArraySlice<UInt8>) throws(CoreError) {
        self = try bytes.withUnsafeBufferPointer { (bytes) throws(CoreError) in try JSONScanner.parse(bytes) }
    }

    /// Reads one JSON document from a text.
    ///
    /// - Throws: ``CoreError`` with `invalidJSON`.
    public init(parsing text: String) throws(CoreError) { try self.init(parsing: Array(text.utf8)) }

    /// The value as one line of UTF-8: no space, no line break.
    ///
    /// - Parameter sortedKeys: Whether members are written by name instead of in their order, for texts to compare.
    /// - Returns: UTF-8.
    public func bytes(sortedKeys: Bool = false) -> [UInt8] {
        var writer = JSONWriter(sortsKeys: sortedKeys)
        writer.write(self)
        return writer.bytes
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON in one line.
    public var description: String { String(decoding: bytes(), as: UTF8.self) }
}

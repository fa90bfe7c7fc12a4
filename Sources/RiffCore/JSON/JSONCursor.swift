// Riff
// SPDX-License-Identifier: Apache-2.0

/// Walks through one JSON document without building it: for messages that come by the thousand, and of which only some
/// members matter.
///
/// It accepts what ``JSONValue/init(parsing:)-(ArraySlice<UInt8>)`` accepts, and what is passed over is checked like
/// what is read. It is valid only while ``read(_:_:)`` runs.
///
/// ```swift
/// var name: JSONText?
/// try JSONCursor.read(#"{"id": 1, "name": "Riff"}"#) { (cursor) throws(CoreError) in
///     try cursor.members { (key, cursor) throws(CoreError) in
///         if key == "name" { name = try cursor.text() }
///     }
/// }
/// ```
package struct JSONCursor {
    /// The kind of the next value.
    package enum Kind: Sendable { case object, array, text, other }

    private var scanner: JSONScanner
    private var depth = 0

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The document, complete.
    ///   - body: Takes from the cursor what it wants; the rest of the value is passed over.
    /// - Throws: ``CoreError`` with `invalidJSON`, naming the byte where reading stopped; what `body` throws.
    package static func read(
        _ text: String,
        _ body: (inout JSONCursor) throws(CoreError) -> Void
    ) throws(CoreError) {
        var text = text
        var failure: CoreError?
        // `withUTF8` rethrows, but not yet with a type.
        text.withUTF8 { bytes in
            do throws(CoreError) { try read(bytes, body) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Reads a document; see the other form.
    ///
    /// - Throws: ``CoreError`` with `invalidJSON`; what `body` throws.
    package static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (inout JSONCursor) throws(CoreError) -> Void
    ) throws(CoreError) {
        var cursor = JSONCursor(scanner: try JSONScanner.begin(bytes))
        let start = cursor.next()
        try body(&cursor)
        try cursor.pass(from: start)
        try cursor.scanner.finish()
    }

    /// What is next.
    package mutating func kind() -> Kind {
        scanner.skipSpace()
        guard scanner.at < scanner.end else { return .other }
        return switch scanner.at.pointee {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .text
        default: .other
        }
    }

    /// Goes through the members of an object, in order; passes over any other value.
    ///
    /// - Parameter body: Gets each name, and the cursor at its value. A value that it does not take is passed over.
    /// - Throws: ``CoreError`` with `invalidJSON`; what `body` throws.
    package mutating func members(_ body: (JSONName, inout JSONCursor) throws(CoreError) -> Void) throws(CoreError) {
        guard kind() == .object else { return try skip() }
        let end = UInt8(ascii: "}")
        var goesOn = try open(end)
        while goesOn {
            guard kind() == .text else { throw scanner.failure("a member needs a name") }
            let name = try name()
            scanner.skipSpace()
            guard try scanner.take(UInt8(ascii: ":")) else { throw scanner.failure("a colon is missing") }
            let start = next()
            try body(name, &self)
            try pass(from: start)
            goesOn = try hasNext(before: end)
        }
    }

    /// Goes through the elements of a list; passes over any other value.
    ///
    /// - Parameter body: Gets the cursor at each element. One that it does not take is passed over.
    /// - Throws: ``CoreError`` with `invalidJSON`; what `body` throws.
    package mutating func elements(_ body: (inout JSONCursor) throws(CoreError) -> Void) throws(CoreError) {
        guard kind() == .array else { return try skip() }
        let end = UInt8(ascii: "]")
        var goesOn = try open(end)
        while goesOn {
            let start = next()
            try body(&self)
            try pass(from: start)
            goesOn = try hasNext(before: end)
        }
    }

    /// Takes a text; passes over any other value.
    ///
    /// - Returns: `nil` where it is none.
    /// - Throws: ``CoreError`` with `invalidJSON`.
    package mutating func text() throws(CoreError) -> JSONText? {
        guard kind() == .text else {
            try skip()
            return nil
        }
        let first = scanner.at + 1
        let text = try scanner.string()
        return JSONText(text, source: UnsafeBufferPointer(start: first, count: scanner.at - 1 - first))
    }

    /// Takes a text to compare it, without making a `String` of it; passes over any other value.
    ///
    /// - Parameter text: A text in ASCII.
    /// - Returns: Whether the value is this text.
    /// - Throws: ``CoreError`` with `invalidJSON`.
    package mutating func isText(_ text: StaticString) throws(CoreError) -> Bool {
        guard kind() == .text else {
            try skip()
            return false
        }
        return try name() == text
    }

    /// Takes a value of any kind.
    package mutating func value() throws(CoreError) -> JSONValue { try scanner.value(depth: depth) }

    /// Passes over a value.
    package mutating func skip() throws(CoreError) {
        switch kind() {
        case .object: try members { (_, _) throws(CoreError) in }
        case .array: try elements { (_) throws(CoreError) in }
        case .text: try scanner.skipString()
        case .other: try scanner.skipScalar()
        }
    }

    // MARK: Steps

    /// Returns the place where the next value begins.
    private mutating func next() -> UnsafePointer<UInt8> {
        scanner.skipSpace()
        return scanner.at
    }

    /// Passes over the value that begins here if it was not taken.
    private mutating func pass(from start: UnsafePointer<UInt8>) throws(CoreError) {
        if scanner.at == start { try skip() }
    }

    /// Begins an object or a list; whether there is something in it.
    private mutating func open(_ end: UInt8) throws(CoreError) -> Bool {
        try scanner.enter(depth)
        depth += 1
        scanner.skipSpace()
        return try !close(end)
    }

    /// Whether something follows what was there in an object or a list.
    private mutating func hasNext(before end: UInt8) throws(CoreError) -> Bool {
        scanner.skipSpace()
        if try scanner.take(UInt8(ascii: ",")) { return true }
        if try close(end) { return false }
        throw scanner.failure("a comma is missing")
    }

    private mutating func close(_ end: UInt8) throws(CoreError) -> Bool {
        guard try scanner.take(end) else { return false }
        depth -= 1
        return true
    }

    private mutating func name() throws(CoreError) -> JSONName {
        let first = scanner.at + 1
        let isEscaped = try scanner.skipString()
        return JSONName(
            source: UnsafeBufferPointer(start: first, count: scanner.at - 1 - first),
            isEscaped: isEscaped
        )
    }
}

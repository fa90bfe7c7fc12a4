// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name of a conversation, a device or a recording on a Riff server: 1 to 64 of `A-Z a-z 0-9 _ -`.
///
/// Nothing else is accepted, so that a name can be a file's name and a header field's value as it is.
public struct RiffIdentifier: Sendable, Hashable {
    /// The name itself.
    public let text: String

    /// Creates an identifier from its text.
    ///
    /// - Throws: ``CoreError`` with `invalidIdentifier`; the message does not quote it.
    public init(_ text: String) throws(CoreError) {
        guard Self.isValid(text) else {
            throw CoreError(.invalidIdentifier, "An identifier must be 1 to 64 of the characters A-Z a-z 0-9 _ and -.")
        }
        self.text = text
    }

    /// Whether a text can be an identifier.
    package static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
    }

    /// A name of 128 random bits, as 32 hexadecimal digits.
    public static func random(using generator: inout some RandomNumberGenerator) -> RiffIdentifier {
        let digits = Array("0123456789abcdef")
        return RiffIdentifier(
            unchecked: String((0..<32).map { _ in digits[Int(generator.next(upperBound: UInt64(16)))] })
        )
    }

    /// A name of 128 random bits from the system's generator.
    public static func random() -> RiffIdentifier {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// `default`: the name of what is meant where none is given.
    public static let `default` = RiffIdentifier(unchecked: "default")

    /// The name of what was there before there were names.
    static let first = RiffIdentifier(unchecked: "first")

    private init(unchecked text: String) { self.text = text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
    }
}

extension RiffIdentifier: CustomStringConvertible {
    /// The name itself.
    public var description: String { text }
}

extension CoreErrorCode {
    /// The text is not 1 to 64 letters, digits, `_` or `-`.
    public static let invalidIdentifier = CoreError.Code(rawValue: "invalidIdentifier")
}

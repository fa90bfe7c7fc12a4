// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The secret that a Riff server and its clients share: 32 bytes, written as 64 hexadecimal digits.
///
/// The key is the bytes, never the text: a peer that signs with the 64 characters is refused. It prints as `<secret>`.
public struct RiffSecret: Sendable, Hashable {
    /// The 32 bytes; or none, which is what a build without a secret has.
    public let key: Secret

    /// A secret written in hexadecimal; white space around it is ignored.
    ///
    /// An empty text is legal and gives a placeholder, since distributed builds ship without a secret.
    ///
    /// - Throws: ``VoiceError`` with `invalidSecret` for anything else than 0 or 64 hexadecimal digits; the message
    ///   does not quote it.
    public init(hex: String) throws(VoiceError) {
        let digits = hex.utf8.drop { Self.isSpace($0) }
        let text = digits.reversed().drop { Self.isSpace($0) }.reversed()
        guard text.count == 64 || text.isEmpty else {
            throw Self.invalid("it has \(text.count) characters")
        }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = Self.digit(character) else { throw Self.invalid("it holds another character") }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        key = Secret(bytes)
    }

    /// A secret out of its 32 bytes; `nil` where it has another number of them.
    package init?(key: Secret) {
        guard key.bytes.count == 32 else { return nil }
        self.key = key
    }

    /// A new secret, out of the system's random numbers.
    public static func random() -> RiffSecret {
        var generator = SystemRandomNumberGenerator()
        return RiffSecret(unchecked: (0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) { key = Secret(bytes) }

    /// The 64 hexadecimal digits, as ``init(hex:)`` takes them: what to keep in a secret store.
    public var text: Secret { Secret(HexDigits.text(key.bytes)) }

    /// Whether it protects nothing: empty, or all zeros (RFC 2104 pads a short key with zeros, so that both give the
    /// same signatures). It is accepted, for compatibility; a front end should say so, and a server that can be reached
    /// from elsewhere refuses to start with it.
    public var isPlaceholder: Bool { key.bytes.allSatisfy { $0 == 0 } }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }

    private static func isSpace(_ character: UInt8) -> Bool { character == 0x20 || (0x09...0x0D).contains(character) }

    private static func invalid(_ reason: String) -> VoiceError {
        let message = "The shared secret must be 64 hexadecimal digits, but \(reason)."
        return VoiceError(.invalidSecret, message, recovery: .openSettings(.riffSecret))
    }
}

extension RiffSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<secret>`.
    public var description: String { "<secret>" }
    /// Always `<secret>`.
    public var debugDescription: String { "<secret>" }
    /// Shows no member.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VoiceErrorCode {
    /// The shared secret is not 64 hexadecimal digits.
    public static let invalidSecret = VoiceError.Code(rawValue: "invalidSecret")
}

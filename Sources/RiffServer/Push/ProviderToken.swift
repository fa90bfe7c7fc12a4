// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RiffCore
internal import Synchronization

/// The token that shows a push service who sends (RFC 7519, ES256), made anew when it grows old.
///
/// Apple refuses one older than an hour, and one that is made anew within 20 minutes ("Establishing a token-based
/// connection to APNs").
final class ProviderToken: Sendable {
    /// How long one is used, in seconds.
    static let lifetime: Double = 40 * 60
    /// How old one must be to be made anew because the service finds it too old.
    static let leastAge: Double = 20 * 60

    private struct Token {
        let text: String
        let time: Double
    }

    private let key: PushKey
    private let token = Mutex<Token?>(nil)

    init(_ key: PushKey) { self.key = key }

    /// The token to send now.
    func text(at now: Double) throws -> String {
        try token.withLock { token in
            // A clock that was set back makes a new one, too.
            if let token, (0..<Self.lifetime).contains(now - token.time) { return token.text }
            let fresh = Token(text: try make(at: now), time: now)
            token = fresh
            return fresh.text
        }
    }

    /// The service finds a token too old. Returns whether the next one is another.
    func expire(_ text: String, at now: Double) -> Bool {
        token.withLock { token in
            guard let current = token, current.text == text else { return true }
            guard !(0..<Self.leastAge).contains(now - current.time) else { return false }
            token = nil
            return true
        }
    }

    private func make(at now: Double) throws -> String {
        let header: JSONValue = ["alg": "ES256", "kid": .string(key.id)]
        let claims: JSONValue = ["iss": .string(key.team), "iat": .number(now.rounded(.down))]
        let signed = "\(Self.encoded(header.bytes())).\(Self.encoded(claims.bytes()))"
        let signature = try key.key.signature(for: Array(signed.utf8))
        return "\(signed).\(Self.encoded(Array(signature.rawRepresentation)))"
    }

    /// Base64 for addresses, without padding (RFC 7515, section 2).
    private static func encoded(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString().utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

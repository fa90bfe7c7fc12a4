// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import RiffCore

/// The key that signs a server's way to Apple's push service: the `.p8` file of a developer's account.
///
/// It prints as its id, never as the key.
public struct PushKey: Sendable {
    let id: String
    let team: String
    let key: P256.Signing.PrivateKey

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - pem: The text of the `.p8` file.
    ///   - id: The key's id, ten letters and digits, as the account shows it beside the key.
    ///   - team: The team's id, ten letters and digits.
    /// - Throws: ``ServerError`` with `invalidPushKey`; the message does not quote the key.
    public init(pem: Secret, id: String, team: String) throws(ServerError) {
        guard Self.isName(id), Self.isName(team) else {
            throw Self.invalid("The ids of a push key and of its team are letters and digits.")
        }
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: String(decoding: pem.bytes, as: UTF8.self))
        } catch {
            // The cause would be the parser's, which may quote what it read.
            throw Self.invalid("The push key is not the PEM text of a P-256 private key, as a .p8 file holds it.")
        }
        (self.id, self.team) = (id, team)
    }

    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
    }

    private static func invalid(_ message: String) -> ServerError {
        ServerError(.invalidPushKey, message, recovery: .openSettings(.pushKey))
    }
}

extension PushKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's id.
    public var description: String { "<push key \(id)>" }
    /// The key's id.
    public var debugDescription: String { description }
    /// Shows no member.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ServerErrorCode {
    /// The key, its ids or the topic of a push service cannot be used.
    public static let invalidPushKey = ServerError.Code(rawValue: "invalidPushKey")
}

extension SettingName {
    /// The key for Apple's push service.
    public static let pushKey = SettingName("RIFF_APNS_KEY")
}

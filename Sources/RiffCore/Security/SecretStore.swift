// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: where private keys, passphrases and tokens are kept. A front end implements it on the platform's keychain.
///
/// It is apart from settings on purpose: a ``Secret`` cannot be encoded, so it cannot end up in them.
///
/// To the implementer:
/// - names are 1 to 128 of `A-Z a-z 0-9 . _ - @ +`, not beginning with a dot (``CoreError/checkSecretName(_:)`` checks
///   that); others throw `invalidName`.
/// - what was set is stored when the call returns, and is read back byte for byte.
/// - a store that cannot be read (locked, damaged, no permission) throws; `nil` means that there is no such secret.
public protocol SecretStore: Sendable {
    /// The secret of a name, or `nil` where there is none.
    func secret(for name: String) async throws -> Secret?

    /// Keeps a secret, in place of one that may be there.
    func set(_ secret: Secret, for name: String) async throws

    /// Keeps a secret unless there is one, and returns the one that is kept. Calls that race all get the same one.
    func insert(_ secret: Secret, for name: String) async throws -> Secret

    /// Removes a secret; removing one that is not there changes nothing.
    func remove(_ name: String) async throws
}

extension CoreError {
    /// Checks a name for a ``SecretStore``.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``CoreError`` with `invalidName`.
    package static func checkSecretName(_ name: String) throws(CoreError) {
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "._-@+".utf8.contains($0)
            }
        }
        guard isPlain, (1...128).contains(name.utf8.count), !name.hasPrefix(".") else {
            let message =
                "A secret cannot be kept under this name: use 1 to 128 letters, digits and . _ - @ +, no dot first."
            throw CoreError(.invalidName, message)
        }
    }
}

extension CoreErrorCode {
    /// A name cannot be used in a store.
    public static let invalidName = CoreError.Code(rawValue: "invalidName")
}

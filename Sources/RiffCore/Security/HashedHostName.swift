// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A host name that known_hosts hides: `|1|salt|hash`, both base64, the hash an HMAC-SHA1 of the name keyed with the
/// salt.
///
/// SHA-1 is the format's; nothing rests on its strength but that a reader must guess names.
struct HashedHostName: Sendable {
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a name with a new salt.
    init(_ name: String) {
        salt = (0..<Insecure.SHA1.byteCount).map { _ in UInt8.random(in: .min ... .max) }
        hash = HashedHostName.hash(name, salt: salt)
    }

    /// Reads a host field; `nil` where it is of another kind.
    init?(field: String) {
        let parts = field.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "1",
            let salt = Data(base64Encoded: String(parts[2])), let hash = Data(base64Encoded: String(parts[3])),
            salt.count == Insecure.SHA1.byteCount, hash.count == Insecure.SHA1.byteCount
        else { return nil }
        self.salt = Array(salt)
        self.hash = Array(hash)
    }

    /// The host field.
    var text: String { "|1|\(Data(salt).base64EncodedString())|\(Data(hash).base64EncodedString())" }

    func matches(_ name: String) -> Bool { HashedHostName.hash(name, salt: salt) == hash }

    private static func hash(_ name: String, salt: [UInt8]) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: Array(name.utf8), using: SymmetricKey(data: salt)))
    }
}

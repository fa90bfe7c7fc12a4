// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The three NIST curves of SSH (RFC 5656), with what the key formats call them.
package enum EllipticCurve: Sendable, Hashable, CaseIterable {
    case p256, p384, p521

    /// The key type.
    var algorithm: SSHKeyAlgorithm {
        switch self {
        case .p256: .ecdsaP256
        case .p384: .ecdsaP384
        case .p521: .ecdsaP521
        }
    }

    /// The curve's name inside a key.
    package var wireName: String {
        switch self {
        case .p256: "nistp256"
        case .p384: "nistp384"
        case .p521: "nistp521"
        }
    }

    /// The contents of the curve's DER object identifier (RFC 5480 section 2.1.1.1).
    var objectIdentifier: [UInt8] {
        switch self {
        case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
        }
    }

    /// Bytes of a private scalar.
    package var scalarBytes: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The curve of a key type, or `nil` for a type that is not ECDSA.
    init?(_ algorithm: SSHKeyAlgorithm) {
        guard let curve = EllipticCurve.allCases.first(where: { $0.algorithm == algorithm }) else { return nil }
        self = curve
    }

    /// Whether an uncompressed point (X9.63) lies on the curve.
    func contains(_ point: some Collection<UInt8>) -> Bool {
        // A refused point is the answer here, not a failure.
        let point = Array(point)
        switch self {
        case .p256: return (try? P256.Signing.PublicKey(x963Representation: point)) != nil
        case .p384: return (try? P384.Signing.PublicKey(x963Representation: point)) != nil
        case .p521: return (try? P521.Signing.PublicKey(x963Representation: point)) != nil
        }
    }

    /// The public point (uncompressed, X9.63) of a private scalar, or `nil` where the number is none of this curve.
    func publicPoint(ofScalar digits: some Collection<UInt8>) -> [UInt8]? {
        let digits = Array(digits.drop { $0 == 0 })
        guard digits.count <= scalarBytes else { return nil }
        let scalar = [UInt8](repeating: 0, count: scalarBytes - digits.count) + digits
        // A refused scalar is the answer here, not a failure.
        switch self {
        case .p256:
            return (try? P256.Signing.PrivateKey(rawRepresentation: scalar)).map {
                Array($0.publicKey.x963Representation)
            }
        case .p384:
            return (try? P384.Signing.PrivateKey(rawRepresentation: scalar)).map {
                Array($0.publicKey.x963Representation)
            }
        case .p521:
            return (try? P521.Signing.PrivateKey(rawRepresentation: scalar)).map {
                Array($0.publicKey.x963Representation)
            }
        }
    }
}

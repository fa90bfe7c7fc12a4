// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
package import RiffCore

/// The agreement by which a server gives its secret to a device that knows the code of a pairing window: an X25519
/// agreement (RFC 7748) between keys that are used once, of which the code proves that no other party is between them.
///
/// Whoever listens learns nothing. Whoever answers in the server's place must find the code, 59 bits, while the device
/// waits; whoever asks in the device's place has 100,000 tries.
package enum PairingAgreement {
    /// The request that a device sends.
    package struct Request: Sendable, Hashable {
        package let device: RiffIdentifier
        package let key: [UInt8]
        package let proof: [UInt8]

        /// Returns whether the request was made by a device that knows the code.
        package func isProof(of code: [UInt8]) -> Bool {
            constantTimeEqual(proof, PairingAgreement.proof(of: code, device, key))
        }

        package var json: JSONValue {
            [
                "device_id": .string(device.text), "key": .string(Data(key).base64EncodedString()),
                "proof": .string(Data(proof).base64EncodedString()),
            ]
        }

        /// `nil` where it is none.
        package init?(json: JSONValue) {
            guard let name = json["device_id"]?.text, let device = try? RiffIdentifier(name),
                let key = json["key"]?.text.flatMap({ Data(base64Encoded: $0) }), key.count == 32,
                let proof = json["proof"]?.text.flatMap({ Data(base64Encoded: $0) }), proof.count == 32
            else { return nil }
            (self.device, self.key, self.proof) = (device, Array(key), Array(proof))
        }

        package init(_ device: RiffIdentifier, key: [UInt8], code: [UInt8]) {
            (self.device, self.key, proof) = (device, key, PairingAgreement.proof(of: code, device, key))
        }
    }

    /// The answer that a server gives.
    package struct Answer: Sendable, Hashable {
        package let key: [UInt8]
        package let sealed: [UInt8]

        package var json: JSONValue {
            ["key": .string(Data(key).base64EncodedString()), "sealed": .string(Data(sealed).base64EncodedString())]
        }

        /// `nil` where it is none.
        package init?(json: JSONValue) {
            guard let key = json["key"]?.text.flatMap({ Data(base64Encoded: $0) }), key.count == 32,
                let sealed = json["sealed"]?.text.flatMap({ Data(base64Encoded: $0) }), sealed.count <= 256
            else { return nil }
            (self.key, self.sealed) = (Array(key), Array(sealed))
        }

        /// Seals a secret for the device that asked; `nil` where its key is none.
        package init?(sealing secret: Secret, for request: Request, code: [UInt8]) {
            let own = Curve25519.KeyAgreement.PrivateKey()
            key = Array(own.publicKey.rawRepresentation)
            guard let common = PairingAgreement.key(own, with: request.key, code, request.key + key),
                let box = try? ChaChaPoly.seal(secret.bytes, using: common)
            else { return nil }
            sealed = Array(box.combined)
        }
    }

    /// A device's half: what it sends, and the key to what comes back.
    package struct Device: Sendable {
        package let request: Request
        private let own: Curve25519.KeyAgreement.PrivateKey
        private let code: [UInt8]

        /// Begins an agreement.
        package init(_ device: RiffIdentifier, code: String) {
            own = Curve25519.KeyAgreement.PrivateKey()
            self.code = PairingAgreement.normalized(code)
            request = Request(device, key: Array(own.publicKey.rawRepresentation), code: self.code)
        }

        /// The secret; `nil` where the answer is not from who knows the code.
        package func secret(in answer: Answer) -> Secret? {
            let keys = request.key + answer.key
            guard let common = PairingAgreement.key(own, with: answer.key, code, keys),
                let box = try? ChaChaPoly.SealedBox(combined: answer.sealed),
                let bytes = try? ChaChaPoly.open(box, using: common)
            else { return nil }
            return Secret(Array(bytes))
        }
    }

    /// A code as it was typed: capital or small, with or without hyphens and spaces.
    package static func normalized(_ code: String) -> [UInt8] {
        // Whatever a stranger sends beyond some hyphens and spaces is not even looked at.
        code.utf8.prefix(64).compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
            case UInt8(ascii: "-"), 0x20, 0x09, 0x0A, 0x0D: nil
            default: byte
            }
        }
    }

    private static func proof(of code: [UInt8], _ device: RiffIdentifier, _ key: [UInt8]) -> [UInt8] {
        let text = Array("riff-pair-v1 proof\n\(device.text)\n".utf8) + key
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: code)))
    }

    private static func key(
        _ own: Curve25519.KeyAgreement.PrivateKey,
        with other: [UInt8],
        _ code: [UInt8],
        _ keys: [UInt8]
    ) -> SymmetricKey? {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: other),
            let common = try? own.sharedSecretFromKeyAgreement(with: key),
            // Some keys give zero with every other one (RFC 7748 section 6.1); not every library refuses them.
            common.withUnsafeBytes({ $0.reduce(0, |) }) != 0
        else { return nil }
        let label = Array("riff-pair-v1 secret\n".utf8) + code
        return common.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: keys,
            sharedInfo: label,
            outputByteCount: 32
        )
    }
}

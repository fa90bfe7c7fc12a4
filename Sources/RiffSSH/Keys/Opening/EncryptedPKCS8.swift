// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A private key in PKCS#8, encrypted by PBES2 (RFC 8018 section 6.2) with PBKDF2 and AES in CBC mode: what OpenSSL and
/// `ssh-keygen -m PKCS8` write.
struct EncryptedPKCS8 {
    /// The most rounds that are done: OpenSSL writes 2,048, and people who set them say a million.
    static let roundLimit = 4_000_000

    private let salt: [UInt8]
    private let rounds: Int
    private let hash: KDF.Insecure.PBKDF2.HashFunction
    private let keyBytes: Int
    private let nonce: [UInt8]
    private let text: [UInt8]

    init(_ bytes: [UInt8]) throws(CoreError) {
        var outer = DERReader(bytes)
        var frame = DERReader(try outer.read(.sequence))
        var scheme = DERReader(try frame.read(.sequence))
        text = Array(try frame.read(.octetString))
        guard outer.isAtEnd, frame.isAtEnd else { throw .damagedKey("something follows its encrypted part") }
        guard try scheme.read(.objectIdentifier).elementsEqual(Identifier.pbes2) else {
            throw Self.unsupported("an old scheme with a weak cipher, not PBES2")
        }
        var parameters = DERReader(try scheme.read(.sequence))
        var derivation = DERReader(try parameters.read(.sequence))
        var cipher = DERReader(try parameters.read(.sequence))
        let name = Array(try derivation.read(.objectIdentifier))
        guard name == Identifier.pbkdf2 else {
            throw Self.unsupported(name == Identifier.scrypt ? "scrypt" : "a key derivation that is not known here")
        }
        var options = DERReader(try derivation.read(.sequence))
        salt = Array(try options.read(.octetString))
        rounds = try Self.number(options.readInteger())
        guard !salt.isEmpty, (1...Self.roundLimit).contains(rounds) else {
            throw Self.unsupported("more than \(Self.roundLimit) rounds, or none")
        }
        let cipherName = Array(try cipher.read(.objectIdentifier))
        guard let size = Identifier.aesCBC.first(where: { $0.value == cipherName })?.key else {
            throw Self.unsupported("a cipher other than AES in CBC mode")
        }
        keyBytes = size
        nonce = Array(try cipher.read(.octetString))
        guard nonce.count == 16, !text.isEmpty, text.count % 16 == 0 else {
            throw .damagedKey("its encrypted part has a wrong length")
        }
        // The length of the key may stand here; the cipher says it too.
        if options.isNext(.integer) {
            guard try Self.number(options.readInteger()) == size else {
                throw .damagedKey("its cipher and its key derivation are of different lengths")
            }
        }
        guard !options.isAtEnd else {
            // Nothing said is HMAC with SHA-1.
            hash = .insecureSHA1
            return
        }
        var function = DERReader(try options.read(.sequence))
        let functionName = Array(try function.read(.objectIdentifier))
        guard let found = Identifier.hashes.first(where: { $0.identifier == functionName }) else {
            throw Self.unsupported("a hash that is not known here")
        }
        hash = found.hash
    }

    /// The key, decrypted.
    ///
    /// - Throws: ``CoreError`` with `passphraseWrong` if what comes out is no key. A damaged file looks the same.
    func contents(passphrase: Secret) throws(CoreError) -> PrivateKeyContents {
        do {
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase.bytes,
                salt: salt,
                using: hash,
                outputByteCount: keyBytes,
                unsafeUncheckedRounds: rounds
            )
            let plain = try AES._CBC.decrypt(text, using: key, iv: AES._CBC.IV(ivBytes: nonce))
            return try PrivateKeyContents(pkcs8: Array(plain))
        } catch let error as CoreError where error.code == .keyUnsupported {
            throw error
        } catch {
            throw .wrongPassphrase(isCertain: false)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.count > 4 ? .max : bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func unsupported(_ what: String) -> CoreError {
        .unsupportedKey(
            "The private key is encrypted with \(what), which is not taken. Encrypt it again with: ssh-keygen -p -f FILE"
        )
    }

    /// The contents of DER object identifiers (RFC 8018 appendix C, RFC 7914 section 7).
    private enum Identifier {
        static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
        static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
        static let scrypt: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]
        private static let hmac: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02]
        private static let aes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01]

        /// By the bytes of the key.
        static let aesCBC: [Int: [UInt8]] = [16: aes + [0x02], 24: aes + [0x16], 32: aes + [0x2A]]
        static let hashes: [(identifier: [UInt8], hash: KDF.Insecure.PBKDF2.HashFunction)] = [
            (hmac + [0x07], .insecureSHA1), (hmac + [0x08], .insecureSHA224), (hmac + [0x09], .sha256),
            (hmac + [0x0A], .sha384), (hmac + [0x0B], .sha512),
        ]
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public SSH key: a host's, or the half of a person's key that goes into `authorized_keys`.
///
/// Two keys are equal when their blobs are; the comment does not count. Encoded it is its line.
public struct SSHPublicKey: Sendable {
    /// The key type, as the blob names it.
    public let algorithm: SSHKeyAlgorithm
    /// The key in the wire form of RFC 4253 section 6.6: the type's name, then the numbers.
    public let blob: [UInt8]
    /// The name that people gave the key; may be empty. Characters that steer a terminal or break a line are left out.
    public let comment: String

    /// A key in wire form.
    ///
    /// Ed25519, ECDSA and RSA keys are checked for their shape, ECDSA points also for lying on their curve. Of other
    /// types only the name is read.
    ///
    /// - Parameters:
    ///   - blob: The key in wire form.
    ///   - comment: What people call the key.
    /// - Throws: ``CoreError`` with `invalidKey`.
    public init(blob: [UInt8], comment: String = "") throws(CoreError) {
        do throws(CoreError) {
            self.algorithm = try SSHPublicKey.checkedAlgorithm(of: blob)
        } catch  where error.code == .malformedSSHData {
            throw CoreError(.invalidKey, "The public key is damaged or cut off.", recovery: .keySettings, cause: error)
        }
        self.blob = blob
        self.comment = SSHPublicKey.printable(comment)
    }

    init(ed25519 seed: Ed25519Seed, comment: String) {
        self.algorithm = .ed25519
        self.blob = seed.publicBlob
        self.comment = SSHPublicKey.printable(comment)
    }

    /// A line of a `.pub` file or of `authorized_keys` (without options): type, base64, comment.
    ///
    /// - Throws: ``CoreError`` with `invalidKey`.
    public init(line: String) throws(CoreError) {
        guard !line.contains("PRIVATE KEY") else {
            let message = "This is a private key; the public one is the single line in the file that ends in .pub."
            throw CoreError(.invalidKey, message, recovery: .keySettings)
        }
        let fields = line.split(maxSplits: 2, whereSeparator: \.isWhitespace)
        guard fields.count >= 2, let data = Data(base64Encoded: String(fields[1])) else {
            let message = "A public key is one line: the type (such as ssh-ed25519), the key in base64, and a comment."
            throw CoreError(.invalidKey, message, recovery: .keySettings)
        }
        try self.init(blob: Array(data), comment: fields.count > 2 ? String(fields[2]) : "")
        guard algorithm.rawValue == fields[0] else {
            let message =
                "The line says the key is of type \(SSHPublicKey.printable(String(fields[0]))), the key itself says \(algorithm)."
            throw CoreError(.invalidKey, message, recovery: .keySettings)
        }
    }

    /// The key as a line of `authorized_keys`, without a newline: type, base64 and, where there is one, the comment.
    /// Access is revoked by deleting that line on the host.
    public var line: String { comment.isEmpty ? keyFields : "\(keyFields) \(comment)" }

    /// Type and base64: the part of the line that identifies the key.
    var keyFields: String { "\(algorithm) \(Data(blob).base64EncodedString())" }

    /// `SHA256:` and the unpadded base64 of the blob's SHA-256, as `ssh-keygen -lf` shows it; for comparing by eye or
    /// over another way than the connection itself.
    public var fingerprint: String {
        let text = Data(SHA256.hash(data: blob)).base64EncodedString()
        return "SHA256:" + text.prefix { $0 != "=" }
    }

    private static func checkedAlgorithm(of blob: [UInt8]) throws(CoreError) -> SSHKeyAlgorithm {
        var reader = SSHWireReader(blob)
        let algorithm = SSHKeyAlgorithm(rawValue: try reader.readName())
        let isSound: Bool
        if algorithm == .ed25519 {
            isSound = try reader.readString().count == 32
        } else if algorithm == .rsa {
            let exponent = try reader.readMPInt()
            let modulus = try reader.readMPInt()
            // OpenSSH's own bounds on RSA: 1,024 to 16,384 bits.
            isSound = !exponent.isEmpty && (128...2_048).contains(modulus.count)
        } else if let curve = EllipticCurve(algorithm) {
            let name = try reader.readName()
            let point = try reader.readString()
            isSound = name == curve.wireName && curve.contains(point)
        } else {
            return algorithm
        }
        guard isSound, reader.isAtEnd else {
            throw CoreError(.invalidKey, "The public key is not a sound \(algorithm) key.", recovery: .keySettings)
        }
        return algorithm
    }

    /// The text without what steers a terminal, breaks a line or reverses the writing direction.
    static func printable(_ text: String) -> String {
        let kept = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
        let text = String(String.UnicodeScalarView(kept))
        let tail = text.drop(while: \.isWhitespace)
        return String(tail.prefix(upTo: tail.lastIndex { !$0.isWhitespace }.map(tail.index(after:)) ?? tail.startIndex))
    }
}

extension SSHPublicKey: Hashable {
    /// Whether it is the same key, whatever the comments.
    public static func == (left: SSHPublicKey, right: SSHPublicKey) -> Bool { left.blob == right.blob }
    /// Hashes the key without its comment.
    public func hash(into hasher: inout Hasher) { hasher.combine(blob) }
}

extension SSHPublicKey: Codable {
    /// Reads a key from its line.
    public init(from decoder: any Decoder) throws {
        try self.init(line: try decoder.singleValueContainer().decode(String.self))
    }
    /// Writes the key as its line.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(line)
    }
}

extension SSHPublicKey: CustomStringConvertible {
    /// Type and fingerprint.
    public var description: String { "\(algorithm) \(fingerprint)" }
}

extension Recovery {
    /// The front end's settings, where the key is.
    static let keySettings = Recovery.openSettings(.key)
}

extension CoreErrorCode {
    /// A key is damaged, cut off or not a key at all.
    public static let invalidKey = CoreError.Code(rawValue: "invalidKey")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: a private key that only signs.
///
/// To the implementer: `sign` may take as long as a person needs to touch a sensor; throw a ``RiffError`` where it
/// cannot be done, `CancellationError` when the task was cancelled. A key whose signatures need more than the data
/// implements ``signature(for:)`` as well, which is what is called.
public protocol SSHSigner: Sendable {
    /// The key the server has authorized.
    var publicKey: SSHPublicKey { get }

    /// Signs the bytes.
    ///
    /// - Parameter data: What to sign, not hashed.
    /// - Returns: The signature's bytes without the algorithm's name: 64 bytes for ed25519 (RFC 8032), the two mpints
    ///   `r` and `s` for ECDSA (RFC 5656 section 3.1.2).
    /// - Throws: A ``RiffError``, or `CancellationError`.
    func sign(_ data: [UInt8]) async throws -> [UInt8]

    /// Signs by an algorithm. The default gives what ``sign(_:)`` returns.
    ///
    /// - Parameter request: What to sign, and by which algorithm: an RSA key has several (RFC 8332).
    /// - Returns: The signature, or the whole blob.
    /// - Throws: A ``RiffError``, or `CancellationError`.
    func signature(for request: SSHSigningRequest) async throws -> SSHSignatureBytes
}

extension SSHSigner {
    /// Signs by the one algorithm that the key has, with ``sign(_:)``.
    public func signature(for request: SSHSigningRequest) async throws -> SSHSignatureBytes {
        .bytes(try await sign(request.data))
    }
}

/// The request that a signer is asked to sign.
public struct SSHSigningRequest: Sendable, Hashable {
    /// The bytes, not hashed.
    public let data: [UInt8]
    /// The algorithm's name on the wire, such as `rsa-sha2-512` or `ssh-ed25519`.
    public let algorithm: String

    /// Creates a request.
    public init(data: [UInt8], algorithm: String) {
        self.data = data
        self.algorithm = algorithm
    }
}

/// A signature of an ``SSHSigner``.
public struct SSHSignatureBytes: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        case bytes([UInt8])
        case blob([UInt8])
    }

    package let form: Form

    /// The bytes of the algorithm, without its name.
    public static func bytes(_ bytes: [UInt8]) -> SSHSignatureBytes { SSHSignatureBytes(form: .bytes(bytes)) }

    /// The whole blob: the algorithm's name, the signature, and whatever the algorithm puts after it, such as the flags
    /// and the counter of a security token (`sk-ssh-ed25519@openssh.com`).
    public static func blob(_ blob: [UInt8]) -> SSHSignatureBytes { SSHSignatureBytes(form: .blob(blob)) }

    /// The bytes without the name, for an engine that writes the name itself.
    ///
    /// - Throws: `keyUnusable` if the blob is of another algorithm, or has more after the signature.
    package func bare(of algorithm: String) throws(TransportError) -> [UInt8] {
        switch form {
        case .bytes(let bytes): return bytes
        case .blob(let blob):
            do throws(CoreError) {
                var reader = SSHWireReader(blob)
                let name = try reader.readName()
                let bytes = Array(try reader.readString())
                if reader.isAtEnd, name.utf8.elementsEqual(algorithm.utf8) { return bytes }
            } catch {
                throw TransportError(.keyUnusable, "The signer gave a signature that cannot be read.", cause: error)
            }
            let message =
                "The signer gave a signature of another kind than \(algorithm), or one with flags and a counter as "
                + "security tokens make it, which this SSH library cannot send. Use a key of another kind."
            throw TransportError(.keyUnusable, message)
        }
    }
}

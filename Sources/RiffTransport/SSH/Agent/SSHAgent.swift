// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RiffCore

// sample:
/// The keys of an ssh-agent on this machine, which signs without giving them away.
///
/// ```swift
/// let agent = try SSHAgent()
/// let configuration = SSHHost.Configuration(
///     address: try HostAddress("mac.tailnet.ts.net"), user: "me",
///     credentials: try await agent.signers().map { .signer($0) },
///     trust: .onlyKnown(HostKeyFile(path: "/home/me/.ssh/known_hosts"))
/// )
/// let host = SSHHost(configuration)
/// ```
///
/// Each question is a connection of its own. A person may be asked to confirm: signing takes as long as they need.
/// Certificates are left out, and RSA keys where the SSH library cannot use them (libssh2 before 1.11).
///
/// Source: draft-miller-ssh-agent.
public struct SSHAgent: Sendable, Hashable {
    /// The path of its socket.
    public let socket: String

    /// Creates an agent from the path of its socket.
    ///
    /// - Parameter socket: The path; of the environment (`SSH_AUTH_SOCK`) unless it is given.
    /// - Throws: `TransportError` with `agentUnavailable` where neither says one.
    public init(socket: String? = nil) throws(TransportError) {
        guard let path = socket ?? ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"], !path.isEmpty else {
            throw TransportError(.agentUnavailable, "There is no ssh-agent: SSH_AUTH_SOCK is not set.")
        }
        self.socket = path
    }

    /// Lists the keys that the agent has now, in its order.
    ///
    /// - Returns: A signer for each key that can be used.
    /// - Throws: `TransportError` with `agentUnavailable` or `agentRefused`; `CoreError` with `malformedSSHData`;
    ///   `CancellationError`.
    public func signers() async throws -> [any SSHSigner] {
        let answer = try await SSHAgentExchange.ask(SSHAgentMessage.listing, at: socket)
        return try SSHAgentMessage.keys(in: answer)
            .filter { SSHAgentSigner.algorithms.contains($0.algorithm) }
            .map { SSHAgentSigner(publicKey: $0, socket: socket) }
    }
}

/// One key of an agent.
private struct SSHAgentSigner: SSHSigner {
    /// Those whose signatures an engine of this build can send; a host whose engine cannot leaves them out.
    static let algorithms: Set<SSHKeyAlgorithm> = {
        let all: Set<SSHKeyAlgorithm> = [.ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521]
        return SSHEngines.all.contains { $0.capabilities.contains(.signsRSAWithSHA2) } ? all.union([.rsa]) : all
    }()

    let publicKey: SSHPublicKey
    let socket: String

    func sign(_ data: [UInt8]) async throws -> [UInt8] {
        let algorithm = publicKey.algorithm.rawValue
        return try await signature(for: SSHSigningRequest(data: data, algorithm: algorithm)).bare(of: algorithm)
    }

    func signature(for request: SSHSigningRequest) async throws -> SSHSignatureBytes {
        let message = SSHAgentMessage.signing(request.data, with: publicKey, by: request.algorithm)
        return .blob(try SSHAgentMessage.signature(in: try await SSHAgentExchange.ask(message, at: socket)))
    }
}

extension TransportErrorCode {
    /// No ssh-agent answers at its socket, or what answers is none.
    public static let agentUnavailable = TransportError.Code(rawValue: "agentUnavailable")
    /// The ssh-agent refused to list its keys or to sign.
    public static let agentRefused = TransportError.Code(rawValue: "agentRefused")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The two questions that are asked of an ssh-agent, and their answers (draft-miller-ssh-agent, sections 3.5 and 3.6),
/// each without the length in front of it.
package enum SSHAgentMessage {
    /// The most that an answer may have, in bytes.
    package static let largest = 256 * 1024
    /// The most keys that are listed.
    private static let mostKeys = 1024

    /// Asks for the keys: SSH_AGENTC_REQUEST_IDENTITIES.
    package static let listing: [UInt8] = [11]

    /// Asks for a signature: SSH_AGENTC_SIGN_REQUEST. The flags say which of an RSA key's algorithms is wanted.
    package static func signing(_ data: [UInt8], with key: SSHPublicKey, by algorithm: String) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.write(string: key.blob)
        writer.write(string: data)
        switch algorithm {
        case "rsa-sha2-256": writer.write(uint32: 2)
        case "rsa-sha2-512": writer.write(uint32: 4)
        default: writer.write(uint32: 0)
        }
        return [13] + writer.bytes
    }

    /// Reads the list of keys: SSH_AGENT_IDENTITIES_ANSWER. Keys of kinds that are not read here are left out.
    ///
    /// - Throws: `CoreError` with `malformedSSHData`; `TransportError` with `agentRefused`.
    package static func keys(in answer: [UInt8]) throws -> [SSHPublicKey] {
        var reader = try reader(of: answer, kind: 12)
        let count = try reader.readUInt32()
        guard count <= mostKeys else {
            throw CoreError(.malformedSSHData, "The ssh-agent says that it has \(count) keys.")
        }
        var keys: [SSHPublicKey] = []
        for _ in 0..<count {
            let blob = Array(try reader.readString())
            let comment = String(decoding: try reader.readString(), as: UTF8.self)
            // A certificate, or a key of a later kind: the agent may have what it likes.
            if let key = try? SSHPublicKey(blob: blob, comment: comment) { keys.append(key) }
        }
        return keys
    }

    /// Reads a signature: SSH_AGENT_SIGN_RESPONSE.
    ///
    /// - Returns: The whole blob, with the algorithm's name.
    /// - Throws: `CoreError` with `malformedSSHData`; `TransportError` with `agentRefused`.
    package static func signature(in answer: [UInt8]) throws -> [UInt8] {
        var reader = try reader(of: answer, kind: 14)
        let blob = try reader.readString()
        var signature = SSHWireReader(blob)
        _ = try signature.readName()
        _ = try signature.readString()
        return Array(blob)
    }

    private static func reader(of answer: [UInt8], kind: UInt8) throws -> SSHWireReader {
        guard let first = answer.first else {
            throw CoreError(.malformedSSHData, "The ssh-agent gave an empty answer.")
        }
        // SSH_AGENT_FAILURE and SSH_AGENT_EXTENSION_FAILURE.
        guard first != 5, first != 28 else {
            throw TransportError(.agentRefused, "The ssh-agent refused; it may be locked, or a person said no.")
        }
        guard first == kind else {
            throw CoreError(.malformedSSHData, "The ssh-agent answered with a message of kind \(first), not \(kind).")
        }
        return SSHWireReader(answer.dropFirst())
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Several known_hosts files as one store, as `UserKnownHostsFile` names them: a key in any of them is known, one that
/// is revoked in any is refused, and new ones go into the first.
package struct HostKeyFiles: HostKeyStore {
    private let first: HostKeyFile
    private let others: [HostKeyFile]

    /// - Parameters:
    ///   - path: The file that new keys go into.
    ///   - others: Files that are read as well.
    package init(_ path: String, _ others: [String]) {
        first = HostKeyFile(path: path)
        self.others = others.map { HostKeyFile(path: $0) }
    }

    package func judge(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        let verdict = try await check(key, for: pin)
        return verdict == .unknown ? try await first.judge(key, for: pin) : verdict
    }

    package func check(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        var verdicts = [try await first.check(key, for: pin)]
        for file in others { verdicts.append(try await file.check(key, for: pin)) }
        if verdicts.contains(.revoked) { return .revoked }
        if verdicts.contains(.trusted) { return .trusted }
        // What one file calls another type may be a changed key by the next one.
        return HostKeyVerdict(on: key, among: try await pinnedKeys(for: pin))
    }

    package func pinnedKeys(for pin: HostPin) async throws -> [SSHPublicKey] {
        var keys = try await first.pinnedKeys(for: pin)
        for file in others { keys += try await file.pinnedKeys(for: pin).filter { !keys.contains($0) } }
        return keys
    }

    package func trust(_ key: SSHPublicKey, for pin: HostPin) async throws {
        if try await check(key, for: pin) == .revoked { throw CoreError.hostKeyRevoked(pin: pin, got: key) }
        try await first.trust(key, for: pin)
    }

    package func reset(_ pin: HostPin) async throws {
        for file in [first] + others { try await file.reset(pin) }
    }
}

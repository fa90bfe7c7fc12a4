// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: who finds out whether sessions can run on a host.
///
/// To the implementer: use this key and no other; tell each step to `progress` and leave it open; a host that cannot be
/// used is a result, not an error; end soon after the task was cancelled, with `CancellationError`, and leave no
/// connection behind.
public protocol HostTester: Sendable {
    /// Tests a host that may not be stored yet.
    ///
    /// - Parameters:
    ///   - profile: The host.
    ///   - key: Its key.
    ///   - progress: Told of each step.
    /// - Returns: The checks.
    /// - Throws: What kept the test from being made; `CancellationError`.
    func test(
        _ profile: HostProfile,
        key: SSHPrivateKey,
        progress: StateSource<HostReadiness>
    ) async throws -> HostReadiness

    /// Opens a key that a person brings, so that a wrong passphrase shows before it is kept.
    ///
    /// - Parameter key: The key, with its passphrase if it is encrypted.
    /// - Returns: The key to keep: the same one, with its public half; unless implemented, the key as it is.
    /// - Throws: ``CoreError`` with `passphraseWrong`, `keyUnsupported` or `invalidKey`; `CancellationError`.
    func open(_ key: SSHPrivateKey) async throws -> SSHPrivateKey
}

extension HostTester {
    /// Returns the key as it is.
    public func open(_ key: SSHPrivateKey) async throws -> SSHPrivateKey { key }
}

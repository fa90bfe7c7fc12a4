// Riff
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Secrets that are forgotten with the process: for tests, previews, and front ends that keep nothing.
public final class InMemorySecretStore: SecretStore {
    private let secrets: Mutex<[String: Secret]>

    /// A store with these secrets in it.
    public init(_ secrets: [String: Secret] = [:]) { self.secrets = Mutex(secrets) }

    /// The secret of a name, or `nil` where there is none.
    public func secret(for name: String) async throws -> Secret? {
        try CoreError.checkSecretName(name)
        return secrets.withLock { $0[name] }
    }

    /// Keeps a secret, in place of one that may be there.
    public func set(_ secret: Secret, for name: String) async throws {
        try CoreError.checkSecretName(name)
        secrets.withLock { $0[name] = secret }
    }

    /// Keeps a secret unless there is one, and returns the one that is kept.
    public func insert(_ secret: Secret, for name: String) async throws -> Secret {
        try CoreError.checkSecretName(name)
        return secrets.withLock { secrets in
            if let kept = secrets[name] { return kept }
            secrets[name] = secret
            return secret
        }
    }

    /// Removes a secret.
    public func remove(_ name: String) async throws {
        try CoreError.checkSecretName(name)
        _ = secrets.withLock { $0.removeValue(forKey: name) }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
internal import Foundation
public import RiffCore
internal import Security

/// Secrets in the Keychain of this device: one generic password each, never synchronized.
public actor KeychainSecretStore: SecretStore {
    private let service: String
    private let group: String?
    private nonisolated let executor = BlockingExecutor(label: "riff.keychain")
    /// A queue of its own: the Keychain answers over another process and may take its time.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - service: The name of the app's items.
    ///   - group: The access group that an extension shares with its app.
    public init(service: String, group: String? = nil) {
        self.service = service
        self.group = group
    }

    /// The secret under a name; `nil` if there is none.
    ///
    /// - Throws: `CoreError` with `storeFailed`, also where the device is locked.
    public func secret(for name: String) async throws -> Secret? {
        try CoreError.checkSecretName(name)
        return try read(name)
    }

    /// Keeps a secret under a name.
    ///
    /// - Throws: `CoreError` with `storeFailed`.
    public func set(_ secret: Secret, for name: String) async throws {
        try CoreError.checkSecretName(name)
        let change: [CFString: Any] = [kSecValueData: Data(secret.bytes)]
        var status = SecItemUpdate(query(name) as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
            if try add(secret, name) { return }
            // Another process added it in the meantime.
            status = SecItemUpdate(query(name) as CFDictionary, change as CFDictionary)
        }
        try Self.check(status)
    }

    /// Keeps a secret unless there is one under the name.
    ///
    /// - Returns: The secret that is kept.
    /// - Throws: `CoreError` with `storeFailed`.
    public func insert(_ secret: Secret, for name: String) async throws -> Secret {
        try CoreError.checkSecretName(name)
        if try add(secret, name) { return secret }
        guard let kept = try read(name) else { throw Self.failure(errSecItemNotFound) }
        return kept
    }

    /// Removes the secret under a name, if there is one.
    ///
    /// - Throws: `CoreError` with `storeFailed`.
    public func remove(_ name: String) async throws {
        try CoreError.checkSecretName(name)
        let status = SecItemDelete(query(name) as CFDictionary)
        if status != errSecItemNotFound { try Self.check(status) }
    }

    private func query(_ name: String) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: name,
            kSecAttrSynchronizable: false,
            kSecUseDataProtectionKeychain: true,
        ]
        if let group { query[kSecAttrAccessGroup] = group }
        return query
    }

    private func read(_ name: String) throws -> Secret? {
        var query = query(name)
        query[kSecReturnData] = true
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        if status == errSecItemNotFound { return nil }
        try Self.check(status)
        guard let data = item as? Data else { throw Self.failure(errSecDecode) }
        return Secret(Array(data))
    }

    /// - Returns: Whether it was added; `false` where there is one already.
    private func add(_ secret: Secret, _ name: String) throws -> Bool {
        var item = query(name)
        item[kSecValueData] = Data(secret.bytes)
        // Readable in the background once the device was unlocked, and on this device alone.
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let status = SecItemAdd(item as CFDictionary, nil)
        if status == errSecDuplicateItem { return false }
        try Self.check(status)
        return true
    }

    private static func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw failure(status) }
    }

    private static func failure(_ status: OSStatus) -> CoreError {
        let reason = SecCopyErrorMessageString(status, nil).map { "\($0)" } ?? "status \(status)"
        return CoreError(.storeFailed, "The Keychain could not be used: \(reason)", recovery: .retry)
    }
}
#endif

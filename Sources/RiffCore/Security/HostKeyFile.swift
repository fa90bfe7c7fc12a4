// Riff
// SPDX-License-Identifier: Apache-2.0

/// Pins in a known_hosts file: Riff's own one, or a person's `~/.ssh/known_hosts`.
///
/// ``KnownHosts`` says what is understood of it. OpenSSH can use the same file, with ``HostPin/id`` as `HostKeyAlias`
/// where a host is reached over jump hosts. The file is read at every question and replaced in one step at every
/// change, under a lock (`.NAME.lock` beside it), so that processes and stores that share it agree on the first pin;
/// OpenSSH does not take part in the lock. A new file has mode 0600, one that was there keeps its mode. A file that
/// everybody may write is refused. A symbolic link at the path itself is followed, as people keep such files elsewhere.
public actor HostKeyFile: HostKeyStore {
    /// The path of the file.
    public nonisolated let path: String
    private let hashesNames: Bool

    private nonisolated let executor = BlockingExecutor(label: "riff.host-keys")
    /// A queue of its own, because files and locks block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A store in a file, which is made, with its folder, when the first key is pinned.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - hashesNames: Whether new names are written as salted hashes.
    public init(path: String, hashesNames: Bool = false) {
        self.path = path
        self.hashesNames = hashesNames
    }

    /// Judges a key, and pins it if the host has none.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`; `CancellationError` when
    ///   cancelled before the lock was taken.
    public func judge(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        let verdict = try load().verdict(on: key, for: pin)
        // The common case needs no lock: the file is only ever replaced whole.
        guard verdict == .unknown else { return verdict }
        return try change { hosts in
            let verdict = hosts.verdict(on: key, for: pin)
            guard verdict == .unknown else { return verdict }
            hosts.add(key, for: pin, isHashed: hashesNames)
            return .pinnedNow
        }
    }

    /// Judges a key and changes nothing.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    public func check(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        try load().verdict(on: key, for: pin)
    }

    /// The keys pinned for a host.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    public func pinnedKeys(for pin: HostPin) async throws -> [SSHPublicKey] { try load().keys(for: pin) }

    /// Adds a key to those pinned for a host.
    ///
    /// - Throws: As ``judge(_:for:)``, and `hostKeyRevoked` for a key that the file marks as revoked.
    public func trust(_ key: SSHPublicKey, for pin: HostPin) async throws {
        try change { hosts in
            switch hosts.verdict(on: key, for: pin) {
            case .trusted, .pinnedNow: break
            case .revoked: throw CoreError.hostKeyRevoked(pin: pin, got: key)
            case .unknown, .mismatch, .otherType: hosts.add(key, for: pin, isHashed: hashesNames)
            }
        }
    }

    /// Forgets what is pinned for this host.
    ///
    /// - Throws: As ``judge(_:for:)``.
    public func reset(_ pin: HostPin) async throws {
        try change { hosts in _ = hosts.remove(pin) }
    }

    private func load() throws -> KnownHosts { try KnownHosts(LockedFile(path: path).read()) }

    private func change<Result>(_ body: (inout KnownHosts) throws -> Result) throws -> Result {
        try LockedFile(path: path).change { bytes in
            var hosts = KnownHosts(bytes)
            let result = try body(&hosts)
            bytes = hosts.bytes
            return result
        }
    }
}

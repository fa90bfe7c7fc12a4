// Riff
// SPDX-License-Identifier: Apache-2.0

/// Secrets as files of a folder, one each under its name, readable by this user only.
///
/// The folder is made with mode 0700 where it is missing, files with 0600. A folder or a file that others may read or
/// change, or that is another user's, is refused with `permissionsTooOpen`; links are not followed. Files are replaced
/// in one step. On a disk that ignores case, names that differ only in it are one.
///
/// A private key kept here is a file that `ssh -i` takes.
public actor SecretFileStore: SecretStore {
    /// The path of the folder.
    public nonisolated let directory: String

    private nonisolated let executor = BlockingExecutor(label: "riff.secrets")
    /// A queue of its own, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A store in a folder, which is made at the first use.
    public init(directory: String) { self.directory = directory }

    /// The secret of a name, or `nil` where there is none.
    ///
    /// - Throws: ``CoreError`` with `invalidName`, `permissionsTooOpen` or `storeFailed`.
    public func secret(for name: String) async throws -> Secret? {
        try CoreError.checkSecretName(name)
        return try openFolder().contents(of: name, .secret).map { Secret($0) }
    }

    /// Keeps a secret, in place of one that may be there.
    ///
    /// - Throws: ``CoreError`` with `invalidName`, `permissionsTooOpen` or `storeFailed`.
    public func set(_ secret: Secret, for name: String) async throws {
        try CoreError.checkSecretName(name)
        try openFolder().replace(name, with: secret.bytes, mode: 0o600)
    }

    /// Keeps a secret unless there is one, and returns the one that is kept.
    ///
    /// - Throws: ``CoreError`` with `invalidName`, `permissionsTooOpen` or `storeFailed`.
    public func insert(_ secret: Secret, for name: String) async throws -> Secret {
        try CoreError.checkSecretName(name)
        let folder = try openFolder()
        if try folder.add(name, secret.bytes, mode: 0o600) { return secret }
        guard let kept = try folder.contents(of: name, .secret) else {
            throw CoreError(
                .storeFailed,
                "\(directory)/\(name) came and went while it was read. Try again.",
                recovery: .retry
            )
        }
        return Secret(kept)
    }

    /// Removes a secret.
    ///
    /// - Throws: ``CoreError`` with `invalidName`, `permissionsTooOpen` or `storeFailed`.
    public func remove(_ name: String) async throws {
        try CoreError.checkSecretName(name)
        try openFolder().remove(name)
    }

    private func openFolder() throws(CoreError) -> LocalDirectory {
        try LocalDirectory.make(path: directory)
        let folder = try LocalDirectory(path: directory)
        try folder.requirePrivate()
        return folder
    }
}

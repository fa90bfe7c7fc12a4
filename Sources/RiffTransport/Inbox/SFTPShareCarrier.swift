// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare

/// Brings shared files to a folder on the host, by SFTP on the host's own connection.
///
/// The folder, and those above it that are missing, are made with mode 0700; one that is there keeps its mode. Files
/// have mode 0600, and are there whole or not at all. Nothing removes them from the host again.
public struct SFTPShareCarrier: ShareCarrier {
    private let host: SSHHostSession
    private let folder: String

    /// Creates a carrier to a host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - folder: A path as a person writes it: absolute, or below the home directory with or without `~/` or
    ///     `$HOME/`.
    public init(host: SSHHost, folder: String = "~/.riff/shared") {
        self.host = host.files
        self.folder = folder
    }

    /// Brings a file to the folder.
    ///
    /// - Throws: A ``RiffError`` that names the path; `CancellationError`.
    public func carry(_ media: SharedMediaClaim) async throws -> String {
        let path = try await preparedFolder() + "/" + media.item.name.text
        try await host.write(contentsOf: media.reportedBytes, to: path, permissions: 0o600)
        return path
    }

    /// The folder's absolute path; it is there.
    private func preparedFolder() async throws -> String {
        let relative = Self.pathFromHome(folder)
        if try await host.status(of: relative) == nil {
            var made = relative.hasPrefix(bytes: "/") ? "/" : ""
            for part in relative.split(byte: "/") {
                made += made.isEmpty || made.hasSuffix(bytes: "/") ? String(part) : "/\(part)"
                guard try await host.status(of: made) == nil else { continue }
                do {
                    try await host.makeDirectory(made, permissions: 0o700)
                } catch let error as TransportError where error.code == .fileExists {
                    // Another drain was faster.
                }
            }
        }
        let absolute = try await host.absolutePath(of: relative)
        return absolute == "/" ? "" : absolute
    }

    /// The path as SFTP takes it, which knows no `~` and starts at the home directory.
    package static func pathFromHome(_ folder: String) -> String {
        for home in ["~", "$HOME", "${HOME}"] {
            if folder == home { return "." }
            guard var rest = folder.dropping(prefix: home + "/") else { continue }
            while let more = rest.dropping(prefix: "/") { rest = more }
            return rest.isEmpty ? "." : String(rest)
        }
        return folder.isEmpty ? "." : folder
    }
}

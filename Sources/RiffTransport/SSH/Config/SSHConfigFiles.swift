// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The ssh_config files of this machine, read again at each question, and the files that they name.
actor SSHConfigFiles {
    /// The most that is read of a file, in bytes.
    private static let largest = 1 << 20

    private nonisolated let executor = BlockingExecutor(label: "riff.ssh-config")
    /// A queue of its own, because files block.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let paths: [String]
    private let home: String
    private let user: String

    init(_ paths: [String], home: String, user: String) { (self.paths, self.home, self.user) = (paths, home, user) }

    /// Returns the values that the files give a host.
    ///
    /// - Throws: `TransportError` with `sshConfigUnreadable`.
    func values(for alias: String) throws -> SSHConfigValues {
        var reader = SSHConfigReader(alias: alias, localUser: user) { [home] pattern throws(TransportError) in
            try Self.included(pattern, home: home)
        }
        var files: [SSHConfigReader.File] = []
        for path in paths.map({ SSHConfigTokens.withoutTilde($0, home: home) }) {
            if let bytes = try Self.bytes(of: path) { files.append(SSHConfigReader.File(path: path, bytes: bytes)) }
        }
        return try reader.read(files)
    }

    /// The text of a file that the configuration names; `nil` where there is none.
    func text(of path: String) throws -> [UInt8]? { try Self.bytes(of: path) }

    private static func included(_ pattern: String, home: String) throws(TransportError) -> [SSHConfigReader.File] {
        var pattern = SSHConfigTokens.withoutTilde(pattern, home: home)
        if !pattern.utf8.starts(with: "/".utf8) { pattern = "\(home)/.ssh/\(pattern)" }
        var found = glob_t()
        defer { globfree(&found) }
        // Nothing that matches is nothing to include.
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        // Before any of them is read.
        guard found.gl_pathc <= SSHConfigReader.mostIncluded else {
            let message = "`Include \(InertText.line(pattern))` names more than \(SSHConfigReader.mostIncluded) files."
            throw TransportError(.sshConfigUnreadable, message)
        }
        var files: [SSHConfigReader.File] = []
        for index in 0..<Int(found.gl_pathc) {
            guard let name = found.gl_pathv[index] else { continue }
            let path = String(cString: name)
            if let bytes = try bytes(of: path) { files.append(SSHConfigReader.File(path: path, bytes: bytes)) }
        }
        return files
    }

    private static func bytes(of path: String) throws(TransportError) -> [UInt8]? {
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try PosixFile(path, O_RDONLY).read(largest + 1, at: 0)
        } catch {
            if error.code == ENOENT { return nil }
            throw TransportError(.sshConfigUnreadable, "\(InertText.line(path)) cannot be read: \(error).")
        }
        guard bytes.count <= largest else {
            throw TransportError(.sshConfigUnreadable, "\(InertText.line(path)) is larger than a megabyte.")
        }
        return bytes
    }
}

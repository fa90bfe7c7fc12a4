// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule

/// How the replacement of a file ended.
package enum SFTPReplacement: Sendable, Hashable {
    /// The new contents are there.
    case done
    /// The server cannot rename over a file. The new contents lie, complete, in `temporary`, beside `target`: move one
    /// over the other on the host (`mv -f`), or remove it.
    case staged(temporary: String, target: String)
}

extension SFTPClient {
    /// Replaces a file in one step, or tells that the last step is left to do.
    ///
    /// The contents go to a temporary file in the same directory, are made durable where the server can, get their mode,
    /// and are renamed over the target. A link at the path stays; what it points to is replaced.
    ///
    /// - Parameters:
    ///   - path: The file. Its directory must exist.
    ///   - bytes: The new contents.
    ///   - permissions: Mode bits; `nil` keeps those of the file replaced, or 0600.
    ///   - generator: Where the temporary file's name comes from.
    /// - Returns: Whether it is done.
    /// - Throws: A `TransportError`; `CancellationError`. The old file is then untouched, and the temporary one removed.
    package func replaceContents(
        of path: String,
        with bytes: [UInt8],
        permissions: UInt16?,
        using generator: inout some RandomNumberGenerator
    ) async throws -> SFTPReplacement {
        let isLink = try await linkStatus(of: path)?.kind == .symbolicLink
        let target = isLink ? try await realPath(path) : path
        let old = try await status(of: target)
        if old?.kind == .directory {
            throw TransportError(.fileFailed, "The host cannot write \(path): it is a directory.")
        }
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let suffix = String(generator.next(), radix: 36)
        let temporary = "\(folder).riff-\(suffix).tmp"
        try await write(bytes, toNew: temporary, permissions: permissions ?? old?.permissions ?? 0o600, for: path)
        do {
            if session.features.canReplace {
                try await replace(target, with: temporary)
            } else if old == nil {
                try await rename(temporary, to: target)
            } else {
                return .staged(temporary: temporary, target: target)
            }
            return .done
        } catch {
            session.dispatch(.remove(path: temporary))
            throw error
        }
    }

    /// Makes a file that does not exist yet, writes it, and makes it durable where the server can; removes it on failure.
    private func write(_ bytes: [UInt8], toNew path: String, permissions: UInt16, for target: String) async throws {
        let action = SFTPAction("write", target)
        let flags: SFTPRequest.OpenFlags = [.write, .create, .exclusive]
        let handle = try await open(.open(path: path, flags, SFTPAttributes(mode: 0o600)), action)
        do {
            try await write(bytes, at: 0, to: handle, action)
            // The mode at opening goes through the server's umask; this one does not.
            let mode = SFTPAttributes(mode: UInt32(permissions))
            try action.expectOK(await session.perform(.setHandleStatus(handle, mode)))
            if session.features.canSynchronize { try action.expectOK(await session.perform(.synchronize(handle))) }
        } catch {
            session.dispatch(.close(handle))
            session.dispatch(.remove(path: path))
            throw error
        }
        do {
            // Waited for: a server with a quota or a network file system may say only here that it has no room.
            try action.expectOK(await session.perform(.close(handle)))
        } catch {
            session.dispatch(.remove(path: path))
            throw error
        }
    }

    private func write(_ bytes: [UInt8], at start: UInt64, to handle: [UInt8], _ action: SFTPAction) async throws {
        let chunk = min(
            Self.chunkBytes,
            limits.flatMap { Int(exactly: $0.writeBytes) }.flatMap { $0 > 0 ? $0 : nil } ?? .max
        )
        var window = Deque<UInt32>()
        defer { for id in window { session.abandon(id) } }
        var position = 0
        while position < bytes.count || !window.isEmpty {
            while window.count < Self.windowChunks, position < bytes.count {
                let end = min(position + chunk, bytes.count)
                let request = SFTPRequest.write(handle, offset: start + UInt64(position), bytes[position..<end])
                window.append(try session.submit(request))
                position = end
            }
            guard let id = window.popFirst() else { return }
            try action.expectOK(await session.response(to: id))
        }
    }
}

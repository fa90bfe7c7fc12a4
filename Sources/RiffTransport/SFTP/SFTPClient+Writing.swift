// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore

/// The way that the replacement of a file ended.
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
    /// The contents go to a temporary file in the same directory, are made durable where the server can, get their
    /// mode, and are renamed over the target. A link at the path stays; what it points to is replaced.
    ///
    /// - Parameters:
    ///   - path: The file. Its directory must exist.
    ///   - bytes: The new contents.
    ///   - permissions: Mode bits; `nil` keeps those of the file replaced, or 0600.
    ///   - suffix: What the temporary file's name ends in; nobody else may guess it.
    /// - Returns: Whether it is done.
    /// - Throws: A `TransportError`; `CancellationError`. The old file is then untouched, and the temporary one
    ///   removed.
    package func replaceContents(
        of path: String,
        with bytes: [UInt8],
        permissions: UInt16?,
        suffix: UInt64 = .random(in: .min ... .max)
    ) async throws -> SFTPReplacement {
        var rest: [UInt8]? = bytes
        return try await replaceContents(of: path, permissions: permissions, suffix: suffix) {
            defer { rest = nil }
            return rest
        }
    }

    /// As ``replaceContents(of:with:permissions:suffix:)``, from a source that is asked for more as fast as the server
    /// takes it: no more than the window is held.
    ///
    /// - Parameters:
    ///   - path: The file. Its directory must exist.
    ///   - permissions: Mode bits; `nil` keeps those of the file replaced, or 0600.
    ///   - suffix: What the temporary file's name ends in; nobody else may guess it.
    ///   - next: Gives the next bytes, and `nil` at the end.
    /// - Returns: Whether it is done.
    /// - Throws: As there, and what the source throws.
    package func replaceContents(
        of path: String,
        permissions: UInt16?,
        suffix: UInt64 = .random(in: .min ... .max),
        from next: () async throws -> [UInt8]?
    ) async throws -> SFTPReplacement {
        let isLink = try await linkStatus(of: path)?.kind == .symbolicLink
        let target = isLink ? try await realPath(path) : path
        let old = try await status(of: target)
        if old?.kind == .directory {
            throw TransportError(.fileFailed, "The host cannot write \(path): it is a directory.")
        }
        let folder = target.lastIndex(byte: "/").map { String(target[...$0]) } ?? ""
        let temporary = "\(folder).riff-\(String(suffix, radix: 36)).tmp"
        try await write(next, toNew: temporary, permissions: permissions ?? old?.permissions ?? 0o600, for: path)
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

    /// Makes a file that does not exist yet, writes it, and makes it durable where the server can; removes it on
    /// failure.
    private func write(
        _ next: () async throws -> [UInt8]?,
        toNew path: String,
        permissions: UInt16,
        for target: String
    ) async throws {
        let action = SFTPAction("write", target)
        let flags: SFTPRequest.OpenFlags = [.write, .create, .exclusive]
        let handle = try await open(.open(path: path, flags, SFTPAttributes(mode: 0o600)), action)
        do {
            try await write(next, to: handle, action)
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

    private func write(_ next: () async throws -> [UInt8]?, to handle: [UInt8], _ action: SFTPAction) async throws {
        let chunk = min(
            Self.chunkBytes,
            limits.flatMap { Int(exactly: $0.writeBytes) }.flatMap { $0 > 0 ? $0 : nil } ?? .max
        )
        var window = Deque<UInt32>()
        defer { for id in window { session.abandon(id) } }
        var position: UInt64 = 0
        var rest: ArraySlice<UInt8> = []
        var isAtEnd = false
        while true {
            while window.count < Self.windowChunks, !isAtEnd {
                guard let part = rest.isEmpty ? nil : rest.prefix(chunk) else {
                    let more = try await next()
                    rest = more?[...] ?? []
                    isAtEnd = more == nil
                    continue
                }
                window.append(try session.submit(.write(handle, offset: position, part)))
                position += UInt64(part.count)
                rest = rest.dropFirst(part.count)
            }
            guard let id = window.popFirst() else { return }
            try action.expectOK(await session.response(to: id))
        }
    }
}

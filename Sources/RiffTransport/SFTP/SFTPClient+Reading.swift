// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule

extension SFTPClient {
    /// Reads a file's bytes from `offset`, at most `count` of them; fewer at its end.
    package func read(_ path: String, from offset: UInt64 = 0, count: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        try await read(path, from: offset, count: count) { all += $0 }
        return all
    }

    /// Reads a whole file, or its bytes from `offset` on, into a stream, as fast as the stream is read. Ends the
    /// stream, also with the error this throws.
    package func copy(_ path: String, from offset: UInt64 = 0, to writer: ByteStream.Writer) async throws {
        do {
            try await read(path, from: offset, count: .max) { try await writer.write($0) }
            writer.finish()
        } catch {
            writer.finish(throwing: error)
            throw error
        }
    }

    /// Reads a file's bytes in order, chunk by chunk; while `body` is busy, no more than the window is held.
    ///
    /// The end is where the server says so, not where the size is: files of /proc have none.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: Where to start.
    ///   - count: The most bytes to read.
    ///   - body: Gets each chunk.
    /// - Throws: `TransportError`; what `body` throws; `CancellationError`.
    package func read(
        _ path: String,
        from offset: UInt64,
        count: Int,
        _ body: ([UInt8]) async throws -> Void
    ) async throws {
        let action = SFTPAction("read", path)
        let handle = try await open(.open(path: path, .read, SFTPAttributes()), action)
        defer { session.dispatch(.close(handle)) }
        let chunk = min(
            Self.chunkBytes,
            limits.flatMap { Int(exactly: $0.readBytes) }.flatMap { $0 > 0 ? $0 : nil } ?? .max
        )
        var window = Deque<(id: UInt32, offset: UInt64, count: Int)>()
        defer { for part in window { session.abandon(part.id) } }
        var next = offset
        var left = Int(clamping: min(UInt64(max(0, count)), .max - offset))
        // A small file must not cost 64 requests: one more is under way for each answer, as the window fills.
        var size = 2
        while true {
            while window.count < size, left > 0 {
                let part = min(chunk, left)
                window.append((try session.submit(.read(handle, offset: next, count: UInt32(part))), next, part))
                next += UInt64(part)
                left -= part
            }
            guard let part = window.popFirst() else { return }
            let answer = try await session.response(to: part.id)
            if answer.isEndOfFile { return }
            guard case .data(let bytes) = answer, (1...part.count).contains(bytes.count) else {
                throw action.error(for: answer)
            }
            try await body(bytes)
            if bytes.count < part.count {
                // A short read: the rest of this part comes before the parts that are already under way.
                let (start, rest) = (part.offset + UInt64(bytes.count), part.count - bytes.count)
                window.prepend((try session.submit(.read(handle, offset: start, count: UInt32(rest))), start, rest))
            } else {
                size = min(size + 1, Self.windowChunks)
            }
        }
    }
}

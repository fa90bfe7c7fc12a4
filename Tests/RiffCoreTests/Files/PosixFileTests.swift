// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PosixFileTests {
    private static let newFile = O_RDWR | O_CREAT | O_EXCL

    /// The call and the `errno` of what failed.
    private func failure(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SystemFailure).map { "\($0.call) \($0.code)" } ?? "\(error)"
        }
    }

    @Test func `bytes come in order, fewer of them near the end and none at it`() async throws {
        try await KeyTool.withFolder { folder in
            try Data(0..<10).write(to: URL(filePath: "\(folder)/a"))
            let file = try PosixFile("\(folder)/a", O_RDONLY)
            let pieces = [try file.read(upTo: 4), try file.read(upTo: 100), try file.read(upTo: 1)]
            #expect(pieces == [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9], []])
            let refusal = failure { try file.write([1]) }
            #expect(refusal == "write \(EBADF)")
        }
    }

    @Test func `a pipe with a name gives what is in it, and nothing at a place`() async throws {
        try await KeyTool.withFolder { folder in
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            let pipe = try PosixFile("\(folder)/pipe", O_RDWR | O_NONBLOCK)
            let empty = failure { _ = try pipe.read(upTo: 10) }
            #expect(empty == "read \(EAGAIN)")
            try pipe.write([1, 2, 3])
            let bytes = try pipe.read(upTo: 10)
            #expect(bytes == [1, 2, 3])
            let placed = failure { _ = try pipe.read(1, at: 0) }
            #expect(placed == "pread \(ESPIPE)")
            let kept = failure { try pipe.write([1], at: 0) }
            #expect(kept == "pwrite \(ESPIPE)")
        }
    }

    @Test func `more than one piece is written and read whole`() async throws {
        try await KeyTool.withFolder { folder in
            let bytes = (0..<PosixFile.pieceBytes * 2 + 17).map { UInt8(truncatingIfNeeded: $0 / 251) }
            let file = try PosixFile("\(folder)/a", Self.newFile)
            try file.write(bytes)
            try file.sync()
            let size = try file.status().st_size
            #expect(Int(size) == bytes.count)
            let all = try file.read(bytes.count, at: 0)
            #expect(all == bytes)
            // Nothing of that size may be asked of the memory.
            let rest = try file.read(.max, at: 5)
            #expect(rest == Array(bytes.dropFirst(5)))
            let part = try file.read(PosixFile.pieceBytes + 1, at: 9)
            #expect(part == Array(bytes[9..<PosixFile.pieceBytes + 10]))
            let none = try file.read(1, at: Int64(bytes.count))
            let beyond = try file.read(1, at: .max - 1)
            let nothing = try file.read(0, at: 0)
            #expect(none.isEmpty && beyond.isEmpty && nothing.isEmpty)
            let copy = try PosixFile("\(folder)/b", Self.newFile)
            try copy.write(bytes, at: 3)
            let copied = try copy.read(.max, at: 0)
            #expect(copied == [0, 0, 0] + bytes)
        }
    }

    @Test func `what is written at a place leaves the rest and the position alone`() async throws {
        try await KeyTool.withFolder { folder in
            let file = try PosixFile("\(folder)/a", Self.newFile)
            try file.write([1, 2, 3, 4, 5])
            try file.write([9, 9], at: 1)
            try file.write([8], at: 7)
            try file.write([6])
            let bytes = try file.read(100, at: 0)
            #expect(bytes == [1, 9, 9, 4, 5, 6, 0, 8])
            try file.truncate(to: 2)
            let cut = try file.read(100, at: 0)
            #expect(cut == [1, 9])
            let before = failure { try file.write([1], at: -1) }
            #expect(before == "pwrite \(EINVAL)")
            let unread = failure { _ = try file.read(1, at: -1) }
            #expect(unread == "pread \(EINVAL)")
        }
    }

    @Test func `a file is made once, for its owner alone`() async throws {
        try await KeyTool.withFolder { folder in
            let file = try PosixFile("\(folder)/a", Self.newFile)
            try file.write([1])
            let again = failure { _ = try PosixFile("\(folder)/a", Self.newFile) }
            #expect(again == "open \(EEXIST)")
            let status = try file.status()
            #expect(status.isOrdinaryFile && status.st_size == 1 && status.st_mode & 0o777 == 0o600)
            try file.setMode(0o644)
            #expect(try KeyTool.mode("\(folder)/a") == 0o644)
            let flags = fcntl(file.descriptor, F_GETFD)
            #expect(flags & FD_CLOEXEC != 0)
            let missing = failure { _ = try PosixFile("\(folder)/b", O_RDONLY) }
            #expect(missing == "open \(ENOENT)")
            try file.close()
        }
    }

    @Test func `a name is looked up in the folder that is open, and a link is not followed unless wanted`() async throws
    {
        try await KeyTool.withFolder { folder in
            let open = try PosixFile(folder, O_RDONLY | O_DIRECTORY)
            let file = try PosixFile("a", Self.newFile, in: open.descriptor)
            try file.write([7])
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/a")) == Data([7]))
            #expect(symlink("a", "\(folder)/link") == 0)
            let refused = failure { _ = try PosixFile("link", O_RDONLY | O_NOFOLLOW, in: open.descriptor) }
            #expect(refused == "open \(ELOOP)")
            let followed = try PosixFile("link", O_RDONLY, in: open.descriptor).read(1, at: 0)
            #expect(followed == [7])
            let folderBytes = failure { _ = try open.read(upTo: 1) }
            #expect(folderBytes == "read \(EISDIR)")
        }
    }

    enum End: CaseIterable { case goesAway, isClosed, isGivenAway }

    @Test(arguments: End.allCases)
    func `a file is open until it goes away, is closed or is given away`(end: End) async throws {
        try await KeyTool.withFolder { folder in
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            let reader = try PosixFile("\(folder)/pipe", O_RDONLY | O_NONBLOCK)
            let writer = try PosixFile("\(folder)/pipe", O_WRONLY)
            // Somebody can still write, so that this is not the end.
            let open = failure { _ = try reader.read(upTo: 1) }
            #expect(open == "read \(EAGAIN)")
            switch end {
            case .goesAway: drop(writer)
            case .isClosed: try writer.close()
            case .isGivenAway:
                let descriptor = writer.release()
                let isOpen = failure { _ = try reader.read(upTo: 1) }
                #expect(isOpen == "read \(EAGAIN)")
                close(descriptor)
            }
            // Waits for its end now: a program that is being started has the writer too, until its exec.
            #expect(fcntl(reader.descriptor, F_SETFL, 0) == 0)
            let bytes = try reader.read(upTo: 1)
            #expect(bytes == [])
        }
    }

    private func drop(_ file: consuming PosixFile) {}

    @Test func `folders are made as far as they are missing, for their owner alone`() async throws {
        try await KeyTool.withFolder { folder in
            try LocalFolder.make(path: "\(folder)/a/b/c")
            try LocalFolder.make(path: "\(folder)/a/b/c/")
            for name in ["a", "a/b", "a/b/c"] { #expect(try KeyTool.mode("\(folder)/\(name)") == 0o700) }
            try Data().write(to: URL(filePath: "\(folder)/file"))
            let error = #expect(throws: FolderFailure.self) { try LocalFolder.make(path: "\(folder)/file/d") }
            #expect(error?.path == "\(folder)/file/d" && error?.failure.code == ENOTDIR)
            #expect(throws: FolderFailure.self) { try LocalFolder.make(path: "") }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Foundation
internal import GRDB
internal import RiffCore
internal import RiffDeflate
internal import RiffSQLite
internal import RiffTransport

/// The pieces of a copy on their way, and their files on this machine: `PATH.part` is what came of the copy,
/// `PATH.part-wal` of its log, `PATH.pull` says of what.
struct SnapshotPull: Sendable {
    let name: String
    let host: any HostSession
    let path: String
    /// The most bytes that the copy may have on this machine, on its way and unpacked.
    let limitBytes: UInt64
    let progress: (@Sendable (UInt64, UInt64) -> Void)?

    private static let piece = 1 << 20

    private var note: String { path + ".pull" }
    private func part(_ file: SnapshotOffer.File) -> String { path + (file.isLog ? ".part-wal" : ".part") }

    /// The pull of the same database that broke, where the host still has its files.
    func broken(of source: String) async throws -> SnapshotOffer? {
        guard let data = FileManager.default.contents(atPath: note) else { return nil }
        // A note that cannot be read is of no use, and a new pull replaces it.
        guard let json = try? JSONValue(parsing: [UInt8](data)), json["name"]?.text == name,
            json["source"]?.text == source, let offer = json["offer"].flatMap({ SnapshotOffer(json: $0) })
        else { return nil }
        for file in offer.files where try await host.status(of: file.path)?.sizeBytes != file.size {
            // A part is gone: the others are of no use any more.
            await HermesSnapshot.remove(try HostSnapshotScript.removing(offer.files.map(\.path)), on: host)
            return nil
        }
        return offer
    }

    /// Whether what came, and what it is of, is still known.
    var canGoOn: Bool { FileManager.default.fileExists(atPath: note) }

    func begin(_ offer: SnapshotOffer, of source: String) throws {
        for file in [note, path + ".part", path + ".part-wal"] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
        let json: JSONValue = ["name": .string(name), "source": .string(source), "offer": offer.json]
        try Data(json.bytes()).write(to: URL(filePath: note), options: .atomic)
    }

    /// Pulls what is not there yet, and checks it.
    ///
    /// - Returns: How many bytes were pulled.
    func fetch(_ offer: SnapshotOffer) async throws -> UInt64 {
        var all: UInt64 = 0
        for file in offer.files {
            let (sum, isBeyond) = all.addingReportingOverflow(file.size)
            // Files have at most 2^63 - 1 bytes, and so have all of them together.
            guard !isBeyond, sum <= Int64.max else {
                try clean()
                throw HermesSnapshot.damaged(name, "the host tells of more bytes than a disk can hold")
            }
            all = sum
        }
        let room = room
        guard all <= room else {
            try clean()
            throw tooLarge(room)
        }
        var before: UInt64 = 0
        var pulled: UInt64 = 0
        for file in offer.files {
            pulled += try await fetch(file, before: before, of: all)
            before += file.size
            try check(file)
        }
        return pulled
    }

    private func fetch(_ file: SnapshotOffer.File, before: UInt64, of all: UInt64) async throws -> UInt64 {
        let part = part(file)
        if !FileManager.default.fileExists(atPath: part) {
            guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw DataError(.snapshotFailed, "No file could be made at \(part). Check its folder.") }
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: part))
        defer { try? handle.close() }  // What was written was checked already.
        var offset = min(try handle.seekToEnd(), file.size)
        try handle.truncate(atOffset: offset)
        let start = offset
        var failures = 0
        while offset < file.size {
            try Task.checkCancellation()
            do {
                let count = Int(min(UInt64(Self.piece), file.size - offset))
                let bytes = try await host.read(file.path, from: offset, count: count)
                guard !bytes.isEmpty else { throw HermesSnapshot.damaged(name, "the host's file became shorter") }
                guard bytes.count <= count else {
                    throw HermesSnapshot.damaged(name, "the host sent more than was asked for")
                }
                try handle.write(contentsOf: Data(bytes))
                offset += UInt64(bytes.count)
                failures = 0
                progress?(before + offset, all)
            } catch let error as TransportError
                where failures < 5 && [.connectionLost, .closed, .timeout].contains(error.code)
            {
                // The host's link dials again by itself; the next piece waits for it.
                failures += 1
            }
        }
        return offset - start
    }

    /// The most bytes that may be written now: the limit, and no more than the disk has. What lies there of this copy
    /// counts as free.
    private var room: UInt64 {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        // Where the system does not tell, the limit alone counts, and a full disk is told as such.
        let system = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = (system?[.systemFreeSize] as? NSNumber)?.uint64Value else { return limitBytes }
        let sizes = [".part", ".part-wal"].map { ending in
            ((try? FileManager.default.attributesOfItem(atPath: path + ending))?[.size] as? NSNumber)?.uint64Value ?? 0
        }
        return min(limitBytes, sizes.reduce(free) { $0.addingReportingOverflow($1).partialValue })
    }

    private func tooLarge(_ room: UInt64) -> DataError {
        let reason = room < limitBytes ? "the disk here has no more room" : "that is the limit for a copy"
        return DataError(.fileTooLarge, "The copy of \(name) has more than \(room) bytes, and \(reason).")
    }

    private func check(_ file: SnapshotOffer.File) throws {
        guard file.sum.count == 64 else { return }
        var hash = SHA256()
        try read(part(file)) { hash.update(data: $0) }
        let sum = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard sum == file.sum.lowercased() else {
            try clean()
            throw HermesSnapshot.damaged(name, "its SHA-256 is another one")
        }
    }

    private func read(_ file: String, _ body: (Data) throws -> Void) throws {
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        defer { try? handle.close() }  // Only read.
        while let data = try handle.read(upToCount: Self.piece), !data.isEmpty { try body(data) }
    }

    /// Unpacks it, lets SQLite check it, and puts it in its place.
    func install(_ offer: SnapshotOffer) async throws {
        let new = path + ".new"
        for file in [new, new + "-wal", new + "-shm"] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
        // Once: what is written takes from what is free.
        let room = room
        var left = room
        for file in offer.files { try unpack(file, to: new + (file.isLog ? "-wal" : ""), &left) }
        let isWhole: Bool
        do {
            let limit = Duration.seconds(120 + Int64(clamping: (room - left) >> 22))
            isWhole = try await withDeadline(
                limit,
                clock: ContinuousClock(),
                abandoning: { try await Self.settle(new) }
            )
        } catch is DeadlineExceeded {
            try clean()
            throw DataError(.snapshotFailed, "The copy of \(name) could not be checked in time.", recovery: .retry)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // The check works out what the tables demand of their rows.
            try clean()
            let words = InertText.line(error.message ?? "")
            throw DataError.unsafe("The copy of \(name)", "SQLite refused what its tables call (\(words))")
        } catch let error as DatabaseError {
            try clean()
            throw DataError(.databaseCorrupt, "The copy of \(name) is damaged: \(error.message ?? "").", cause: error)
        }
        guard isWhole else {
            try clean()
            throw DataError(.databaseCorrupt, "The copy of \(name) is damaged, and so is the original, it seems.")
        }
        // SQLite would carry the log of the last copy over into this one.
        for file in [path + "-wal", path + "-shm", path + "-journal"] where FileManager.default.fileExists(atPath: file)
        {
            try FileManager.default.removeItem(atPath: file)
        }
        guard rename(new, path) == 0 else {
            throw DataError(.snapshotFailed, "\(path) cannot be replaced: \(String(cString: strerror(errno))).")
        }
        try clean()
    }

    private func unpack(_ file: SnapshotOffer.File, to target: String, _ left: inout UInt64) throws {
        guard file.isCompressed else {
            guard file.size <= left else {
                try clean()
                throw tooLarge(room)
            }
            left -= file.size
            return try FileManager.default.copyItem(atPath: part(file), toPath: target)
        }
        guard FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw DataError(.snapshotFailed, "No file could be made at \(target). Check its folder.")
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: target))
        defer { try? handle.close() }  // A write that failed has thrown.
        do {
            let inflater = try Inflater(.gzip, limits: DeflateLimits(outputBytes: 1 << 44))
            try read(part(file)) { data in
                inflater.feed([UInt8](data))
                while let bytes = try inflater.next() {
                    guard UInt64(bytes.count) <= left else { throw Beyond() }
                    left -= UInt64(bytes.count)
                    try handle.write(contentsOf: Data(bytes))
                }
            }
            try inflater.finish()
        } catch is Beyond {
            try clean()
            throw tooLarge(min(limitBytes, room))
        } catch let error as DataError {
            try clean()
            throw HermesSnapshot.damaged(name, error.message)
        }
    }

    /// The error of a file that unpacks to more than may be written.
    private struct Beyond: Error {}

    /// Carries a log that came along over into the copy, which is ours alone, and lets SQLite check it.
    private static func settle(_ path: String) async throws -> Bool {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.distrustSchema()
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let answer = try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            return try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        }
        try queue.close()
        return answer == "ok"
    }

    private func clean() throws {
        let new = ["", "-wal", "-shm", "-journal"].map { path + ".new" + $0 }
        for file in [note, path + ".part", path + ".part-wal"] + new where FileManager.default.fileExists(atPath: file)
        {
            try FileManager.default.removeItem(atPath: file)
        }
    }
}

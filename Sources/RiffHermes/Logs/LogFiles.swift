// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// A log and the files it was rotated to, by their numbers: 0 is the log itself, 1 the newest rotated one. A rotated
/// one may be compressed (`NAME.1.gz`), and is read as if it were not.
struct LogFiles {
    static let headBytes = 256
    private static let most = 1000

    private let host: any HostSession
    private let path: String
    /// The compressed one that was read last.
    private var unpacked: UnpackedLog?
    /// Whether what was read last is compressed and ended before its end.
    private(set) var isDamaged = false

    init(_ path: String, on host: any HostSession) {
        self.path = path
        self.host = host
    }

    /// Bytes of a file from a place on, fewer at its end; `nil` where there is no such file.
    mutating func read(_ number: Int, from offset: UInt64, count: Int) async throws -> [UInt8]? {
        isDamaged = false
        let name = number == 0 ? path : "\(path).\(number)"
        do {
            return try await host.read(name, from: offset, count: count)
        } catch let error as TransportError where error.code == .fileNotFound {
            guard number > 0 else { return nil }
        }
        do {
            return try await unpack(name + ".gz", from: offset, count: count)
        } catch let error as TransportError where error.code == .fileNotFound {
            return nil
        }
    }

    private mutating func unpack(_ name: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
        for _ in 0..<10 {
            let mark = try await UnpackedLog.mark(name, on: host)
            var log = unpacked.flatMap { $0.mark == mark ? $0 : nil } ?? UnpackedLog(mark: mark)
            unpacked = nil
            let bytes = try await log.read(name, on: host, from: offset, count: count)
            // Files that were renamed meanwhile would be mixed up.
            guard try await UnpackedLog.mark(name, on: host) == mark else { continue }
            unpacked = log
            isDamaged = log.isDamaged
            return bytes
        }
        throw TransportError(.fileFailed, "\(name) is replaced faster than it can be read.", recovery: .retry)
    }

    /// Returns the beginning of a file; `nil` if there is none.
    func head(of number: Int) async throws -> [UInt8]? {
        // A reading of its own, so that the place in a compressed file that is read is kept.
        var files = LogFiles(path, on: host)
        return try await files.read(number, from: 0, count: Self.headBytes)
    }

    /// The number of the oldest rotated file; 0 where there is none.
    func highestNumber() async throws -> Int {
        let slash = path.lastIndex(byte: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let prefix = (slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path) + "."
        do {
            return try await host.list(directory).compactMap { entry in
                guard let number = entry.name.dropping(prefix: prefix) else { return nil }
                return Int(number.hasSuffix(".gz") ? number.dropLast(3) : number)
            }.filter { (1...Self.most).contains($0) }.max() ?? 0
        } catch let error as TransportError where error.code == .fileNotFound {
            return 0
        }
    }
}

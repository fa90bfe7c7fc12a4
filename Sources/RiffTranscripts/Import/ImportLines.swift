// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import RiffCore

/// The lines of a file, a piece of it in memory at a time.
struct ImportLines {
    struct Line {
        let number: Int
        let bytes: ArraySlice<UInt8>
        /// Whether it is longer than a line may be; the rest of it was passed over.
        let isCut: Bool
    }

    static let limitBytes = 64 * 1024 * 1024

    private var bytes: ImportBytes
    private var piece: ArraySlice<UInt8> = []
    private var splitter = LineSplitter(limitBytes: ImportLines.limitBytes, overflow: .keepsBeginning, stripsCR: false)
    private var number = 0

    init(file: ImportFile) { bytes = ImportBytes(file: file) }

    mutating func next() async throws -> Line? {
        while true {
            if let line = splitter.next(in: &piece) { return numbered(line) }
            piece = try await bytes.next()[...]
            if piece.isEmpty { return splitter.finish().map { numbered($0) } }
        }
    }

    private mutating func numbered(_ line: LineSplitter.Line) -> Line {
        number += 1
        return Line(number: number, bytes: line.bytes, isCut: line.isCut)
    }
}

/// An open file. Its calls block, and come one after the other.
final class ImportFile: Sendable {
    let path: String
    private let file: PosixFile

    init(path: String) throws(DataError) {
        self.path = path
        do throws(SystemFailure) { file = try PosixFile(path, O_RDONLY) } catch { throw Self.failure(path, error) }
        guard let status = try? file.status(), status.isOrdinaryFile else {
            throw DataError(.importFailed, "\(path) is not an ordinary file; choose a file of lines.")
        }
    }

    /// When it was last written, in seconds since 1970.
    var modifiedAt: Double { (try? file.status()).map { Double($0.modifiedSeconds) } ?? WallClock.now() }

    /// The next bytes; none at the end.
    func read(_ count: Int) throws(DataError) -> [UInt8] {
        do throws(SystemFailure) { return try file.read(upTo: count) } catch { throw Self.failure(path, error) }
    }

    private static func failure(_ path: String, _ failure: SystemFailure) -> DataError {
        DataError(.importFailed, "Reading \(path) failed: \(failure.text).")
    }
}

/// The source of an import: the file, and the facts that its name and the file beside it give about the session.
struct ImportSource: Sendable {
    let path: String
    let file: ImportFile
    let session: TranscriptSession
    /// Whether there is more about the session than a name.
    let isDescribed: Bool
    let modifiedAt: Double

    init(path given: String) throws {
        var status = stat()
        let isFolder = stat(given, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let lines = isFolder ? given + "/transcript.jsonl" : given
        let isPacked = isFolder && stat(lines, &status) != 0 && stat(lines + ".gz", &status) == 0
        path = isPacked ? lines + ".gz" : lines
        file = try ImportFile(path: path)
        modifiedAt = file.modifiedAt
        var parts = path.split(byte: "/")
        let name = parts.popLast().map(Self.name) ?? "transcript"
        let id = name == "transcript" ? parts.last ?? name : name
        let metadata = String(path[..<(path.lastIndex(byte: "/") ?? path.startIndex)]) + "/metadata.json"
        var session = TranscriptSession(id: String(id.prefix(128)))
        isDescribed = name == "transcript" && stat(metadata, &status) == 0
        if isDescribed { try session.describe(by: metadata) }
        self.session = session
    }

    /// A file's name without what says how it is written.
    private static func name(_ file: Substring) -> Substring {
        var name = file
        for endings in [[".gz"], [".jsonl", ".json"]] {
            if let ending = endings.first(where: { name.hasSuffix($0) && name.count > $0.count }) {
                name = name.dropLast(ending.count)
            }
        }
        return name
    }
}

extension TranscriptSession {
    /// Takes over RemoteClaw's `metadata.json`: `{"name", "model", "createdAt", "updatedAt", "messageCount"}`, times in
    /// milliseconds.
    fileprivate mutating func describe(by path: String) throws {
        let file = try ImportFile(path: path)
        let bytes = try file.read(1 << 20)
        let json: JSONValue
        do { json = try JSONValue(parsing: bytes) } catch {
            throw DataError(.importFailed, "\(path) is not JSON; repair it, or move it away.", cause: error)
        }
        source = .remoteClaw
        title = json["name"]?.text
        model = json["model"]?.text
        createdAt = json["createdAt"]?.double.map { $0 / 1000 }
        updatedAt = json["updatedAt"]?.double.map { $0 / 1000 }
        extra = json.rest(besides: ["id", "name", "model", "createdAt", "updatedAt", "messageCount", "extra"])
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTransport

/// A session whose program writes every byte that it gets to a file, and streams output all the time.
actor RecordedSession {
    nonisolated let id: Int
    nonisolated let file: String
    /// Under which name it is on the host; known once it was made.
    private(set) var name: SessionName?
    /// The process of its pane, once it runs.
    private(set) var process: String?
    /// Whether people work in it. Not in one that is being ended: another one may soon have its name.
    private(set) var isInUse = true
    private var record = InputRecord()
    private var number = 0
    /// How many bytes of the file were compared.
    private var compared = 0
    private(set) var inputCount = 0

    init(_ id: Int, in folder: String, named name: SessionName? = nil) {
        self.id = id
        file = "\(folder)/input-\(id)"
        self.name = name
    }

    /// The program of a session: it tells its process when it takes keys, asks for marks around a paste, and has
    /// something to scroll back through.
    nonisolated var spec: NewSessionSpec {
        let script =
            "stty raw -echo; printf '\\033[?2004h'; i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo \"old line $i\"; done; "
            + "(while sleep 0.3; do i=$((i+1)); echo \"line $i\"; done) & echo $$ >\(file).up; exec cat >>\(file)"
        return NewSessionSpec(harness: .custom("exec sh -c \(Self.quoted(script))"))
    }

    private static func quoted(_ script: String) -> String {
        "'" + script.replacing("'", with: #"'\''"#) + "'"
    }

    func made(as name: SessionName) { self.name = name }

    func use(_ isInUse: Bool) { self.isInUse = isInUse }

    func nextNumber() -> Int {
        number += 1
        return number
    }

    func note(_ input: Input, _ answer: InputRecord.Answer) {
        record.add(input, answer)
        inputCount += 1
    }

    /// Waits until its program takes keys.
    func waitUntilUp(_ limit: Duration = .seconds(60)) async throws {
        let path = "\(file).up"
        try await poll("the program of session \(id) to start", limit) {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.hasSuffix("\n") else {
                return false
            }
            return true
        }
        process = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// Compares all that came since the last time.
    ///
    /// - Parameters:
    ///   - last: The last input, which arrives on a connection that stands; `nil` where the session was ended.
    ///   - losses: How often a connection was lost since, at most.
    /// - Returns: What became of it all.
    /// - Throws: ``Failure`` where it is not what is promised, or the last input does not come.
    func compare(after last: Input?, losses: Int) async throws -> InputRecord.Outcome {
        if let last, let end = last.writes.last?.first {
            let start = compared
            do {
                try await poll("the last input of session \(id)", .seconds(60)) { [file] in
                    try Self.bytes(of: file, from: start).suffix(end.count).elementsEqual(end)
                }
            } catch {
                throw Failure("\(error) \(record.difference(from: try Self.bytes(of: file, from: start)))")
            }
        }
        let bytes = try Self.bytes(of: file, from: compared)
        guard let outcome = record.outcome(of: bytes, losses: losses, isEnded: last == nil) else {
            let name = name?.rawValue ?? "?"
            throw Failure("session \(id) (\(name)), \(losses) losses, \(record.difference(from: bytes))")
        }
        compared += bytes.count
        record = InputRecord()
        return outcome
    }

    /// How many bytes arrived that nobody has compared.
    func uncompared() throws -> Int { try Self.bytes(of: file, from: compared).count }

    private static func bytes(of file: String, from start: Int) throws -> [UInt8] {
        // A program that has not started got nothing.
        guard FileManager.default.fileExists(atPath: file) else { return [] }
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        try handle.seek(toOffset: UInt64(start))
        let bytes = try handle.readToEnd() ?? Data()
        try handle.close()
        return Array(bytes)
    }
}

/// What did not hold.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Waits for what nobody tells.
func poll(_ what: String, _ limit: Duration, _ isThere: () async throws -> Bool) async throws {
    let start = ContinuousClock.now
    while try await !isThere() {
        guard ContinuousClock.now - start < limit else { throw Failure("waited \(limit) for \(what).") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

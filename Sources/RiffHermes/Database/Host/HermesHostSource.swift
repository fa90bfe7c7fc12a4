// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
internal import RiffSQLite
package import RiffTransport

/// A Hermes database on a host, read by a program there in one long-lived command.
///
/// Statements go one after another. One that is cancelled or takes too long ends the command; the next one starts
/// another, and so it does where the connection was lost or the files were replaced.
package actor HermesHostSource: HermesRowSource {
    package nonisolated let name: String
    private let path: String
    private let host: any HostSession
    private let access: HermesDatabase.Access
    private let limits: HermesDatabase.Limits
    private let clock: any Clock<Duration>
    private let turns = WriteTurns()
    private var reader: HostReader?
    private var isClosed = false

    package init(
        path: String,
        on host: any HostSession,
        hostName: String,
        access: HermesDatabase.Access,
        limits: HermesDatabase.Limits,
        clock: any Clock<Duration>
    ) {
        self.path = path
        self.host = host
        self.access = access
        self.limits = limits
        self.clock = clock
        name = "\(path) on \(hostName)"
    }

    /// The program that reads; `nil` before the first statement.
    package var program: String? { reader?.start.program }
    /// Its process on the host.
    package var process: Int? { reader?.start.process }

    package func fingerprint() async throws -> HermesFingerprint {
        guard !isClosed else { throw DataError.closed(name) }
        return try await Self.fingerprint(of: path, on: host, name, timeout: limits.query)
    }

    package func glance() async throws -> HermesFingerprint {
        guard !isClosed else { throw DataError.closed(name) }
        return try await Self.fingerprint(of: path, on: host.withoutWaking(), name, timeout: limits.query)
    }

    static func fingerprint(
        of path: String,
        on host: any HostSession,
        _ name: String,
        timeout: Duration
    ) async throws -> HermesFingerprint {
        let nonce = Self.nonce()
        let line = try HostReaderScript.looking(at: path, nonce: nonce)
        let result = try await host.run(line, input: [], outputLimit: 1 << 20, timeout: timeout)
        let lines = result.text.split(byte: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: nonce[...]), lines.count > start + 1,
            let fingerprint = HermesFingerprint(look: String(lines[start + 1].dropFirst()))
        else { throw garbled(name) }
        return fingerprint
    }

    package func rows(_ query: SQLQuery) async throws -> [SQLRow] {
        try await turns.take { try await self.steadyRows(query) }
    }

    package func close() async {
        isClosed = true
        let last = reader
        reader = nil
        await last?.close()
    }

    // MARK: Steps

    private func steadyRows(_ query: SQLQuery) async throws -> [SQLRow] {
        var isFresh = false
        for attempt in 0..<6 {
            let reader: HostReader
            if let running = self.reader {
                reader = running
            } else {
                reader = try await startReader(isPatient: attempt >= 3)
                isFresh = true
            }
            do {
                let answer = try await ask(query, reader)
                guard let look = HermesFingerprint(look: answer.look) else { throw HostReader.Garbled() }
                guard reader.isValid(look) else {
                    await drop(reader)
                    continue
                }
                if let words = answer.failure { throw failure(words, of: reader) }
                return answer.rows
            } catch let error as HostReader.Ended {
                await drop(reader)
                // sqlite3 says why it ends. Without a word it was ended, or its connection was: another one may do.
                if !error.words.isEmpty { throw failure(error.words, of: reader) }
                if isFresh { throw Self.garbled(name) }
            } catch let error as DataError where error.code != .resultTooLarge {
                throw error
            } catch {
                // What is left of the answer must not be taken for the next one's.
                await abandon(reader)
                if error is HostReader.Garbled { throw Self.garbled(name) }
                if let error = error as? TransportError, error.code == .connectionLost || error.code == .closed,
                    !isFresh
                {
                    continue
                }
                throw error
            }
        }
        throw DataError(
            .databaseUnsteady,
            "\(name) was replaced again and again while it was read. Try again in a while.",
            recovery: .retry
        )
    }

    /// Asks within the limit of a statement; the time that others take, and that of opening, is not this one's.
    private func ask(_ query: SQLQuery, _ reader: HostReader) async throws -> HostRows.Answer {
        do {
            return try await withDeadline(limits.query, clock: clock) { [name] in try await reader.ask(query, name) }
        } catch is DeadlineExceeded {
            // What is left of the answer must not be taken for the next one's.
            await abandon(reader)
            throw DataError.timeout(name, limits.query)
        }
    }

    private func drop(_ reader: HostReader) async {
        if self.reader === reader { self.reader = nil }
        await reader.close()
    }

    private func abandon(_ reader: HostReader) async {
        if self.reader === reader { self.reader = nil }
        // The task that asked may be cancelled, and the host must be told all the same.
        await Task { [host] in await reader.abandon(on: host) }.value
    }

    private func startReader(isPatient: Bool) async throws -> HostReader {
        guard !isClosed else { throw DataError.closed(name) }
        let nonce = Self.nonce()
        let line = try HostReaderScript.command(path, nonce: nonce, access: access, isPatient: isPatient, limits)
        let outcome: Result<HostReader, HostReader.RefusalError>
        do {
            outcome = try await withDeadline(limits.opening, clock: clock) { [host, limits] in
                try await HostReader.start(line, on: host, nonce: nonce, limits)
            }
        } catch is DeadlineExceeded {
            throw DataError(
                .queryTimeout,
                "\(name) was not opened within \(limits.opening), and was given up. Check the connection to its host, or try "
                    + "again.",
                recovery: .retry
            )
        } catch let error as HostReader.Ended {
            throw DataError(
                .databaseReaderFailed,
                "The command that reads \(name) ended before it began\(error.words.isEmpty ? "" : ": \(error.words)"). Check "
                    + "that commands can be run on the host."
            )
        } catch is HostReader.Garbled {
            throw Self.garbled(name)
        }
        switch outcome {
        case .success(let reader):
            guard !isClosed else {
                await reader.close()
                throw DataError.closed(name)
            }
            self.reader = reader
            return reader
        case .failure(let error): throw refusal(error.refusal)
        }
    }

    private func refusal(_ refusal: HostReader.Refusal) -> DataError {
        switch refusal {
        case .missing: DataError(.databaseMissing, "There is no file at \(name).")
        case .empty: DataError(.databaseEmpty, "\(name) is empty: no session was ever written to it.")
        case .unreadable:
            DataError(.databaseNotPermitted, "\(name) cannot be read: check that the account may read it.")
        case .none:
            DataError(
                .databaseReaderMissing,
                "\(name) cannot be read there: the host has neither sqlite3 nor a python3 with its sqlite3 module. Install "
                    + "one of them, or read a copy.",
                recovery: .installProgram("sqlite3")
            )
        case .old:
            DataError(
                .databaseReaderMissing,
                "\(name) cannot be read there: the host's SQLite is older than 3.31, and would run what a database's own "
                    + "tables call. Update its sqlite3 or its python3, or read a copy.",
                recovery: .updateProgram("sqlite3")
            )
        }
    }

    /// Returns the failure for the words of sqlite3 or Python, sorted as SQLite's own codes are.
    private func failure(_ words: String, of reader: HostReader) -> any Error {
        let said = String(decoding: words.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
        func says(_ parts: String...) -> Bool { parts.contains { said.contains($0) } }
        let kind: SQLiteFailure
        if says("database is locked", "database table is locked", "locking protocol") {
            kind = .busy
        } else if says("malformed", "not a database", "file is encrypted") {
            kind = .corrupt
        } else if says("readonly database") {
            kind = .log
        } else if says("unable to open database") {
            kind = reader.start.fingerprint.log?.size ?? 0 > 0 ? .log : .unreadable
        } else if says("disk i/o error", "authorization denied", "permission denied") {
            kind = .unreadable
        } else {
            kind = SQLiteMessage.isUnsafe(said) ? .unsafe : .refused
        }
        return DataError.failure(kind, name, limits, words: words)
    }

    private static func garbled(_ name: String) -> DataError {
        DataError(
            .databaseReaderFailed,
            "What reads \(name) ended in the middle of an answer, or gave one that cannot be understood. Try again.",
            recovery: .retry
        )
    }

    private static func nonce() -> String {
        "riff-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}

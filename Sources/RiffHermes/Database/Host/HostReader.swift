// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// One running reader on a host: a statement in, its rows out, one after another.
final class HostReader: Sendable {
    /// The way that the reader was started.
    struct Start {
        let program: String
        let isImmutable: Bool
        let process: Int
        /// Whether `sqlite3` runs in its safe mode, where each command of its own needs leave.
        let isSafe: Bool
        let fingerprint: HermesFingerprint
    }

    /// The answer of a host that did not start a reader.
    enum Refusal: String {
        case missing, unreadable, empty, none, old
    }

    /// The command ended in the middle; its words, where it had any.
    struct Ended: Error { let words: String }
    /// It said something that cannot be understood.
    struct Garbled: Error {}

    let start: Start
    private let channel: any ByteChannel
    private let nonce: String
    private let limits: HermesDatabase.Limits
    private let number = Counter()

    private init(_ channel: any ByteChannel, _ start: Start, nonce: String, _ limits: HermesDatabase.Limits) {
        self.channel = channel
        self.start = start
        self.nonce = nonce
        self.limits = limits
    }

    /// Starts the command, and reads how it started.
    static func start(
        _ command: String,
        on host: any HostSession,
        nonce: String,
        _ limits: HermesDatabase.Limits
    ) async throws -> Result<HostReader, RefusalError> {
        let channel = try await host.openChannel(command)
        do {
            let lines = try await head(of: channel, nonce: nonce)
            guard let lines else {
                let words = await lastWords(of: channel)
                await channel.close()
                throw Ended(words: words)
            }
            let words = lines[0].split(separator: " ").map(String.init)
            if let refusal = words.first.flatMap(Refusal.init(rawValue:)) {
                await channel.close()
                return .failure(RefusalError(refusal: refusal))
            }
            guard [3, 4].contains(words.count), let process = Int(words[2]), process > 1, lines.count == 2,
                let fingerprint = HermesFingerprint(look: String(lines[1].dropFirst()))
            else { throw Garbled() }
            let start = Start(
                program: words[0],
                isImmutable: words[1] == "immutable",
                process: process,
                isSafe: words.last == "safe",
                fingerprint: fingerprint
            )
            let reader = HostReader(channel, start, nonce: nonce, limits)
            if start.program == "sqlite3" {
                let milliseconds = Int(limits.busySeconds * 1000)
                let setup =
                    ".mode list\n.headers off\n.timeout \(milliseconds)\n"
                    + "PRAGMA cell_size_check = ON;\nPRAGMA cache_size = -8000;\n"
                // Where it has ended already, it says why with the first statement.
                do { try await channel.write(Array(setup.utf8)) } catch let error as TransportError
                    where error.code == .closed
                {}
            }
            return .success(reader)
        } catch {
            await channel.close()
            throw error
        }
    }

    struct RefusalError: Error { let refusal: Refusal }

    /// The line behind the nonce, and the look where one follows. What a profile printed before is passed over.
    private static func head(of channel: any ByteChannel, nonce: String) async throws -> [String]? {
        var splitter = LineSplitter(limitBytes: (1 << 20) - 1, overflow: .drops, stripsCR: false)
        var found: [String] = []
        for try await bytes in channel.output {
            var rest = bytes[...]
            while let whole = splitter.next(in: &rest) {
                guard !whole.isCut else { throw Garbled() }
                let line = String(decoding: whole.bytes, as: UTF8.self)
                if let shell = UnsupportedShell(in: line) { throw shell.error(host: "the host") }
                if !found.isEmpty {
                    found.append(line)
                    return found
                }
                guard line.hasPrefix(nonce + " ") else { continue }
                found.append(String(line.dropFirst(nonce.count + 1)))
                if Refusal(rawValue: found[0]) != nil { return found }
            }
            guard !splitter.isCut else { throw Garbled() }
        }
        return nil
    }

    /// Whether the reader still reads the files that are there.
    func isValid(_ now: HermesFingerprint) -> Bool {
        if start.isImmutable { return now.isAtRest && now.database == start.fingerprint.database }
        return now.database?.inode == start.fingerprint.database?.inode
            && now.log?.inode == start.fingerprint.log?.inode
    }

    /// Asks one statement. Not to be called again before it has returned; after an error the reader is of no use any
    /// more.
    ///
    /// - Throws: ``Ended``, ``Garbled``, `resultTooLarge`, what breaks the channel, `CancellationError`.
    func ask(_ query: SQLQuery, _ name: String) async throws -> HostRows.Answer {
        let end = "\(nonce).\(number.next())"
        do { try await channel.write(question(query, end)) } catch let error as TransportError
            where error.code == .closed
        {
            throw Ended(words: await Self.lastWords(of: channel))
        }
        var rows = HostRows(columns: query.columns, end: end, limits: limits)
        do {
            for try await bytes in channel.output {
                if let answer = try rows.feed(bytes) { return answer }
            }
        } catch let error as HostRows.Malformed {
            switch error {
            case .tooLarge: throw DataError.tooLarge(name)
            case .unexpected: throw Garbled()
            }
        }
        throw Ended(words: await Self.lastWords(of: channel))
    }

    private func question(_ query: SQLQuery, _ end: String) -> [UInt8] {
        if start.program == "sqlite3" {
            let leave = start.isSafe ? ".nonce \(nonce)\n" : ""
            return Array("\(HostRows.printing(query))\n\(leave).shell eval $RIFF_LOOK\n.print E\(end)\n".utf8)
        }
        let values = query.values.map { value -> JSONValue in
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .object(["r": .string("\(number)")])
            case .text(let text): .string(text)
            case .blob(let bytes): .object(["b": .string(bytes.map { String(format: "%02x", $0) }.joined())])
            }
        }
        let question: JSONObject = [
            "sql": .string(query.sql), "values": .array(values), "end": .string(end),
            "limit": .integer(Int64(3 * limits.bytes)),
        ]
        return JSONValue.object(question).bytes() + [0x0A]
    }

    /// Returns the text that the command wrote to standard error by its end; its newest words.
    private static func lastWords(of channel: any ByteChannel) async -> String {
        var words: [UInt8] = []
        // Whatever breaks here, the command has ended all the same.
        do {
            for try await bytes in channel.diagnostics { words = (words + bytes).suffix(2000) }
        } catch {}
        return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the command, which has nothing to do.
    func close() async { await channel.close() }

    /// Ends the command in the middle of a statement: its program does not look up from it by itself.
    func abandon(on host: any HostSession) async {
        await channel.close()
        // It may have ended already; and where the host cannot be reached, the program ends when it next writes.
        _ = try? await host.run("kill \(start.process)", timeout: .seconds(10))
    }
}

/// Numbers in order.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}

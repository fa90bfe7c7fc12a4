// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
public import RiffTransport

// sample: host: SSHHost
/// A copy of a host's Hermes database on this machine: where the host has no program that could read it there, or where
/// it is to be read without the host.
///
/// ```swift
/// let snapshot = try await HermesSnapshot.pull(".hermes/state.db", on: host, hostName: "mac", to: "/tmp/mac.db")
/// let database = try await HermesDatabase.open(snapshot.path)
/// ```
///
/// The host makes a copy of one moment, under SQLite's locks where it has a program for that, and compresses it. It is
/// pulled in pieces, checked against its length, its SHA-256 and by SQLite, and only then put in the place of the last
/// one.
public struct HermesSnapshot: Sendable, Hashable {
    /// The path of the copy.
    public let path: String
    /// The fingerprint of the database when the copy was made. As long as the host's is equal, a new copy would be the
    /// same.
    package let fingerprint: HermesFingerprint
    /// The number of bytes that this call transferred.
    public let transferredBytes: UInt64

    /// Pulls a copy.
    ///
    /// A pull that breaks or is cancelled goes on where it was when it is called again within a day: what came lies
    /// beside the copy, as `PATH.part`, and the host keeps its files. Later they go with the next pull. Where the
    /// connection comes back by itself it goes on at once.
    ///
    /// - Parameters:
    ///   - source: The database on the host, absolute or from the home directory on.
    ///   - host: The way into the host.
    ///   - hostName: What to call the host in messages.
    ///   - path: Where the copy shall lie; what lies there is replaced in one step.
    ///   - last: The copy that lies there already: it stays where nothing has changed since.
    ///   - limitBytes: The most bytes that the copy may take on this machine, on its way and unpacked. A host can tell
    ///     of as many as it likes, and compressed ones become a thousand times as many.
    ///   - timeout: How long the host may take to make the copy.
    ///   - progress: Told after each piece: bytes there, and bytes altogether.
    /// - Returns: The copy.
    /// - Throws: ``DataError`` with `databaseMissing`, `databaseEmpty`, `databaseNotPermitted`, `snapshotFailed`,
    ///   `snapshotDamaged`, `fileTooLarge` or `databaseCorrupt`; what the way to the host throws; `CancellationError`.
    public static func pull(
        _ source: String,
        on host: any HostSession,
        hostName: String,
        to path: String,
        replacing last: HermesSnapshot? = nil,
        limitBytes: UInt64 = 16 << 30,
        timeout: Duration = .seconds(600),
        progress: (@Sendable (UInt64, UInt64) -> Void)? = nil
    ) async throws -> HermesSnapshot {
        let name = "\(source) on \(hostName)"
        if let last, last.path == path, FileManager.default.fileExists(atPath: path) {
            let now = try await HermesHostSource.fingerprint(of: source, on: host, name, timeout: .seconds(30))
            if now == last.fingerprint { return HermesSnapshot(path: path, fingerprint: now, transferredBytes: 0) }
        }
        let pull = SnapshotPull(name: name, host: host, path: path, limitBytes: limitBytes, progress: progress)
        let broken = try await pull.broken(of: source)
        let offer: SnapshotOffer
        if let broken { offer = broken } else { offer = try await make(source, on: host, name, timeout: timeout) }
        let transferred: UInt64
        do {
            if broken == nil { try pull.begin(offer, of: source) }
            transferred = try await pull.fetch(offer)
            try await pull.install(offer)
        } catch {
            // What can go on where it was stays, here and there.
            if !pull.canGoOn { await Self.remove(try HostSnapshotScript.removing(offer.files.map(\.path)), on: host) }
            throw error
        }
        await Self.remove(try HostSnapshotScript.removing(offer.files.map(\.path)), on: host)
        guard let fingerprint = HermesFingerprint(look: offer.look) else { throw damaged(name, "no look came with it") }
        return HermesSnapshot(path: path, fingerprint: fingerprint, transferredBytes: transferred)
    }

    /// Takes files of the host away, also for a task that is cancelled. What cannot be reached goes with the first pull
    /// that is more than a day later.
    static func remove(_ line: String, on host: any HostSession) async {
        await Task { _ = try? await host.run(line, timeout: .seconds(30)) }.value
    }

    private static func make(
        _ source: String,
        on host: any HostSession,
        _ name: String,
        timeout: Duration
    ) async throws -> SnapshotOffer {
        let nonce = "riff-" + String(UInt64.random(in: .min ... .max), radix: 36)
        do { return try await make(source, on: host, name, nonce: nonce, timeout: timeout) } catch {
            await remove(try HostSnapshotScript.removing(nonce: nonce), on: host)
            throw error
        }
    }

    private static func make(
        _ source: String,
        on host: any HostSession,
        _ name: String,
        nonce: String,
        timeout: Duration
    ) async throws -> SnapshotOffer {
        let line = try HostSnapshotScript.making(source, nonce: nonce, busyMilliseconds: 5000)
        let result = try await host.run(line, input: [], outputLimit: 1 << 20, timeout: timeout)
        var files: [SnapshotOffer.File] = []
        for line in result.text.split(byte: "\n") {
            guard let rest = line.dropping(prefix: nonce + " ") else { continue }
            let parts = rest.split(byte: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let word = parts.first ?? ""
            let value = parts.count > 1 ? String(parts[1]) : ""
            switch word {
            case "missing": throw DataError(.databaseMissing, "There is no file at \(name).")
            case "empty": throw DataError(.databaseEmpty, "\(name) is empty: no session was ever written to it.")
            case "unreadable":
                throw DataError(.databaseNotPermitted, "\(name) cannot be read: check that the account may read it.")
            case "fail":
                throw DataError(
                    .snapshotFailed,
                    "\(name) could not be copied: \(InertText.line(value)). Try again.",
                    recovery: .retry
                )
            case "file":
                // The path may hold spaces; the two words behind it do not.
                let words = value.split(byte: " ", omittingEmptySubsequences: false)
                guard words.count >= 3, let size = UInt64(words[words.count - 2]) else { continue }
                let path = words.dropLast(2).joined(separator: " ")
                files.append(SnapshotOffer.File(path: path, size: size, sum: String(words[words.count - 1])))
            case "look": return SnapshotOffer(files: files, look: String(value.dropFirst()))
            default: continue
            }
        }
        throw DataError(
            .snapshotFailed,
            "The command that copies \(name) ended in the middle\(result.diagnosticText.isEmpty ? "" : ": ")"
                + "\(InertText.line(String(result.diagnosticText.prefix(500)))). Try again.",
            recovery: .retry
        )
    }

    static func damaged(_ name: String, _ words: String) -> DataError {
        DataError(.snapshotDamaged, "The copy of \(name) did not come whole: \(words). Try again.", recovery: .retry)
    }
}

/// The copy that a host made to be pulled.
struct SnapshotOffer: Sendable, Hashable {
    struct File: Sendable, Hashable {
        let path: String
        let size: UInt64
        let sum: String

        var isCompressed: Bool { path.hasSuffix(".gz") }
        /// Whether it is the log of the copy, and not the copy.
        var isLog: Bool { path.hasSuffix("-wal") || path.hasSuffix("-wal.gz") }
    }

    let files: [File]
    let look: String

    var json: JSONValue {
        let list = files.map { JSONValue.array([.string($0.path), .string(String($0.size)), .string($0.sum)]) }
        return ["files": .array(list), "look": .string(look)]
    }

    init(files: [File], look: String) {
        self.files = files
        self.look = look
    }

    init?(json: JSONValue) {
        guard let list = json["files"]?.array, let look = json["look"]?.text else { return nil }
        self.look = look
        files = list.compactMap { entry in
            guard let parts = entry.array?.map(\.text), parts.count == 3, let path = parts[0],
                let size = parts[1].flatMap({ UInt64($0) }), let sum = parts[2]
            else { return nil }
            return File(path: path, size: size, sum: sum)
        }
        guard files.count == list.count, !files.isEmpty else { return nil }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

extension HermesHome {
    /// The most bytes of an exported session.
    private static let exportLimitBytes = 64 << 20

    /// Opens the database of the home's sessions; the caller closes it.
    ///
    /// - Parameter hostName: The name of the host in error messages.
    /// - Returns: The database, which is only read.
    /// - Throws: What ``HermesDatabase/open(_:on:hostName:access:)`` throws.
    package func openDatabase(hostName: String) async throws -> HermesDatabase {
        try await HermesDatabase.open("\(path)/state.db", on: host, hostName: hostName)
    }

    /// Gives a session another title, by `hermes sessions rename`.
    ///
    /// - Parameters:
    ///   - id: The session's whole id.
    ///   - title: The title; control characters are left out.
    /// - Throws: ``DataError`` with `noSuchSession`, or `invalidValue` for a title without a visible character;
    ///   `TransportError` with `programNotFound`, or `commandFailed` and the command's words, as for a title that
    ///   another session has; the host's own errors; `CancellationError`.
    public func renameSession(_ id: HermesSession.ID, to title: String) async throws {
        let title = InertText.line(title)
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw DataError(.invalidValue, "A session's title has at least one visible character.")
        }
        try await requireSession(id)
        let result = try await hermes.run(["sessions", "rename"], operands: [id, title])
        try check(result, says: "Session '\(id)' renamed to: ", "rename")
    }

    /// Removes a session with all of its messages, by `hermes sessions delete`.
    ///
    /// - Parameter id: The session's whole id.
    /// - Throws: As ``renameSession(_:to:)``.
    public func deleteSession(_ id: HermesSession.ID) async throws {
        try await requireSession(id)
        let result = try await hermes.run(["sessions", "delete", "--yes"], operands: [id])
        try check(result, says: "Deleted session '\(id)'.", "delete")
    }

    /// Exports a session with all of its messages, by `hermes sessions export`.
    ///
    /// - Parameter id: The session's whole id.
    /// - Returns: One JSON object on one line, as the agent writes it, with a line feed at its end.
    /// - Throws: As ``renameSession(_:to:)``; `TransportError` with `outputTooLarge` for more than 64 MiB.
    public func exportSession(_ id: HermesSession.ID) async throws -> [UInt8] {
        try Self.checkSession(id)
        let result = try await hermes.run(
            ["sessions", "export", "--session-id=\(id)"],
            operands: ["-"],
            timeout: .seconds(120),
            outputLimit: Self.exportLimitBytes
        )
        // It ends with status 0 also where it found none, and takes the beginning of an id for one.
        guard let line = result.output.split(separator: 0x0A).last, line.first == UInt8(ascii: "{"),
            (try? JSONValue(parsing: Array(line)))?["id"]?.text?.isSame(bytes: id) == true
        else { throw Self.noSession(id) }
        return Array(line) + [0x0A]
    }

    /// Refuses an id that is not a session's whole id: the commands take its beginning as well, and would change
    /// another session.
    private func requireSession(_ id: String) async throws {
        try Self.checkSession(id)
        let database = try await openDatabase(hostName: "the host")
        let found: Result<HermesSession?, any Error>
        do { found = .success(try await database.session(id)) } catch { found = .failure(error) }
        await database.close()
        guard try found.get()?.id.isSame(bytes: id) == true else { throw Self.noSession(id) }
    }

    /// An id that begins with a dash would be an option.
    private static func checkSession(_ id: String) throws {
        guard !id.isEmpty, !id.hasPrefix(bytes: "-"), InertText.line(id).isSame(bytes: id) else { throw noSession(id) }
    }

    private func check(_ result: CommandResult, says words: String, _ command: String) throws {
        guard !result.text.byteLines.contains(where: { $0.hasPrefix(bytes: words) }) else { return }
        let said = InertText.line(String(result.text.suffix(400)))
        throw TransportError(.commandFailed, "hermes sessions \(command): \(said)")
    }

    private static func noSession(_ id: String) -> DataError {
        DataError(.noSuchSession, "There is no session \(InertText.line(id)); somebody may have removed it.")
    }
}

extension DataErrorCode {
    /// There is no session with that id.
    public static let noSuchSession = DataError.Code(rawValue: "noSuchSession")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore

/// The numbers of messages: their order in the whole store, and in their session.
struct MessageNumbering {
    private let session: Int64
    private let database: Database
    /// The session's last message.
    private var last: (number: Int64, time: Double)?

    init(session: Int64, database: Database) throws {
        (self.session, self.database) = (session, database)
        let statement = try database.cachedStatement(
            sql: "SELECT id, time FROM message WHERE session = ? ORDER BY id DESC LIMIT 1"
        )
        last = try Row.fetchOne(statement, arguments: [session]).map { row in
            (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
        }
    }

    /// The number of a message of the session: its time, behind those of the session that are not newer.
    mutating func number(at time: Double) throws -> Int64 {
        let place = Int64(time * 16)
        guard let last, last.time > time else {
            let number = try free(from: last.map { max(place, try Self.next($0.number)) } ?? place)
            self.last = (number, time)
            return number
        }
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM message WHERE session = ? AND time <= ? ORDER BY id DESC LIMIT 1"
        )
        let before = try Int64.fetchOne(statement, arguments: [session, time])
        return try free(from: before.map { max(place, try Self.next($0)) } ?? place)
    }

    /// The first number from there that no message has.
    private func free(from number: Int64) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT id FROM message WHERE id >= ? ORDER BY id")
        let taken = try Int64.fetchCursor(statement, arguments: [number])
        var number = number
        while let next = try taken.next(), next == number { number = try Self.next(number) }
        return number
    }

    /// A file that another program wrote may use the last number that there is.
    private static func next(_ number: Int64) throws -> Int64 {
        let (next, isBeyond) = number.addingReportingOverflow(1)
        guard !isBeyond else { throw DataError.numbersUsedUp("messages") }
        return next
    }
}

extension DataError {
    static func numbersUsedUp(_ what: String) -> DataError {
        DataError(
            .databaseCorrupt,
            "The store has no number left for more \(what): another program wrote to it. Restore it from a backup, or move it "
                + "away."
        )
    }
}

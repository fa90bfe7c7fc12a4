// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name of one new session, found so that it is always a new one: a name that is taken after all is never attached
/// to, the next one is tried.
///
/// ```swift
/// var creation = try SessionCreation(memory: list.names, limit: 24)
/// var name = try creation.firstName(server: listed)
/// // make it; on `duplicate session`:
/// name = try creation.nextName(afterDuplicate: name)
/// ```
package struct SessionCreation: Sendable, Hashable {
    private var taken: Set<SessionName>
    private let limit: Int
    private var attemptsLeft: Int

    /// Creates the search for a new session's name.
    ///
    /// - Parameters:
    ///   - memory: The names of the pages.
    ///   - limit: How many sessions there may be.
    ///   - attempts: How many names are tried.
    /// - Throws: ``CoreError`` with `tooManySessions`.
    package init(memory: some Sequence<SessionName>, limit: Int, attempts: Int = 32) throws(CoreError) {
        taken = Set(memory)
        self.limit = limit
        attemptsLeft = attempts
        try requireRoom()
    }

    /// The name to try first: the lowest that is free on the server and in memory.
    ///
    /// - Parameter server: The names that the server lists; `nil` where it could not be asked, and then memory decides.
    /// - Returns: The name.
    /// - Throws: ``CoreError`` with `tooManySessions`.
    package mutating func firstName(server: (some Sequence<SessionName>)?) throws(CoreError) -> SessionName {
        if let server { taken.formUnion(server) }
        try requireRoom()
        return try next()
    }

    /// The name to try after the server said that one was taken.
    ///
    /// - Throws: ``CoreError`` with `sessionNamesTaken` where it was so for the last name that is tried.
    package mutating func nextName(afterDuplicate name: SessionName) throws(CoreError) -> SessionName {
        taken.insert(name)
        return try next()
    }

    private mutating func next() throws(CoreError) -> SessionName {
        guard attemptsLeft > 0 else {
            let message =
                "No free name for a new session was found, since others are making sessions as well. Try again."
            throw CoreError(.sessionNamesTaken, message, recovery: .retry)
        }
        attemptsLeft -= 1
        return SessionNaming.next(server: taken, memory: [])
    }

    private func requireRoom() throws(CoreError) {
        guard taken.count >= limit else { return }
        let message = "There are \(taken.count) sessions, and \(limit) are the most that are made. Close one first."
        throw CoreError(.tooManySessions, message)
    }
}

extension CoreErrorCode {
    /// There are as many sessions as the settings allow; none was made.
    public static let tooManySessions = CoreError.Code(rawValue: "tooManySessions")
    /// Each name that was tried for a new session was taken by another client at that moment.
    public static let sessionNamesTaken = CoreError.Code(rawValue: "sessionNamesTaken")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The order of sessions, and the name of the next one.
public enum SessionNaming {
    /// The name of the session to make next: `riff-2`, `riff-3`, ..., the lowest that is free on the server and in
    /// memory. Memory counts because the server's list may be stale, the server because memory may be. After a
    /// `duplicate session`, add the refused name to either and ask again.
    ///
    /// - Parameters:
    ///   - server: Names that the server listed.
    ///   - memory: Names that the front end shows.
    /// - Returns: A free name.
    public static func next(server: some Sequence<SessionName>, memory: some Sequence<SessionName>) -> SessionName {
        let taken = Set(server).union(memory)
        var number = 2
        while taken.contains(.numbered(number)) { number += 1 }
        return .numbered(number)
    }

    /// The sessions as pages: the base first, whether it was listed or not, then each of the others once, in the order
    /// of its first appearance.
    ///
    /// - Parameter names: Names in any order, with or without repeats.
    /// - Returns: The order of pages.
    public static func ordered(_ names: some Sequence<SessionName>) -> [SessionName] {
        var seen: Set<SessionName> = [.base]
        return [.base] + names.filter { seen.insert($0).inserted }
    }
}

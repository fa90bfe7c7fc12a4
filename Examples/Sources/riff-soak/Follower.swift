// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTransport
import Synchronization

/// A front end's part: it reads what every terminal draws, and notes when a terminal lost its connection.
final class Follower: Sendable {
    private let lossCounts = Mutex<[SessionName: Int]>([:])

    /// How often each session's connection was lost so far.
    var losses: [SessionName: Int] { lossCounts.withLock(\.self) }

    /// Follows a manager to its end.
    func follow(_ manager: SessionManager) async {
        await withDiscardingTaskGroup { group in
            var known: Set<ObjectIdentifier> = []
            for await snapshot in manager.updates() {
                let terminals = snapshot.pages.compactMap { page in page.terminal.map { (page.name, $0) } }
                known.formIntersection(terminals.map { ObjectIdentifier($0.1) })
                for (name, terminal) in terminals where known.insert(ObjectIdentifier(terminal)).inserted {
                    group.addTask { for await _ in terminal.output {} }
                    group.addTask { await self.count(terminal, of: name) }
                }
            }
        }
    }

    private func count(_ terminal: TerminalSession, of name: SessionName) async {
        var wasOpen = false
        for await state in terminal.updates() {
            // An end that somebody asked for is none.
            if wasOpen, Self.isLost(state) { lossCounts.withLock { $0[name, default: 0] += 1 } }
            wasOpen = state.isOpen
        }
    }

    private static func isLost(_ state: TerminalSessionState) -> Bool {
        switch state {
        case .opening, .open: false
        case .reconnecting: true
        case .ended(let closure): closure.reason == .lost
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// Step 6: the network is cut under the session and comes back; so does the session, as it was.
@MainActor
enum NetworkCut {
    static func show(_ site: Site, _ desk: Desk, _ timings: inout Timings) async throws -> (Void, String) {
        let host = desk.host
        let before = try await desk.contents()
        let states = host.updates()
        desk.screen.mark()

        try await site.proxy.refuseConnections()
        try await site.proxy.resetAll()
        _ = try await firstState(of: states, "the state reconnecting") { state in
            if case .reconnecting = state.connection { true } else { false }
        }
        // The session tells it too, and takes no key that could come out later by surprise.
        _ = try await firstState(of: desk.session.updates(), "the session's state reconnecting") { !$0.isOpen }
        do {
            try await desk.session.type("typed into nothing")
            throw Failure("A session without a connection took keys.")
        } catch let error as TransportError where error.code == .notConnected {}

        try await site.proxy.acceptConnections()
        timings.reconnect = try await measured {
            _ = try await firstState(of: host.updates(), "the state connected") { $0.connection == .connected }
            _ = try await firstState(of: desk.session.updates(), "the session's state open") { $0.isOpen }
        }.time

        let pid = try await desk.currentPanePID()
        try check(pid == desk.panePID, "The pane's process was \(desk.panePID) and is \(pid).")
        let after = try await desk.contents()
        try check(after == before, "The screen was\n\(before)\nand is\n\(after)")
        // tmux draws it all again for the new connection.
        try await desk.screen.wait(for: "the redrawn screen") { [screen = desk.screen] in
            Words(before).areWithin(Words(screen.text))
        }
        try await desk.session.type("still here", submit: true)
        try await desk.waitForAnswer(to: "still here")
        let fact =
            "the network was cut: reconnecting, connected, the same pane process \(pid), the same screen, and the next "
            + "line was answered"
        return ((), fact)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// Step 8: one more session beside the first, on the same connection; listed, and ended.
@MainActor
enum SecondSession {
    static func show(_ site: Site, _ desk: Desk, _ timings: inout Timings) async throws -> (Void, String) {
        let name = try SessionName("riff-2")
        let logins = try site.server.log.count(of: "Accepted publickey")
        let agent = try Agent.sample()
        let ((second, screen), time) = try await measured {
            try await Desk.openSession(name, agent, on: desk.host, site.tmux)
        }
        site.atEnd { await second.close() }
        timings.furtherSession = time
        let state = desk.host.current
        try check(state.connectionCount == 1, "There are \(state.connectionCount) connections.")
        try check(site.server.log.count(of: "Accepted publickey") == logins, "There was one more login.")
        try await checkListed(["riff", "riff-2"], site, desk)

        let states = second.updates()
        let ended = try await desk.host.run(
            try site.tmux.kill(name).loginCommand().line,
            input: [],
            outputLimit: 4096,
            timeout: .seconds(10)
        )
        try check(ended.exit?.isSuccess == true, "kill-session failed: \(ended.diagnosticText)")
        _ = try await firstState(of: states, "the second session's end") { state in
            if case .ended(let closure) = state { closure.reason == .exited } else { false }
        }
        try await checkListed(["riff"], site, desk)
        try check(desk.session.current.isOpen, "The first session is not open any more.")
        let pid = try await desk.currentPanePID()
        try check(pid == desk.panePID, "The pane's process was \(desk.panePID) and is \(pid).")
        _ = screen
        return ((), "a second session came up on the same connection, was listed and ended; the first was not touched")
    }

    private static func checkListed(_ expected: [String], _ site: Site, _ desk: Desk) async throws {
        let list = try site.tmux.listSessions().loginCommand().line
        let result = try await desk.host.run(list, input: [], outputLimit: 1 << 20, timeout: .seconds(10))
        let names = try SessionListing.parse(result.output).map(\.name.rawValue).sorted()
        try check(names == expected, "Listed are \(names), not \(expected).")
    }
}

extension String {
    /// How many lines contain a text.
    fileprivate func count(of text: String) -> Int { split(separator: "\n").count { $0.contains(text) } }
}

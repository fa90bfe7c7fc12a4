// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport

/// Step 7: the host shows another key, as somebody in between would: nothing is sent to it, and nothing is tried again.
@MainActor
enum ChangedHostKey {
    static func show(_ site: Site, _ desk: Desk) async throws -> (Void, String) {
        let server = try site.server
        let host = desk.host
        let states = host.updates()
        let trusted = try SSHPublicKey(line: server.hostPublicKeyLine)
        let files = ["host_ed25519", "host_ed25519.pub"].map { "\(server.folder)/\($0)" }
        let originals = try files.map { try Data(contentsOf: URL(filePath: $0)) }

        let mark = server.logLineCount
        try await server.restart(replacingHostKeys: true)
        let end = try await firstState(of: states, "the hard failure") { $0.connection == .disconnected(.failed) }
        let shown = try SSHPublicKey(line: server.hostPublicKeyLine)
        try check(shown != trusted, "The server came back with the same key.")
        guard let problem = end.problem, problem.stableCode == "core.hostKeyMismatch" else {
            throw Failure("The link ended with \(end.problem.map { "\($0)" } ?? "no problem") instead.")
        }
        for key in [trusted, shown] {
            let isTold = problem.message.contains(key.fingerprint)
            try check(isTold, "The message lacks \(key.fingerprint): \(problem.message)")
        }
        try check(problem.recovery?.kind == .resetHostKey, "Nothing is offered to do about it.")
        try await checkNothingWasSent(to: server, after: mark)

        // The true host is back: its key, and after a dial that the person asked for, the session.
        for (path, bytes) in zip(files, originals) {
            try bytes.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        try await server.restart()
        try await desk.reopen()
        let pid = try await desk.currentPanePID()
        try check(pid == desk.panePID, "The pane's process was \(desk.panePID) and is \(pid).")
        let fact =
            "a changed host key is a hard failure: both fingerprints told, no user name or key sent, no retry; with the "
            + "true key back the session is as it was"
        return ((), fact)
    }

    /// sshd names whoever has told a user name, as it did for the refused key of step 2, and logs each key that is
    /// tried.
    private static func checkNothingWasSent(to server: ThrowawaySSHServer, after mark: Int) async throws {
        try await server.waitForLog(containing: "[preauth]", after: mark)
        let lines = server.log.split(separator: "\n", omittingEmptySubsequences: false)
        let telltales = ["authenticating user", "publickey", "Accepted"]
        for word in telltales {
            let isKnown = lines.prefix(mark).contains { $0.contains(word) }
            try check(isKnown, "sshd never logs \"\(word)\", so its absence says nothing.")
            let line = lines.dropFirst(mark).first { $0.contains(word) }
            try check(line == nil, "The changed host was sent something: \(line ?? "")")
        }
    }
}

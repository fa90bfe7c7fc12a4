// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import TestSupport
import Testing

extension RealServers {
    /// A real host whose list of sessions fails for a while.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux"))
    struct FailingListTests {
        /// Runs what is asked for, but a list as long as the file `left` says.
        private static let gate = #"""
            case $SSH_ORIGINAL_COMMAND in
            *after-list-sessions*) ;;
            *list-sessions*)
                left=$(cat FOLDER/left)
                if [ "$left" -gt 0 ]; then
                    echo $((left - 1)) >FOLDER/left
                    exit 1
                fi
                ;;
            esac
            exec "${SHELL:-/bin/sh}" -c "$SSH_ORIGINAL_COMMAND"
            """#

        @Test func `is asked for it again, and a session is made without it`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "riff-lists-\(UInt32.random(in: 0 ... .max))"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }  // Cleanup.
            let script = Self.gate.replacing("FOLDER", with: folder.path)
            try Data(script.utf8).write(to: folder.appending(path: "gate"))
            let left = folder.appending(path: "left")
            func fail(_ count: Int) throws { try Data("\(count)\n".utf8).write(to: left) }
            try fail(2)
            try await ManagerLab.with(forceCommand: "/bin/sh \(folder.path)/gate") { lab in
                try await lab.start(["riff", "riff-2"])
                let manager = try await lab.manager()
                // The third list is the first that comes.
                try await manager.wait(for: "[riff] riff-2")
                #expect(manager.current.problem == nil)
                #expect(try String(contentsOf: left, encoding: .utf8) == "0\n")
                // What is remembered is enough for a name that is free.
                try fail(1_000)
                let name = try await manager.create(ManagerLab.echo)
                #expect(name.rawValue == "riff-3")
                try await manager.waitUntilOpen(name)
                #expect(try String(contentsOf: left, encoding: .utf8) != "1000\n")
                #expect(Set(try await lab.panes().keys) == ["riff", "riff-2", "riff-3"])
            }
        }
    }
}

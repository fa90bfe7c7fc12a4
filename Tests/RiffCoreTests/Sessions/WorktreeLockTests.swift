// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: WorktreeLab.git != nil))
    struct WorktreeLockTests {
        /// Who left a lock behind, and how long ago.
        enum Leftover: Sendable, CaseIterable { case deadHolder, neverEntered, tooOld, otherMachineTooOld }

        private static func machine(_ lab: WorktreeLab) async throws -> String {
            let uname = try #require(ShellProgram.find("uname"))
            return String(decoding: try await uname.run(["-n"], in: lab.home).output, as: UTF8.self)
                .trimmingCharacters(in: .newlines)
        }

        /// The number of a process that has ended.
        private static func ended(_ lab: WorktreeLab) async throws -> String {
            let result = try await lab.shell.run(["-c", "echo $$"], in: lab.home)
            return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .newlines)
        }

        @Test(arguments: WorktreeLab.shells, Leftover.allCases)
        func `a lock that was left behind is taken over`(_ shell: ShellProgram, _ leftover: Leftover) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let lock = lab.locks.appendingPathComponent(WorktreeLab.repository)
                let (machine, ended) = (try await Self.machine(lab), try await Self.ended(lab))
                switch leftover {
                case .deadHolder: try lab.makeFolder(lock.appendingPathComponent("\(ended)@\(machine)"))
                case .neverEntered: try lab.makeFolder(lock, minutesOld: 2)
                case .tooOld: try lab.makeFolder(lock.appendingPathComponent("1@\(machine)"), minutesOld: 16)
                case .otherMachineTooOld: try lab.makeFolder(lock.appendingPathComponent("1@other"), minutesOld: 16)
                }
                let start = try await lab.start("riff", in: repository)
                #expect(start.folder?.hasPrefix(lab.trees.path) == true && start.complaints.isEmpty, "\(start)")
                #expect(!lab.exists(lock))
            }
        }

        @Test(arguments: WorktreeLab.shells)
        func `a lock whose holder works is waited for, and then the session starts without`(
            _ shell: ShellProgram
        ) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                let lock = lab.locks.appendingPathComponent(WorktreeLab.repository)
                let own = ProcessInfo.processInfo.processIdentifier
                for holder in ["\(own)@\(try await Self.machine(lab))", "1@other", nil] {
                    try lab.makeFolder(holder.map { lock.appendingPathComponent($0) } ?? lock)
                    let start = try await lab.start("riff", in: repository, environment: ["RIFF_LOCK_WAIT": "0"])
                    #expect(start.folder == repository.path)
                    #expect(start.complaints.first?.contains("another session still works on this repository") == true)
                    #expect(lab.exists(lock))
                    try FileManager.default.removeItem(at: lock)
                }
            }
        }

        @Test(arguments: WorktreeLab.shells, ["HUP", "TERM"])
        func `a session that is ended while it waits for git leaves no lock`(
            _ shell: ShellProgram,
            _ signal: String
        ) async throws {
            try await WorktreeLab.with(shell) { lab in
                let repository = try await lab.makeRepository()
                // The hook runs while the lock is held, and ends the script that holds it: the shell above git.
                let hook = """
                    #!/bin/sh
                    git=$PPID
                    while read -r key value; do case $key in PPid:) echo "$value"; esac; done </proc/$git/status >"$HOME/above"
                    ls "$HOME/.local/share/riff/locks" >"$HOME/held"
                    kill -\(signal) "$(cat "$HOME/above")"
                    """
                try await repository.appendingPathComponent(".git/hooks/post-checkout").writeScript(hook + "\n")
                _ = try await lab.start("riff", in: repository)
                #expect(try Data(contentsOf: lab.home.appendingPathComponent("held")).count > 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: lab.locks.path).isEmpty)
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import TestSupport
import Testing

/// Hosts as people have them: on each the main job is done, or the words name the file or the setting that is in its
/// way. The set-ups with their words are told in `docs/field.md`.
extension InTurn {
    @Suite(.timeLimit(.minutes(5))) struct HostMatrixTests {
        static let isPossible =
            ThrowawaySSHServer.isInstalled
            && ["tmux", "dash", "bash", "zsh", "fish", "csh"].allSatisfy { SystemProgram.path($0) != nil }

        @Test(.enabled(if: isPossible, "needs sshd, tmux, dash, bash, zsh, fish and csh"), arguments: HostSetup.all)
        func `the main job is done, or what is in its way is named`(setup: HostSetup) async throws {
            try await HostMatrix.shared.outcome(of: setup)
        }

        @Test func `each set-up is in the table of the field, with its words`() throws {
            #expect(HostSetup.all.count >= 25)
            #expect(Set(HostSetup.all.map(\.name)).count == HostSetup.all.count)
            var folder = URL(filePath: #filePath)
            for _ in 0..<4 { folder.deleteLastPathComponent() }
            let table = try String(contentsOf: folder.appending(path: "docs/field.md"), encoding: .utf8)
            let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }
            for setup in HostSetup.all {
                let row = try #require(rows.first { $0.hasPrefix("| \(setup.name) |") }, "\(setup.name)")
                let words =
                    switch setup.outcome {
                    case .works(let warning): warning
                    case .says(let preflight, let page): preflight + page
                    }
                for word in words { #expect(row.contains(word), "\(setup.name): \(word)") }
                if case .works = setup.outcome {
                    #expect(row.contains("| works"))
                } else {
                    #expect(!row.contains("| works"))
                }
            }
        }
    }
}

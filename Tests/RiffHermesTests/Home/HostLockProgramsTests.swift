// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffHermes
import RiffTesting
import RiffTransport
import Testing

extension HomesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"))
    struct HostLockProgramsTests {
        @Test func `a lock that Python takes runs no module of the working folder`() async throws {
            try await HermesLab.with { lab in
                let mark = "\(lab.folder)/mark"
                for module in ["fcntl", "time", "sitecustomize"] {
                    let text = "open('\(mark)', 'w').close()\n"
                    try text.write(toFile: "\(lab.folder)/\(module).py", atomically: true, encoding: .utf8)
                }
                // Neither flock nor perl.
                let host = try await HermesInTurn.HermesHostTests.bareHost(lab, with: ["python3"])
                let lock = HostLock("\(lab.folder)/lock", on: host, wait: .zero)
                #expect(try await lock.whileHeld { 7 } == 7)
                #expect(!FileManager.default.fileExists(atPath: mark))
            }
        }
    }
}

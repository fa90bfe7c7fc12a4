// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import TestSupport
import Testing

@Suite(.enabled(if: ShellProgram.find("tmux") != nil, "tmux is not installed"))
struct StartCheckTests {
    // A container's or a service's environment has none, and sh sets none.
    @Test(arguments: ["", "/bin/sh"])
    func `a program is looked for also where the environment names no shell`(shell: String) async throws {
        let found = try await start("stty -echo", shell: shell)
        #expect(found.status == 0 && found.diagnostics.isEmpty, "\(found.diagnostics)")
        let missing = try await start("riff-no-such-program -x", shell: shell)
        #expect(missing.status == 127)
        let program = MissingProgram(status: missing.status, diagnostics: missing.diagnostics)
        #expect(program?.name == "riff-no-such-program")
        #expect(program?.searchedPath == "/usr/local/bin:/usr/bin:/bin")
    }

    private func start(_ line: String, shell: String) async throws -> (status: Int, diagnostics: String) {
        let home = FileManager.default.temporaryDirectory
        let check = StartCheck(.base, directory: .home, harness: .custom(line))
        let socket = TmuxSocket.path("\(home.path)/riff-none-\(UInt32.random(in: 0 ... .max))")
        let call = try (check.words(for: socket) + ["true"]).quotedLine()
        let sh = try #require(ShellProgram.find("sh"))
        let result = try await sh.run(["-c", call], in: home, environment: ["SHELL": shell])
        return (Int(result.status), String(decoding: result.diagnostics, as: UTF8.self))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct LocalHostSessionTests {
        @Test(arguments: HostSessionConformance.checks)
        func `it keeps the rules of hosts`(check: ConformanceCheck<HostSessionConformance>) async throws {
            try await check.run(HostSessionConformance(LocalHostSession(), in: "/tmp"))
        }

        @Test(
            arguments: ["/bin/dash", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/csh"].filter {
                FileManager.default.isExecutableFile(atPath: $0)
            }
        )
        func `a command is given to the account's shell`(shell: String) async throws {
            let session = LocalHostSession(shell: shell, homeDirectory: "/tmp")
            let result = try await session.run("pwd; exec sh -c 'exit 5'")
            #expect(result == CommandResult(output: Array("/tmp\n".utf8), exit: .exited(5)))
        }

        @Test func `commands find a shell where whoever started this program named none`() async throws {
            let session = LocalHostSession(shell: "/bin/sh", environment: ["PATH": "/usr/bin:/bin"])
            let result = try await session.run(LoginShellCommand("echo here").line)
            #expect(result.exit == .exited(0))
            #expect(String(decoding: result.output, as: UTF8.self) == "here\n")
        }

        @Test func `a relative path begins at the home directory`() async throws {
            let session = LocalHostSession(homeDirectory: "/proc/self")
            #expect(try await session.status(of: "fd")?.kind == .directory)
        }

        @Test func `a write follows a link and keeps it`() async throws {
            let session = LocalHostSession()
            let room = "/tmp/riff-link-\(UInt32.random(in: .min ... .max))"
            try await session.makeDirectory(room, permissions: 0o700)
            _ = try await session.run("cd \(room) && echo old >target && ln -s target link")
            try await session.write([1, 2, 3], to: "\(room)/link", permissions: nil)
            let target = try await session.read("\(room)/target", from: 0, count: 9)
            let names = Set(try await session.list(room).map { "\($0.name) \($0.status.kind.rawValue)" })
            for name in ["link", "target"] { try await session.remove("\(room)/\(name)") }
            try await session.remove(room)
            #expect(target == [1, 2, 3])
            #expect(names == ["link symbolicLink", "target file"])
        }

        @Test func `a path with a NUL byte or none is refused`() async throws {
            for path in ["", "/tmp/a\0b"] {
                let error = await #expect(throws: TransportError.self) { try await LocalHostSession().remove(path) }
                #expect(error?.code == .fileFailed)
            }
        }

        @Test func `an error names the path and the system's words`() async throws {
            let error = await #expect(throws: TransportError.self) {
                _ = try await LocalHostSession().list("/nowhere/riff")
            }
            #expect(error?.message.contains("/nowhere/riff") == true)
            #expect(error?.message.contains("No such file") == true)
        }
    }
}

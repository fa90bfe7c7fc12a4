// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// Every channel keeps the rules of `ACPChannel`.
@Suite(.timeLimit(.minutes(5))) struct MemoryChannelConformanceTests {
    @Test(arguments: ACPChannelConformance.checks)
    func `in memory`(check: ConformanceCheck<ACPChannelConformance>) async throws {
        let suite = ACPChannelConformance { program, limit in
            let (mine, theirs) = InMemoryByteChannel.makePair()
            // Ends with the channel.
            Task { try await Self.play(program, on: theirs) }
            return ACPLineChannel(mine, lineLimit: limit)
        }
        try await check.run(suite)
    }

    /// Does what the program's script does.
    private static func play(_ program: ConformanceProgram, on end: InMemoryByteChannel) async throws {
        switch program.name {
        case "brokenLines":
            try await end.write(Array("{}\r\n\n[]\n{\"a\":".utf8))
            try await end.write(Array("1}\n".utf8))
        case "overlongLine":
            try await end.write([UInt8](repeating: 0x78, count: 100_000))
            try await end.write(Array("\n{}\n".utf8))
        case "halfALine":
            try await end.write(Array("{}\n{\"ha".utf8))
            return end.end(.exited(7))
        default: break
        }
        for try await chunk in end.output { try await end.write(chunk) }
        end.end(.exited(0))
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5))) struct ACPChannelConformanceTests {
        @Test(arguments: ACPChannelConformance.checks)
        func `a program`(check: ConformanceCheck<ACPChannelConformance>) async throws {
            let suite = ACPChannelConformance { program, limit in
                ACPLineChannel(
                    try await LocalProcess.start(LocalCommand("sh", ["-c", program.script])),
                    lineLimit: limit
                )
            }
            try await check.run(suite)
        }

        @Test(.enabled(if: ThrowawaySSHServer.isInstalled, "needs sshd"))
        func `a program over SSH`() async throws {
            try await KeeperLab.with { lab in
                try await ACPChannelConformance { program, limit in
                    ACPLineChannel(try await lab.steadyHost.files.openChannel(program.commandLine), lineLimit: limit)
                }
                .runAll()
            }
        }

        @Test(
            .enabled(if: KeeperHome.isPossible, "tmux or python3 is missing"),
            arguments: ACPChannelConformance.checks
        )
        func `a program that is kept`(check: ConformanceCheck<ACPChannelConformance>) async throws {
            try await KeeperHome.with { home in
                try await check.run(
                    ACPChannelConformance { program, limit in
                        try await home.keeper.start(program.name, ["sh", "-c", program.script])
                        return try await home.keeper.attach(to: program.name, lineLimit: limit)
                    }
                )
            }
        }
    }
}

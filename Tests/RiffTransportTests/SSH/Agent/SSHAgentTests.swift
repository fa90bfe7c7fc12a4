// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite struct SSHAgentMessageTests {
    private static let key = SSHPrivateKey.makeEd25519(comment: "mine")

    @Test func `keys are listed, those of unknown kinds left out`() throws {
        var writer = SSHWireWriter()
        writer.write(byte: 12)
        writer.write(uint32: 2)
        writer.write(string: [0, 0, 0, 1])
        writer.write(text: "what is this")
        let key = try #require(Self.key.publicKey)
        writer.write(string: key.blob)
        writer.write(text: "mine\u{1B}[2J")
        let keys = try SSHAgentMessage.keys(in: writer.bytes)
        #expect(keys == [key])
        #expect(keys.first?.comment.unicodeScalars.contains { $0.value < 0x20 } == false)
    }

    @Test(arguments: [
        [], [5], [28], [12], [12, 0, 0], [12, 0xFF, 0xFF, 0xFF, 0xFF], [12, 0, 0, 0, 1, 0, 0, 0, 9], [14, 0],
    ])
    func `an answer that is none is an error`(_ answer: [UInt8]) {
        #expect(throws: (any Error).self) { try SSHAgentMessage.keys(in: answer) }
        #expect(throws: (any Error).self) { try SSHAgentMessage.signature(in: answer) }
    }

    @Test func `every cut of an answer is an error`() throws {
        var signature = SSHWireWriter()
        signature.write(text: "ssh-ed25519")
        signature.write(string: [UInt8](repeating: 7, count: 64))
        var writer = SSHWireWriter()
        writer.write(byte: 14)
        writer.write(string: signature.bytes)
        let blob = try SSHAgentMessage.signature(in: writer.bytes)
        #expect(blob == signature.bytes)
        #expect(try SSHSignatureBytes.blob(blob).bare(of: "ssh-ed25519").count == 64)
        for count in 0..<writer.bytes.count {
            #expect(throws: (any Error).self, "\(count)") {
                try SSHAgentMessage.signature(in: Array(writer.bytes.prefix(count)))
            }
        }
    }
}

extension InTurn {
    @Suite(
        .enabled(if: ThrowawaySSHServer.isInstalled && SystemProgram.path("ssh-agent") != nil),
        .timeLimit(.minutes(2))
    )
    struct SSHAgentTests {
        @Test(arguments: ["ed25519", "ecdsa"])
        func `a key that only an agent has lets in`(_ type: String) async throws {
            try await Self.withAgent { agent, folder in
                let line = try await Self.add(type, to: agent, in: folder)
                let rsa = try await Self.add("rsa", to: agent, in: folder)
                let server = try await ThrowawaySSHServer.start()
                do {
                    try server.authorize(line)
                    let signers = try await agent.signers()
                    // libssh2 before 1.11 has no use for RSA.
                    let hasRSA = SSHEngines.all.contains { $0.capabilities.contains(.signsRSAWithSHA2) }
                    #expect(
                        try signers.map(\.publicKey) == [SSHPublicKey(line: line)]
                            + (hasRSA ? [SSHPublicKey(line: rsa)] : [])
                    )
                    let host = SSHHost(
                        SSHHost.Configuration(
                            address: try HostAddress(server.host, port: server.port),
                            user: server.user,
                            credentials: signers.map { .signer($0) },
                            trust: .firstUse(InMemoryHostKeyStore())
                        )
                    )
                    #expect(try await host.run("echo there").text == "there\n")
                    await host.shutdown()
                } catch {
                    await server.stop()
                    throw error
                }
                await server.stop()
            }
        }

        @Test(arguments: SSHEngineName.available)
        func `an agent of the host answers over its unix socket`(_ engine: SSHEngineName) async throws {
            try await Self.withAgent { agent, folder in
                let line = try await Self.add("ed25519", to: agent, in: folder)
                try await SSHLab.with { lab in
                    var configuration = try lab.configuration()
                    configuration.engine = engine
                    let host = lab.host(configuration)
                    let channel = try await host.open(unix: agent.socket)
                    try await channel.write([0, 0, 0, 1] + SSHAgentMessage.listing)
                    var answer: [UInt8] = []
                    for try await bytes in channel.output {
                        answer += bytes
                        let length = answer.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                        if answer.count >= 4 + max(length, 1) { break }
                    }
                    await channel.close()
                    #expect(
                        try SSHAgentMessage.keys(in: Array(answer.dropFirst(4))) == [SSHPublicKey(line: line)]
                    )
                    let missing = await transportError { _ = try await host.open(unix: "\(folder)/nothing") }
                    #expect(missing?.code == .forwardingFailed)
                    #expect(missing?.message.contains("the socket \(folder)/nothing") == true)
                }
            }
        }

        @Test func `a person's file may name a key of the agent by its public half`() async throws {
            try await Self.withAgent { agent, folder in
                _ = try await Self.add("ecdsa", to: agent, in: folder)
                let line = try await Self.add("ed25519", to: agent, in: folder)
                let config = """
                    Host mac
                      HostName 127.0.0.1
                      IdentityAgent \(agent.socket)
                      IdentityFile \(folder)/ed25519.pub
                      IdentitiesOnly yes
                    """
                try Data(config.utf8).write(to: URL(filePath: "\(folder)/config"))
                let host = try await SSHHost(alias: "mac", files: ["\(folder)/config"])
                #expect(host.configuration.credentials.count == 1)
                guard case .signer(let signer) = host.configuration.credentials.first?.kind else {
                    Issue.record("no signer")
                    return
                }
                #expect(try signer.publicKey == SSHPublicKey(line: line))
            }
        }

        @Test func `no agent is said with its path`() async throws {
            let agent = try SSHAgent(socket: "/tmp/riff-no-agent\u{07}")
            let error = await #expect(throws: TransportError.self) { try await agent.signers() }
            #expect(error?.code == .agentUnavailable)
            #expect(error?.message.contains("/tmp/riff-no-agent") == true)
            #expect(error?.message.contains("\u{07}") == false)
        }

        // MARK: Help

        private static func add(_ type: String, to agent: SSHAgent, in folder: String) async throws -> String {
            let file = "\(folder)/\(type)"
            try #require(
                try await SystemProgram.run("ssh-keygen", ["-q", "-t", type, "-N", "", "-f", file]).status == 0
            )
            let added = try await SystemProgram.run("env", ["SSH_AUTH_SOCK=\(agent.socket)", "ssh-add", "-q", file])
            try #require(added.status == 0, "\(added.output)")
            // Nobody else has it now.
            try FileManager.default.removeItem(atPath: file)
            return try String(contentsOfFile: "\(file).pub", encoding: .utf8).trimmingCharacters(in: .newlines)
        }

        private static func withAgent(_ body: (SSHAgent, _ folder: String) async throws -> Void) async throws {
            let folder = "/tmp/riff-agent-\(UInt32.random(in: .min ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            // Cleanup.
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let agent = try SSHAgent(socket: "\(folder)/agent")
            let started = try await SystemProgram.run("ssh-agent", ["-a", agent.socket])
            let number = try #require(started.output.firstMatch(of: /SSH_AGENT_PID=(\d+)/)?.1)
            let process = try #require(pid_t(number))
            defer { kill(process, SIGTERM) }
            try await body(agent, folder)
        }
    }
}

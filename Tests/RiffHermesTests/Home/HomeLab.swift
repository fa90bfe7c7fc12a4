// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// Tests that run programs of this machine or start SSH servers: one after another.
@Suite(.serialized, .timeLimit(.minutes(5)))
enum HomesInTurn {}

/// A real home's files in a folder of its own, and the ways into it: on this machine, and by SSH where a server can be
/// started.
struct HomeLab: Sendable {
    let path: String
    let local = LocalHostSession(shell: "/bin/sh")

    enum Way: String, CaseIterable, Sendable {
        case local, ssh

        static let available: [Way] = ThrowawaySSHServer.isInstalled ? [.local, .ssh] : [.local]
    }

    /// The recorded home; see Fixtures/README.md.
    static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/hermes-home").path

    static func with(
        _ way: Way = .local,
        copying files: Bool = true,
        _ body: @Sendable (HomeLab, any HostSession) async throws -> Void
    ) async throws {
        let lab = HomeLab(path: NSTemporaryDirectory() + "riff-home-\(UInt32.random(in: .min ... .max))")
        try FileManager.default.createDirectory(atPath: lab.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: lab.path) }
        if files {
            for name in try FileManager.default.contentsOfDirectory(atPath: fixture) {
                try FileManager.default.copyItem(atPath: "\(fixture)/\(name)", toPath: "\(lab.path)/\(name)")
            }
        }
        switch way {
        case .local: try await body(lab, lab.local)
        case .ssh: try await lab.withSSH { try await body(lab, $0) }
        }
    }

    private func withSSH(_ body: (any HostSession) async throws -> Void) async throws {
        var options = ThrowawaySSHServer.Options()
        options.variables["SHLVL"] = "2"
        let server = try await ThrowawaySSHServer.start(options)
        let key = SSHPrivateKey.makeEd25519(comment: "test")
        let result: Result<Void, any Error>
        do {
            try server.authorize(try #require(key.publicKey).line)
            let address = try HostAddress(server.host, port: server.port)
            let trust = HostTrust.firstUse(InMemoryHostKeyStore())
            let host = SSHHost(
                SSHHost.Configuration(address: address, user: server.user, credentials: [.key(key)], trust: trust)
            )
            do { result = .success(try await body(host.files)) } catch { result = .failure(error) }
            await Task { await host.shutdown() }.value
        } catch {
            result = .failure(error)
        }
        await Task { await server.stop() }.value
        try result.get()
    }

    func home(on session: any HostSession) -> HermesHome { HermesHome(path, on: session) }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
    }
}

/// What the body throws, as an error of this library.
func dataError(_ body: () async throws -> Void) async -> DataError? {
    do { try await body() } catch { return error as? DataError }
    return nil
}

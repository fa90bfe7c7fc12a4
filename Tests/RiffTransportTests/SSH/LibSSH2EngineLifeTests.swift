// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// What an engine keeps and lets go, driven by hand on a connection to a real sshd.
    @Suite struct LibSSH2EngineLifeTests {
        @Test(arguments: ["lost", "disconnected", "closed"])
        func `a channel that is over is let go with all that it keeps`(end: String) async throws {
            try await SSHLab.with { lab in
                let driver = try EngineDriver(port: lab.server.port)
                let engine = driver.engine
                let algorithms = engine.info.algorithms
                let _: SSHHandshake = try await driver.run {
                    engine.handshake(with: "box", preferring: algorithms, completion: $0)
                }
                let _: [String]? = try await driver.run {
                    engine.authenticationMethods(user: lab.server.user, completion: $0)
                }
                let outcome: SSHAuthenticationOutcome = try await driver.run {
                    engine.authenticate(user: lab.server.user, with: .key(lab.key), completion: $0)
                }
                #expect(outcome == .accepted)
                weak var port: CountingPort?
                let ends = EndCounter()
                do {
                    let kept = CountingPort(ends)
                    port = kept
                    let id: SSHChannelID = try await driver.run {
                        engine.open(.session(window: 65_536, mergesDiagnostics: true), port: kept, completion: $0)
                    }
                    try await driver.run { engine.request(.exec("exec sleep 100"), of: id, completion: $0) }
                    if end == "closed" { engine.close(id) }
                }
                if end == "closed" { try await driver.advance { ends.count > 0 } }
                #expect((port == nil) == (end == "closed"))
                if end == "lost" {
                    engine.receiveEnd()
                    engine.pump(isWritable: true)
                    #expect(engine.failure?.code == .connectionLost)
                } else {
                    engine.disconnect(TransportError(.closed, "It was enough."))
                }
                #expect(port == nil)
                engine.pump(isWritable: true)
                #expect(ends.count == 1)
            }
        }
    }
}

/// How often a port was told its end; outlives the port.
private final class EndCounter {
    var count = 0
}

private final class CountingPort: SSHChannelPort {
    let wantsBytes = true
    let wantsDiagnostics = true
    private let ends: EndCounter

    init(_ ends: EndCounter) { self.ends = ends }

    func take(upTo limit: Int) -> BytePipe.Taken { .empty }
    func deliver(_ bytes: UnsafeRawBufferPointer) {}
    func deliverDiagnostics(_ bytes: UnsafeRawBufferPointer) {}
    func deliverEnd() {}
    func close(_ end: Result<RiffTransport.ExitStatus?, TransportError>) { ends.count += 1 }
}

/// An engine and a plain socket, moved forward by the test.
private final class EngineDriver {
    let engine: LibSSH2Engine
    private let socket: LoopbackClient

    init(port: Int) throws {
        engine = try LibSSH2Engine(scratch: SSHScratch())
        socket = try LoopbackClient(port: port)
    }

    /// Begins an operation and moves bytes until it has its outcome.
    func run<Value>(_ begin: (@escaping (Result<Value, TransportError>) -> Void) -> Void) async throws -> Value {
        var result: Result<Value, TransportError>?
        begin { result = $0 }
        try await advance { result != nil }
        return try #require(result).get()
    }

    /// Moves bytes until it is enough, or nothing comes any more.
    func advance(until isEnough: () -> Bool) async throws {
        while true {
            engine.pump(isWritable: true)
            let output = engine.takeOutput()
            if !output.isEmpty { try await socket.write(output) }
            if isEnough() { return }
            let bytes = try await socket.readSome()
            try #require(!bytes.isEmpty, "the server closed the connection")
            bytes.withUnsafeBytes { engine.receive($0) }
        }
    }
}
#endif

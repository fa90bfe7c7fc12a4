// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct WebSocketConformanceTests {
        @Test(arguments: WebSocketConformance.checks)
        func `the pair in memory keeps the contract`(check: ConformanceCheck<WebSocketConformance>) async throws {
            let suite = WebSocketConformance { body in
                let (near, far) = InMemoryWebSocket.makePair()
                try await body(near, far)
            }
            try await check.run(suite)
        }

        @Test(arguments: WebSocketConformance.checks)
        func `sockets keep the contract`(check: ConformanceCheck<WebSocketConformance>) async throws {
            try await check.run(Self.overSockets())
        }

        @Test(arguments: WebSocketConformance.checks)
        func `sockets with compression keep the contract`(
            check: ConformanceCheck<WebSocketConformance>
        ) async throws {
            try await check.run(Self.overSockets(compression: WebSocketRequest.Compression()))
        }

        @Test(arguments: WebSocketConformance.checks)
        func `sockets with small fragments and windows keep the contract`(
            check: ConformanceCheck<WebSocketConformance>
        ) async throws {
            let compression = WebSocketRequest.Compression(
                clientMaxWindowBits: 9,
                serverMaxWindowBits: 10,
                clientNoContextTakeover: true,
                serverNoContextTakeover: true
            )
            try await check.run(Self.overSockets(compression: compression, fragmentBytes: 1000))
        }

        @Test(arguments: WebSocketConformance.checks)
        func `what a dialer opens keeps the contract`(check: ConformanceCheck<WebSocketConformance>) async throws {
            let dialer = InMemoryDialer { try await NetworkDialer().dial($0, within: .seconds(60)) }
            try await check.run(Self.overSockets(dialer: dialer))
            #expect(!dialer.dialed.isEmpty)
            await dialer.shutdown()
        }

        private static func overSockets(
            dialer: any HostDialer = .network,
            compression: WebSocketRequest.Compression? = nil,
            fragmentBytes: Int? = nil
        ) -> WebSocketConformance {
            WebSocketConformance { body in
                let limits = WebSocketRequest.Limits(fragmentBytes: fragmentBytes)
                let arrived = EventualValue<any WebSocketConnection>()
                let isOver = EventualValue<Void>()
                let server = try await LoopbackWebServer.start { _ in
                    .webSocket(compression: compression, limits: limits) { socket in
                        arrived.resolve(socket)
                        // Not at the end of the connection: what came before it may still be received.
                        try await isOver.cancellableValue()
                    }
                }
                let result: Result<Void, any Error>
                do {
                    let url = try WebSocketURL("ws://127.0.0.1:\(server.port)/")
                    let request = WebSocketRequest(url, compression: compression, limits: limits)
                    result = .success(
                        try await body(
                            NIOWebSocketTransport(dialer: dialer).connect(request),
                            arrived.cancellableValue()
                        )
                    )
                } catch {
                    result = .failure(error)
                }
                if case .success = result { _ = try await arrived.value().ending() }
                isOver.resolve(())
                await server.stop()
                try result.get()
            }
        }
    }
}

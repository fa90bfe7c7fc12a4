// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTransport
import Synchronization

/// The client that is measured: typed updates, in order, through the public API.
enum RiffClient {
    private struct Samples {
        var latencies: [Int64] = []
        var isInOrder = true
        var last: Int64 = -1
    }

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func run(_ options: Options) async throws -> RunResult {
        let samples = Mutex(Samples())
        var handlers = ACPClient.Handlers()
        handlers.update = { notification in
            let time = now()
            samples.withLock { samples in
                samples.latencies.append(time - (notification.meta?["t"]?.integer ?? 0))
                let index = notification.meta?["i"]?.integer ?? -1
                if index <= samples.last { samples.isInOrder = false }
                samples.last = index
            }
        }
        let source = ACPAgentSource.process(
            LocalCommand(options.python, [options.script, "agent"] + options.agentArguments)
        )
        let (trips, duration) = try await withACPClient(source, handlers: handlers) { client in
            let session = try await client.newSession(in: "/tmp").sessionID
            var trips: [Int64] = []
            for _ in 0..<1000 {
                let start = now()
                try await client.setMode("x", of: session)
                trips.append(now() - start)
            }
            let start = now()
            _ = try await client.prompt("go", in: session)
            return (trips.sorted(), now() - start)
        }
        return samples.withLock { samples in
            let sorted = samples.latencies.sorted()
            func part(_ values: [Int64], _ share: Double) -> Double {
                values.isEmpty ? .nan : Double(values[min(values.count - 1, Int(Double(values.count) * share))]) / 1e6
            }
            return RunResult(
                perSecond: Double(sorted.count) / (Double(duration) / 1e9),
                p50: part(sorted, 0.5),
                p99: part(sorted, 0.99),
                roundTrip: part(trips, 0.5),
                isInOrder: samples.isInOrder && sorted.count == options.updates
            )
        }
    }
}

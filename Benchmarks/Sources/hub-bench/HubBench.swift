// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffHub

/// Frames of a hub per CPU second of its client: with a grid of 50 sessions, of which one is open, and the frames that
/// come most often. Nothing else is in the process but the client; the frames were made before.
///
///     hub-bench [--sessions 50] [--frames 20000] [--list-every 500] [--rounds 5]
///
/// Measured without a reader, and with one that follows the client's updates. It uses the public API alone.
@main
enum HubBench {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String, _ standard: Int) -> Int {
            arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil }
                ?? standard
        }
        let grid = Grid(sessions: max(1, option("--sessions", 50)), listEvery: max(1, option("--list-every", 500)))
        let count = max(1, option("--frames", 20_000))
        let rounds = max(1, option("--rounds", 5))
        print("\(grid.sessions) sessions, \(count) frames a round, a listing every \(grid.listEvery), \(rounds) rounds")
        for hasReader in [false, true] {
            let speeds = try await measure(grid, count, rounds, hasReader: hasReader).sorted()
            let figures = String(
                format: "%.0f frames a CPU second [%.0f, %.0f]",
                speeds[speeds.count / 2],
                speeds.first ?? 0,
                speeds.last ?? 0
            )
            print("\(hasReader ? "one reader" : "no reader")\t\(figures)")
        }
    }

    /// The speed of each round, after one that is not counted.
    private static func measure(_ grid: Grid, _ count: Int, _ rounds: Int, hasReader: Bool) async throws -> [Double] {
        let feed = Feed()
        let address = try HubAddress("http://127.0.0.1:1")
        return try await withHub(address, http: NoServer(), webSockets: feed) { hub in
            await feed.give([grid.list])
            await hub.open(session: HubSession.ID(rawValue: grid.id(0)))
            let reader = Task {
                guard hasReader else { return 0 }
                var cards = 0
                for await snapshot in hub.updates() { cards &+= snapshot.cards.count }
                return cards
            }
            var speeds: [Double] = []
            for round in 0...rounds {
                let frames = grid.frames(count, round: round)
                let before = cpuSeconds()
                await feed.give(frames)
                let cpu = cpuSeconds() - before
                if round > 0 { speeds.append(Double(count) / cpu) }
            }
            reader.cancel()
            _ = await reader.value
            // What was measured must have been done.
            guard hub.current.cards.count >= grid.sessions, hub.current.open?.chat.isEmpty == false else {
                throw BenchFailure(message: "the client does not show what it was told")
            }
            return speeds
        }
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

struct BenchFailure: Error { let message: String }

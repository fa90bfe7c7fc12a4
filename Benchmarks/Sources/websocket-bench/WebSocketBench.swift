// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import RiffTransport

/// What a WebSocket costs: wall and CPU seconds of the client for each gigabyte, of our client and of a raw NIO
/// connection that carries the same frames and reads nothing of them. Both in turn, against a server in a process of
/// its own.
///
///     websocket-bench [--rounds 5] [--megabytes 400]
///
/// `websocket-bench serve` is that server.
@main
enum WebSocketBench {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "serve" { return try await BenchServer.run() }
        func option(_ name: String, _ standard: Int) -> Int {
            arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil }
                ?? standard
        }
        let rounds = option("--rounds", 5)
        let repeats = max(1, option("--megabytes", 400) * 1_000_000 / Frames.roundBytes)
        let (server, port) = try startServer()
        defer { server.terminate() }
        print("\(repeats * Frames.roundBytes / 1_000_000) MB of messages of 64 B to 16 MB each way, \(rounds) rounds")
        for direction in [Direction.receive, .send] {
            var raw: [Cost] = []
            var ours: [Cost] = []
            // One of each that is not counted.
            _ = try await measure { try await RawClient.run(direction, repeats, port) }
            _ = try await measure { try await SocketClient.run(direction, repeats, port) }
            for _ in 0..<rounds {
                raw.append(try await measure { try await RawClient.run(direction, repeats, port) })
                ours.append(try await measure { try await SocketClient.run(direction, repeats, port) })
            }
            let bytes = Double(repeats * Frames.roundBytes)
            report("\(direction), raw pipe", raw, bytes)
            report("\(direction), WebSocket", ours, bytes)
            let ratio = median(raw.map(\.wall)) / median(ours.map(\.wall))
            print("\(direction)\t\(String(format: "%.2f", ratio)) of the raw pipe's speed")
        }
    }

    private static func startServer() throws -> (Process, Int) {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["serve"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while !line.contains(10) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchFailure(message: "the server did not start") }
            line += more
        }
        guard let port = Int(String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)) else {
            throw BenchFailure(message: "the server told no port")
        }
        return (process, port)
    }

    struct Cost {
        let wall: Double
        let cpu: Double
    }

    private static func measure(_ body: () async throws -> Void) async throws -> Cost {
        let (wall, cpu) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
        try await body()
        return Cost(wall: seconds(CLOCK_MONOTONIC) - wall, cpu: seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func report(_ name: String, _ costs: [Cost], _ bytes: Double) {
        let (wall, cpu) = (costs.map(\.wall), costs.map(\.cpu))
        let figures = String(
            format: "%.2f s a GB [%.2f, %.2f]; %.2f CPU s a GB",
            median(wall) / bytes * 1e9,
            (wall.min() ?? 0) / bytes * 1e9,
            (wall.max() ?? 0) / bytes * 1e9,
            median(cpu) / bytes * 1e9
        )
        print("\(name)\t\(figures)")
    }
}

/// Where the messages go.
enum Direction: String { case receive, send }

struct BenchFailure: Error { let message: String }

/// One round of messages, as frames.
enum Frames {
    static let sizes = [64, 1024, 100, 65_536, 200, 1 << 20, 125, 126, 4096, 16_000_000, 300, 65_535, 250_000]
    static let roundBytes = sizes.reduce(0, +)
    static let messages = sizes.map { size in [UInt8]((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }

    /// As a server sends them; with a mask, as a client does (a mask of zeros costs the pipe nothing and is as long).
    static func bytes(masked: Bool) -> [UInt8] {
        var all: [UInt8] = []
        for message in messages {
            all.append(0x82)
            let mask: UInt8 = masked ? 0x80 : 0
            switch message.count {
            case ...125: all.append(mask | UInt8(message.count))
            case ...65_535: all += [mask | 126, UInt8(message.count >> 8), UInt8(message.count & 0xFF)]
            default:
                all.append(mask | 127)
                all += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: message.count >> $0) }
            }
            if masked { all += [0, 0, 0, 0] }
            all += message
        }
        return all
    }
}

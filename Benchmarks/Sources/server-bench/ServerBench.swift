// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTransport

/// Compares what a signed request costs a Riff server with what the HTTP library that hosts it takes for "hello": the
/// same library, the same clients, one server after another in each round, CPU seconds of the server's process alone.
///
///     server-bench [--rounds 5] [--n 20000] [--clients 32]    the comparison
///     server-bench serve hello|riff                           a server; prints its port
@main
enum ServerBench {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "serve" { return try await BenchServer.run(arguments.dropFirst().first ?? "") }
        var (rounds, requests, clients) = (5, 20_000, 32)
        while let name = arguments.popFirst() {
            guard let value = arguments.popFirst().flatMap({ Int($0) }), value > 0 else {
                throw BenchError("\(name) needs a number")
            }
            switch name {
            case "--rounds": rounds = value
            case "--n": requests = value
            case "--clients": clients = value
            default: throw BenchError("there is no option \(name)")
            }
        }
        let program = CommandLine.arguments[0]
        var ratios: [Load: [Double]] = [:]
        for round in 1...rounds {
            let hello = try await measure(.hello, program, requests, clients)
            print("round \(round) \(hello.line)")
            for load in [Load.health, .message] {
                let signed = try await measure(load, program, requests, clients)
                ratios[load, default: []].append(signed.microseconds / hello.microseconds)
                print("round \(round) \(signed.line)")
            }
        }
        for (load, values) in ratios.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let median = values.sorted()[values.count / 2]
            print(String(format: "%@: %.2f of hello, median of %d (goal 3)", load.rawValue, median, values.count))
        }
    }

    private static func measure(
        _ load: Load,
        _ program: String,
        _ requests: Int,
        _ clients: Int
    ) async throws -> Measured {
        let server = try await LocalProcess.start(LocalCommand(program, ["serve", load == .hello ? "hello" : "riff"]))
        let result: Result<Measured, any Error>
        do {
            result = .success(try await measure(load, server, requests, clients))
        } catch { result = .failure(error) }
        await server.close()
        return try result.get()
    }

    private static func measure(
        _ load: Load,
        _ server: LocalProcess,
        _ requests: Int,
        _ clients: Int
    ) async throws -> Measured {
        var line: [UInt8] = []
        for try await bytes in server.output {
            line += bytes
            if line.contains(0x0A) { break }
        }
        let port = String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self)
        let address = try HTTPBaseURL("http://127.0.0.1:\(port)")
        // What is done once is not counted.
        _ = try await load.run(address, requests: clients * 20, clients: clients)
        let before = try processorSeconds(of: server)
        let start = ContinuousClock.now
        let answered = try await load.run(address, requests: requests, clients: clients)
        let time = ContinuousClock.now - start
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let cpu = try processorSeconds(of: server) - before
        return Measured(load: load, asked: requests, answered: answered, cpu: cpu, seconds: seconds)
    }

    /// User and system time until now, in steps of a hundredth of a second (proc(5)).
    private static func processorSeconds(of process: LocalProcess) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process.processID)/stat", encoding: .utf8)
        // The second field is the program's name, which may hold anything.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchError("this system does not tell the CPU times of a process")
        }
        return (user + system) / 100
    }
}

/// What went wrong, in words.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// What a round shows.
struct Measured {
    let load: Load
    let asked: Int
    let answered: Int
    let cpu: Double
    let seconds: Double

    /// CPU for a request.
    var microseconds: Double { cpu / Double(asked) * 1e6 }

    var line: String {
        String(
            format: "%@: %.1f us of CPU for a request, %.0f requests/s, %d lost of %d",
            load.rawValue,
            microseconds,
            Double(asked) / seconds,
            asked - answered,
            asked
        )
    }
}

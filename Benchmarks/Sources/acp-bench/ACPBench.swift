// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Compares RiffACP's client with Python's: the raw reader (a line, `json.loads`, nothing else) and the protocol's SDK.
/// All three are fed by the same agent, one after another in each round, and the medians are compared.
///
///     acp-bench [--rounds 3] [--n 100000] [--size 24] [--rate R] [--mix]    the comparison, as a table
///     acp-bench stall    memory with a consumer that does not consume
@main
enum ACPBench {
    static func main() async throws {
        var options = Options()
        try options.parse(CommandLine.arguments.dropFirst())
        if options.isStall { return try await StallCase.run(options) }
        var results: [String: [RunResult]] = [:]
        for round in 1...options.rounds {
            for peer in ["raw", "sdk", "riff"] {
                let result = try await measure(peer, options)
                results[peer, default: []].append(result)
                print("round \(round)", peer, result.line)
            }
        }
        let medians = results.mapValues(RunResult.median)
        guard let raw = medians["raw"], let sdk = medians["sdk"], let riff = medians["riff"] else { return }
        print("\nmedians of \(options.rounds)")
        for (name, result) in [("raw", raw), ("sdk", sdk), ("riff", riff)] { print(name, result.line) }
        print(
            String(
                format: "riff/sdk %.2f   riff/raw %.2f   p50 %.2f x raw   p99 %.2f x raw   round trip %.2f x raw",
                riff.perSecond / sdk.perSecond,
                riff.perSecond / raw.perSecond,
                riff.p50 / raw.p50,
                riff.p99 / raw.p99,
                riff.roundTrip / raw.roundTrip
            )
        )
    }

    private static func measure(_ peer: String, _ options: Options) async throws -> RunResult {
        switch peer {
        case "raw": try PythonPeer.run("client-raw", python: options.python, options)
        case "sdk": try PythonPeer.run("client-sdk", python: options.sdkPython, options)
        default: try await RiffClient.run(options)
        }
    }
}

/// What was asked on the command line.
struct Options: Sendable {
    var rounds = 3
    var updates = 100_000
    var size = 24
    var rate = 0
    var isMixed = false
    var isStall = false

    let python = "python3"
    /// The environment of scripts/fetch-acp-agents.
    var sdkPython: String {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? "\(environment["HOME"] ?? "")/.cache"
        return "\(cache)/riff/acp-agents-0.12.1/bin/python"
    }

    /// The replay agent of this package.
    var script: String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../acp_replay.py").standardized.path
    }

    /// What the agent is started with.
    var agentArguments: [String] {
        ["--n", "\(updates)", "--size", "\(size)", "--rate", "\(rate)"] + (isMixed ? ["--mix"] : [])
    }

    struct Unknown: Error { let argument: String }

    mutating func parse(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "stall": isStall = true
            case "--mix": isMixed = true
            case "--rounds", "--n", "--size", "--rate":
                guard let value = rest.popFirst().flatMap({ Int($0) }) else { throw Unknown(argument: argument) }
                switch argument {
                case "--rounds": rounds = value
                case "--n": updates = value
                case "--size": size = value
                default: rate = value
                }
            default: throw Unknown(argument: argument)
            }
        }
    }
}

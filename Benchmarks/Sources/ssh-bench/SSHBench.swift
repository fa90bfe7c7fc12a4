// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Foundation

/// Compares SSH clients against a throw-away sshd of this machine, in alternated pairs.
@main
struct SSHBench {
    private static let usage = """
        ssh-bench [--pairs N] [--scale X] [--cases a,b,...] [--ours riff|openssh] [--json FILE]
        ssh-bench twenty-sessions [PAIRS]

          --pairs N      alternated pairs of each case, 9 unless said otherwise
          --scale X      how much each measurement transfers; 1 is 96 MB, 24 MB of text and a file of 200 MB
          --cases a,b    \(BenchCase.allCases.map(\.rawValue).joined(separator: ", "))
          --ours SIDE    openssh compares OpenSSH with itself: how far from 1 the ratios lie is the machine's noise
          --json FILE    where to write the numbers
        """

    private var pairs = 9
    private var scale = 1.0
    private var cases = BenchCase.allCases
    private var ours = Side.riff
    private var json: String?

    static func main() async {
        // A peer that ends while we write to it is an error of that write.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "--role", arguments.count == 2 {
                try await JSONDecoder().decode(Role.self, from: Data(arguments[1].utf8)).play()
                // Connections are still up, and `exit` would free OpenSSL's tables beneath the event loops.
                _exit(0)
            }
            if arguments.first == TwentySessions.name { return try await TwentySessions.run(arguments.dropFirst()) }
            try SSHBench(arguments).run()
        } catch {
            say("ssh-bench: \(error)")
            exit(1)
        }
    }

    private init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw BenchError("\n" + Self.usage) }
            switch option {
            case "--pairs": pairs = max(1, Int(value) ?? pairs)
            case "--scale": scale = max(0.001, Double(value) ?? scale)
            case "--json": json = value
            case "--ours": ours = try Self.parse(value)
            case "--cases": cases = try value.split(separator: ",").map { try Self.parse(String($0)) }
            default: throw BenchError("\n" + Self.usage)
            }
        }
    }

    private static func parse<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
        guard let value = Value(rawValue: text) else { throw BenchError("there is no \(text)\n" + usage) }
        return value
    }

    private func run() throws {
        let loadBefore = Self.load()
        let (site, server) = try Site.make(scale: scale)
        let cleaning = Cleaning(server: server.processID, folder: site.folder)
        defer {
            cleaning.stop()
            server.terminate()
            do { try site.remove() } catch { Self.say("ssh-bench: \(error)") }
        }
        var rows: [Report.Row] = []
        for benchCase in cases {
            var samples: [(ours: Sample, peer: Sample)] = []
            for pair in 0..<pairs {
                Self.say("\(benchCase.rawValue): pair \(pair + 1) of \(pairs)")
                func measure(_ side: Side) throws -> Sample {
                    try Role(side: side, benchCase: benchCase, scale: scale, site: site).perform()
                }
                // Who comes first changes, so that a drift of the machine's load falls on both.
                if pair.isMultiple(of: 2) {
                    let ours = try measure(ours)
                    samples.append((ours, try measure(.openssh)))
                } else {
                    let peer = try measure(.openssh)
                    samples.append((try measure(ours), peer))
                }
            }
            rows += Report.rows(of: benchCase, pairs: samples)
        }
        let report = Report(
            ours: ours,
            peer: .openssh,
            pairs: pairs,
            cipher: Site.cipher,
            mac: Site.mac,
            loadBefore: loadBefore,
            loadAfter: Self.load(),
            rows: rows
        )
        print(report.table)
        if let json { try report.json().write(to: URL(fileURLWithPath: json)) }
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    private static func load() -> Double {
        var averages = [0.0, 0.0, 0.0]
        return getloadavg(&averages, 3) > 0 ? averages[0] : .nan
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which side of the comparison a process is.
enum Side: String, Codable {
    /// OpenSSH's programs.
    case openssh
    /// RiffTransport's public API.
    case riff

    /// The client of this side.
    func client(at site: Site) -> any BenchClient {
        switch self {
        case .openssh: OpenSSHClient(site: site)
        case .riff: RiffTransportClient(site: site)
        }
    }
}

/// One measurement as a job for a process of its own.
struct Role: Codable {
    let side: Side
    let benchCase: BenchCase
    let scale: Double
    let site: Site

    /// Makes the measurement in this process and prints it as a line of JSON.
    func play() async throws {
        let sample = try await side.client(at: site).measure(benchCase, scale: scale)
        let named = Dictionary(uniqueKeysWithValues: sample.map { ($0.key.rawValue, $0.value) })
        FileHandle.standardOutput.write(try JSONEncoder().encode(named) + Data("\n".utf8))
    }

    /// Runs this program again in this role. Returns what it measured.
    func perform() throws -> Sample {
        let job = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        let child = try Child([try Self.program(), "--role", job])
        child.closeInput()
        let output = child.readAll()
        guard child.waitForStatus() == 0 else { throw BenchError("\(side.rawValue), \(benchCase.rawValue): failed") }
        let named = try JSONDecoder().decode([String: Double].self, from: Data(output))
        return Dictionary(
            uniqueKeysWithValues: named.compactMap { name, value in Metric(rawValue: name).map { ($0, value) } }
        )
    }

    private static func program() throws -> String {
        guard let path = Bundle.main.executablePath else { throw BenchError("this program does not know where it is") }
        return path
    }
}

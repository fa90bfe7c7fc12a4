// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is compared.
enum BenchCase: String, CaseIterable, Codable {
    /// Zeros from a command, without a terminal.
    case bulk
    /// Colored text from a command in a terminal.
    case text
    /// A keystroke there and back.
    case echo
    /// The same while another channel of the connection receives as much as it can.
    case echoInFlood = "echo-in-flood"
    /// A terminal on a host behind another: to its first byte, then a keystroke there and back.
    case jump
    /// From nothing to the first byte of a command in a terminal.
    case connect
    /// The second to tenth session of a connection, to their first byte.
    case extraSession = "extra-session"
    /// What a connection with one idle terminal takes.
    case memory
    /// A file, by SFTP.
    case file
    /// Bytes of a service on the host over a forwarded port (`ssh -L`).
    case forwardDown = "forward-down"
    /// Bytes to a service on the host over a forwarded port.
    case forwardUp = "forward-up"

    /// The most work that one measurement is, at the scale 1.
    func amount(scale: Double) -> Int {
        func scaled(_ amount: Int, atLeast least: Int) -> Int { max(least, Int(Double(amount) * scale)) }
        return switch self {
        case .bulk, .forwardDown, .forwardUp: scaled(96 << 20, atLeast: 1 << 20)
        case .text: scaled(24 << 20, atLeast: 1 << 20)
        case .echo: scaled(1000, atLeast: 50)
        case .echoInFlood, .jump: scaled(200, atLeast: 20)
        case .connect: 1
        case .extraSession: 9
        case .memory: 32
        case .file: scaled(200 << 20, atLeast: 1 << 20)
        }
    }
}

/// What is measured in a case. For each, less is better.
enum Metric: String, Codable, CaseIterable {
    /// From the call to the command's last byte, in seconds a gigabyte (10^9 bytes): connecting is part of it.
    case secondsPerGB = "s/GB"
    /// The same from the first byte on.
    case steadyPerGB = "steady s/GB"
    /// The client's CPU time, user and system, from the first byte on, in seconds a gigabyte; connecting is told apart.
    case cpuPerGB = "CPU s/GB"
    /// The same with what the program that wants the bytes spends to get them: of a child process, by reading its pipe.
    case cpuWithReaderPerGB = "CPU+read s/GB"
    /// The median, in milliseconds.
    case p50 = "p50 ms"
    /// The 99th percentile, in milliseconds.
    case p99 = "p99 ms"
    /// The median as a multiple of the median on the same connection before the flood.
    case timesIdle = "p50 x idle"
    /// What the flood took meanwhile, in seconds a gigabyte: an echo is easily fast beside a flood that stands still.
    case floodPerGB = "flood s/GB"
    /// The client's CPU time for each keystroke, in microseconds.
    case cpuPerKey = "CPU us/key"
    /// Milliseconds.
    case milliseconds = "ms"
    /// The client's CPU time in milliseconds.
    case cpuMilliseconds = "CPU ms"
    /// Proportional set size, in KiB.
    case kibibytes = "KiB"
}

/// What one measurement gave.
typealias Sample = [Metric: Double]

/// One side of the comparison. Each measurement is made by a process of its own, so that CPU time and memory are its
/// alone; see ``Role``.
protocol BenchClient: Sendable {
    /// Reads `bytes` bytes of a command's output, without a terminal.
    func bulk(bytes: Int) async throws -> Sample
    /// Reads a text of `bytes` bytes through a terminal.
    func text(bytes: Int) async throws -> Sample
    /// Sends `count` keystrokes, each after the echo of the one before.
    func echo(count: Int) async throws -> Sample
    /// The same, first on an idle connection, then while another channel of it receives zeros.
    func echoInFlood(count: Int) async throws -> Sample
    /// Opens a terminal through a jump host, then sends keystrokes as ``echo(count:)``.
    func jump(count: Int) async throws -> Sample
    /// Connects, opens a terminal, waits for its first byte.
    func connect() async throws -> Sample
    /// Opens `count` more terminals on a connection that has one, one after another, each to its first byte.
    func extraSessions(count: Int) async throws -> Sample
    /// The memory of `count` connections with an idle terminal each, divided by `count`.
    func memory(count: Int) async throws -> Sample
    /// Reads the file of `bytes` bytes at the site by SFTP, and throws it away.
    func file(bytes: Int) async throws -> Sample
    /// Moves `bytes` bytes over a forwarded port, to or from a target of ``ForwardPeers``.
    func forward(_ direction: ForwardDirection, bytes: Int) async throws -> Sample
}

extension BenchClient {
    /// Makes one measurement.
    func measure(_ benchCase: BenchCase, scale: Double) async throws -> Sample {
        let amount = benchCase.amount(scale: scale)
        return switch benchCase {
        case .bulk: try await bulk(bytes: amount)
        case .text: try await text(bytes: amount)
        case .echo: try await echo(count: amount)
        case .echoInFlood: try await echoInFlood(count: amount)
        case .jump: try await jump(count: amount)
        case .connect: try await connect()
        case .extraSession: try await extraSessions(count: amount)
        case .memory: try await memory(count: amount)
        case .file: try await file(bytes: amount)
        case .forwardDown: try await forward(.down, bytes: amount)
        case .forwardUp: try await forward(.up, bytes: amount)
        }
    }
}

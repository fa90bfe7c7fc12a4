// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

// sample: host: any TerminalHost
/// The rules of `TerminalTransport`, as checks that any implementation can run, ours or anybody's.
///
/// ```swift
/// let suite = TerminalTransportConformance { program in host.makeTerminal(program.commandLine) }
/// try await suite.runAll()
/// ```
public struct TerminalTransportConformance: Sendable {
    /// Makes a terminal, not connected yet, that will run the program.
    public typealias Factory = @Sendable (ConformanceProgram) async throws -> any TerminalTransport

    let make: Factory
    let deadline: Duration
    let outputBoundBytes: Int

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - deadline: What one check may take; a longer one is a failure.
    ///   - outputBoundBytes: The most that a program may write while nobody reads; less than 16 MiB.
    ///   - make: Makes a terminal for a program.
    public init(
        deadline: Duration = .seconds(60),
        outputBoundBytes: Int = 8 << 20,
        make: @escaping Factory
    ) {
        self.deadline = deadline
        self.outputBoundBytes = outputBoundBytes
        self.make = make
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<TerminalTransportConformance>] = [
        .init("echoesBothWays") { try await $0.echoesBothWays() },
        .init("passesEveryByte") { try await $0.passesEveryByte() },
        .init("losesNoOutput") { try await $0.losesNoOutput() },
        .init("carriesALargePaste") { try await $0.carriesALargePaste() },
        .init("makesTheProgramWait") { try await $0.makesTheProgramWait() },
        .init("resizes") { try await $0.resizes() },
        .init("tellsTheExitStatus") { try await $0.tellsTheExitStatus() },
        .init("tellsTheSignal") { try await $0.tellsTheSignal() },
        .init("disconnectsOnce") { try await $0.disconnectsOnce() },
        .init("disconnectsBeforeConnecting") { try await $0.disconnectsBeforeConnecting() },
        .init("refusesASecondConnect") { try await $0.refusesASecondConnect() },
        .init("refusesWritesAfterTheEnd") { try await $0.refusesWritesAfterTheEnd() },
        .init("endsASuspendedWriteWithItsPeer") { try await $0.endsASuspendedWriteWithItsPeer() },
        .init("cancelsASuspendedWrite") { try await $0.cancelsASuspendedWrite() },
        .init("cancelsAnIterationWithoutLoss") { try await $0.cancelsAnIterationWithoutLoss() },
        .init("tellsEverybodyTheSameEnd") { try await $0.tellsEverybodyTheSameEnd() },
        .init("keepsItsFirstEnd") { try await $0.keepsItsFirstEnd() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// Connects a terminal for the length of a check, and disconnects it on every way out.
    func check(
        _ program: ConformanceProgram,
        size: TerminalSize = .standard,
        named name: String = #function,
        _ body: @escaping @Sendable (any TerminalTransport, inout TerminalReader) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) {
            let terminal = try await make(program)
            do {
                try await terminal.connect(size: size)
                var reader = TerminalReader(terminal.output)
                try await body(terminal, &reader)
            } catch {
                await terminal.disconnect()
                throw error
            }
            await terminal.disconnect()
        }
    }
}

/// Reads a terminal's output up to a mark.
struct TerminalReader {
    private var iterator: TerminalOutput.Iterator
    private var held: [UInt8] = []

    init(_ output: TerminalOutput) { iterator = output.makeAsyncIterator() }

    /// Everything up to and with the text.
    mutating func read(through text: String) async throws -> [UInt8] {
        let mark = Array(text.utf8)
        while true {
            for start in 0..<max(0, held.count - mark.count + 1) where held[start...].starts(with: mark) {
                return take(start + mark.count)
            }
            guard let more = await iterator.next() else {
                throw Violation(message: "the output ended before \"\(text)\" came; \(held.count) bytes had come")
            }
            held += more
        }
    }

    mutating func read(count: Int) async throws -> [UInt8] {
        while held.count < count {
            guard let more = await iterator.next() else {
                throw Violation(message: "the output ended \(count - held.count) bytes before its expected \(count)")
            }
            held += more
        }
        return take(count)
    }

    /// Everything up to the end.
    mutating func rest() async -> [UInt8] {
        while let more = await iterator.next() { held += more }
        return take(held.count)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { held.removeFirst(count) }
        return Array(held[..<count])
    }
}

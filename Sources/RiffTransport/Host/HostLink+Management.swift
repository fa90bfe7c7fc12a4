// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import Synchronization

/// The outcome of a management command, and its output to standard error.
package struct ManagementReport: Sendable {
    /// The outcome of the command.
    package let outcome: ManagementOutcome
    /// Its standard error as UTF-8, at most 64 KiB, without what a login profile wrote there before it.
    package let diagnostics: String

    package init(outcome: ManagementOutcome, diagnostics: String) {
        self.outcome = outcome
        self.diagnostics = diagnostics
    }
}

extension HostLink {
    /// Runs a POSIX shell line on the host without a terminal, and tells its output from everything else that a host
    /// may write around it; see ``ManagementCommand``.
    ///
    /// - Parameters:
    ///   - command: A line for `sh`; build its words with ``ShellQuoting``.
    ///   - outputLimit: The most bytes of output taken.
    ///   - timeout: How long it may take altogether, the dial included.
    /// - Returns: What came of it. A cancelled task is out of time.
    package func manage(
        _ command: String,
        outputLimit: Int = 1 << 20,
        timeout: Duration = ManagementTiming.defaultTimeout
    ) async -> ManagementOutcome {
        await report(of: command, outputLimit: outputLimit, timeout: timeout).outcome
    }

    /// As ``manage(_:outputLimit:timeout:)``, with the standard error, and with bytes for the command's standard input,
    /// which then ends; without any it stays open.
    package func report(
        of command: String,
        input: [UInt8]? = nil,
        outputLimit: Int = 1 << 20,
        timeout: Duration = ManagementTiming.defaultTimeout
    ) async -> ManagementReport {
        await report(of: command, input: input, outputLimit: outputLimit, timeout: timeout, dials: true)
    }

    /// Returns the outcome as ``report(of:outputLimit:timeout:)`` does; if `dials` is not set, a link that is not
    /// wanted any more is not dialed for it. A lost one is waited for anyway, unless the command is wanted only while
    /// something holds (`onlyWhile`).
    package func report(
        of command: String,
        input: [UInt8]? = nil,
        outputLimit: Int = 1 << 20,
        timeout: Duration,
        dials: Bool,
        onlyWhile isWanted: (@Sendable () -> Bool)? = nil
    ) async -> ManagementReport {
        let run: ManagementRun
        do {
            run = ManagementRun(try ManagementCommand(command), input: input, outputLimit: outputLimit)
        } catch {
            return ManagementReport(outcome: .connect(error), diagnostics: "")
        }
        // Late, or cancelled, which ends the time, too.
        let report = try? await withDeadline(timeout, clock: clock) {
            await run.conduct(on: self, dials: dials, onlyWhile: isWanted)
        }
        return report.flatMap(\.self) ?? run.report(at: .timedOut)
    }
}

/// One run of a management command.
private final class ManagementRun: Sendable {
    private let command: ManagementCommand
    private let parser: Mutex<ManagementOutputParser>
    private let diagnostics = OutputHead(limit: 64 * 1024)
    /// Comes when the channel's place on its connection is free again.
    private let end = EventualValue<Void>()
    private let input: [UInt8]?

    init(_ command: ManagementCommand, input: [UInt8]?, outputLimit: Int) {
        self.command = command
        self.input = input
        parser = Mutex(ManagementOutputParser(command, outputLimit: outputLimit))
    }

    /// Runs it; `nil` when the task was cancelled.
    func conduct(
        on link: HostLink,
        dials: Bool,
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport? {
        let handle: SSHChannelHandle
        do {
            var setup = SSHChannelState.Setup(diagnosticsHead: diagnostics)
            setup.onEnd = { [end] _ in end.resolve(()) }
            handle = try await link.start(.command(command.line), setup, dials: dials, onlyWhile: isWanted)
        } catch let error as any RiffError {
            return ManagementReport(outcome: .connect(error), diagnostics: "")
        } catch is CancellationError {
            return nil
        } catch {
            let address = link.configuration.address
            let failure = TransportError(.unreachable, "\(address) could not be reached: \(error)", cause: error)
            return ManagementReport(outcome: .connect(failure), diagnostics: "")
        }
        let report = await withTaskGroup(of: Void.self) { group in
            if let input { group.addTask { await Self.feed(input, to: handle.state.input) } }
            let report = await read(handle)
            group.cancelAll()
            return report
        }
        await handle.close()
        return report
    }

    private static func feed(_ input: [UInt8], to pipe: BytePipe) async {
        do {
            for start in stride(from: 0, to: input.count, by: 64 * 1024) {
                try await pipe.send(Array(input[start..<min(start + 64 * 1024, input.count)]))
            }
            pipe.finish()
        } catch {
            // A command need not read its input; how it ends tells whether that was right.
        }
    }

    private func read(_ handle: SSHChannelHandle) async -> ManagementReport? {
        do {
            while let bytes = try await handle.state.output.next() {
                let isComplete = parser.withLock { parser in
                    parser.feed(bytes)
                    return parser.isComplete
                }
                guard isComplete else { continue }
                // The last of its standard error may still be on the way, and a server counts a command until it has
                // seen its end: closed before, it would stand in the way of the next. One that is cut short writes on
                // for ever.
                if case .output = parser.withLock({ $0.outcome(at: .closed) }) {
                    while try await handle.state.diagnostics.next() != nil {}
                    try await end.cancellableValue()
                }
                break
            }
        } catch is CancellationError {
            return nil
        } catch {
            // What broke the connection shows in how far the output came.
        }
        return report(at: .closed)
    }

    func report(at end: ManagementOutputParser.End) -> ManagementReport {
        ManagementReport(
            outcome: parser.withLock { $0.outcome(at: end) },
            diagnostics: command.diagnostics(in: diagnostics.bytes)
        )
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// An observer of a real agent with its gate: what its terminal and its files say goes in as it comes.
actor LiveAgent {
    let gate = AgentSubmitGate()
    /// The reports, each as it came to be.
    nonisolated let reports: StateSource<AgentReport>
    private var observer: AgentObserver
    private let start = ContinuousClock.now
    private var alarm: Task<Void, Never>?

    init(_ agent: AgentKind, size: TerminalSize) {
        observer = AgentObserver(agent: agent, size: size)
        reports = StateSource(observer.report)
        observer.take(.started, at: .zero)
    }

    nonisolated var state: AgentState { reports.current.state }

    func take(_ observation: AgentObservation) {
        observer.take(observation, at: ContinuousClock.now - start)
        judge()
    }

    /// Another process runs in the terminal now.
    func restart() {
        observer.take(.started, at: ContinuousClock.now - start)
        judge()
    }

    private func judge() {
        observer.advance(to: ContinuousClock.now - start)
        // Whoever sees a report may ask the gate at once, which then knows as much.
        gate.update(observer)
        let report = observer.report
        reports.update { $0 == report ? nil : report }
        alarm?.cancel()
        guard let deadline = observer.deadline else { return }
        alarm = Task { [start] in
            // Cancellation is the only error.
            guard (try? await ContinuousClock().sleep(until: start + deadline + .milliseconds(1))) != nil else {
                return
            }
            self.ring()
        }
    }

    private func ring() {
        alarm = nil
        judge()
    }

    func stop() { alarm?.cancel() }

    /// Waits for a state, by its name: a minute, in which an agent ends any turn of these tests.
    nonisolated func wait(for names: String...) async throws {
        do {
            try await withDeadline(.seconds(60), clock: ContinuousClock()) {
                for await report in self.reports.updates() where names.contains(report.state.name) { return }
                try Task.checkCancellation()
            }
        } catch is DeadlineExceeded {
            throw TestingError(.serverEnded, "The agent is not \(names) but \(reports.current).")
        }
    }

    // MARK: What is seen

    /// Follows a pane's bytes to its end.
    nonisolated func follow(_ bytes: PaneBytes) async {
        do {
            for try await chunk in bytes { await take(.terminal(chunk.bytes)) }
            await take(.exited(.unknown))
        } catch {
            // The end of the test; a pane that cannot be read leaves the state unknown, which the test sees.
        }
    }

    /// Follows what `watch.py` tells.
    nonisolated func follow(_ channel: any ByteChannel) async {
        var lines = LineSplitter(limitBytes: 8 << 20, overflow: .drops, stripsCR: false)
        do {
            for try await bytes in channel.output {
                for line in lines.push(bytes) { await take(line: line.bytes) }
            }
        } catch {
            // As above.
        }
    }

    private func take(line: some Collection<UInt8>) {
        guard let json = try? JSONValue(parsing: Array(line)), let text = json["text"]?.text else { return }
        let bytes = Array(text.utf8)
        switch json["kind"]?.text {
        case "status": take(.statusFile(bytes))
        case "gone": take(.statusFile(nil))
        case "record": take(.recordLine(bytes, file: json["file"]?.text ?? ""))
        case "hook":
            guard let payload = (try? JSONValue(parsing: bytes))?["payload"] else { return }
            take(.hook(payload.bytes()))
        default: break
        }
    }
}

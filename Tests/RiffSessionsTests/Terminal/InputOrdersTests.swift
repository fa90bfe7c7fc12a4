// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// Sends, losses, reconnects, mode changes and closes in random orders, over the real session code in virtual time:
/// what was asked of one connection is never seen on another, and every error says what became of the input.
@Suite(.timeLimit(.minutes(30)))
struct InputOrdersTests {
    /// How many orders are tried unless `RIFF_INPUT_ORDERS` says otherwise.
    static let count = ProcessInfo.processInfo.environment["RIFF_INPUT_ORDERS"].flatMap { Int($0) } ?? 500
    static let seed = ProcessInfo.processInfo.environment["RIFF_INPUT_ORDERS_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func `nothing goes out on a connection that it was not asked of, and no error lies`() async throws {
        var (sent, lies) = (0, 0)
        for index in 0..<Self.count {
            var order = InputOrder(seed: Self.seed &+ UInt64(index))
            let faults = try await order.run()
            sent += order.sentCount
            if !faults.isEmpty {
                lies += 1
                Issue.record("order \(Self.seed &+ UInt64(index)): \(faults.joined(separator: "; "))")
            }
            if lies > 5 { break }
        }
        // The orders did what they are for.
        #expect(sent > Self.count)
        print("\(Self.count) orders from seed \(Self.seed): \(sent) inputs were asked for, \(lies) orders had a fault")
    }
}

/// One random order of events.
private struct InputOrder {
    private struct Asked: Sendable {
        let token: String
        let submits: Bool
        /// How many connections there had been when it was asked for.
        let connections: Int
        let outcome: Task<TransportError.Code?, Never>
    }

    private static let success = TransportError.Code(rawValue: "")
    private static let cancelled = TransportError.Code(rawValue: "cancelled")

    private var generator: SeededGenerator
    private let world = OrderedWorld()
    private let clock = ManualClock()
    private(set) var sentCount = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Runs it.
    ///
    /// - Returns: What was wrong.
    mutating func run() async throws -> [String] {
        let watcher = StateSource(TmuxServerState(status: .live, sessions: [Self.live]))
        let attachment = TmuxAttachment(
            server: TmuxServer(),
            session: .base,
            watcher: Bool.random(using: &generator) ? watcher : nil,
            protection: Bool.random(using: &generator) ? .always : .inModes
        )
        let session = TerminalSession(
            name: "riff",
            link: OrderedLink(world: world),
            size: .standard,
            tmux: attachment,
            errands: OrderedErrands(world: world, hasSafeKeys: Int.random(in: 0..<4, using: &generator) > 0),
            preparesInput: Bool.random(using: &generator),
            clock: clock
        )
        let opening = Task { try? await session.open() }
        var asked: [Asked] = []
        for step in 0..<Int.random(in: 4...14, using: &generator) {
            await spin()
            switch Int.random(in: 0..<16, using: &generator) {
            case 0..<7: asked.append(ask(session, "t\(step)t"))
            case 7..<9: world.lose()
            case 9..<12: world.allow()
            case 12: watcher.update(Self.state(mode: Bool.random(using: &generator) ? "copy-mode" : nil))
            case 13, 14: clock.advance(by: .milliseconds(Int.random(in: 10...400, using: &generator)))
            default: if Int.random(in: 0..<6, using: &generator) == 0 { Task { await session.close() } }
            }
        }
        let isOver = EventualValue<Void>()
        let outcomes = asked.map(\.outcome)
        Task {
            await session.close()
            for outcome in outcomes { _ = await outcome.value }
            await opening.value
            isOver.resolve(())
        }
        // Whatever waits for the clock is let go on until all is told.
        let clock = clock
        let time = Task {
            while !Task.isCancelled {
                await clock.sleepers(1)
                await Task.yield()
                clock.advance(by: .milliseconds(500))
            }
        }
        defer { time.cancel() }
        do {
            try await withDeadline(.seconds(60), clock: ContinuousClock()) { try await isOver.cancellableValue() }
        } catch is DeadlineExceeded {
            return ["something waits for ever"]
        }
        watcher.finish()
        var faults: [String] = []
        for one in asked {
            let code = await one.outcome.value
            if let fault = fault(of: one, code) {
                faults.append("\(one.token) (\(code?.rawValue ?? "sent")): \(fault)")
            }
        }
        return faults
    }

    private mutating func ask(_ session: TerminalSession, _ token: String) -> Asked {
        sentCount += 1
        let kind = Int.random(in: 0..<5, using: &generator)
        let isCancelled = Int.random(in: 0..<10, using: &generator) == 0
        // Asked at once: the first thing that it does is to look which connection there is.
        let outcome = Task<TransportError.Code?, Never>.immediate { () -> TransportError.Code? in
            do {
                switch kind {
                case 0, 1: try await session.write(Array(token.utf8))
                case 2: try await session.type(token)
                case 3: try await session.type(token, submit: true)
                default: try await session.paste(token)
                }
                return nil
            } catch let error as TransportError {
                return error.code
            } catch {
                return Self.cancelled
            }
        }
        // Counted behind that look: another thread may have made a connection in between.
        let connections = world.connections
        if isCancelled { outcome.cancel() }
        return Asked(token: token, submits: kind == 3, connections: connections, outcome: outcome)
    }

    /// What is wrong with what became of an input.
    private func fault(of asked: Asked, _ code: TransportError.Code?) -> String? {
        let arrivals = world.arrivals(of: asked.token)
        if let late = arrivals.first(where: { $0.connection > asked.connections }) {
            return "on connection \(late.connection), asked of \(asked.connections)"
        }
        if arrivals.count > 1 { return "arrived \(arrivals.count) times" }
        let isSubmitted = arrivals.first?.isFollowedByReturn == true
        switch code {
        case nil:
            if arrivals.isEmpty { return "never arrived" }
            return asked.submits && !isSubmitted ? "was not submitted" : nil
        case .notConnected, .closed, .inputNotDelivered: return arrivals.isEmpty ? nil : "arrived"
        case .textNotSubmitted: return arrivals.isEmpty ? "never arrived" : isSubmitted ? "was submitted" : nil
        case .inputUncertain, Self.cancelled: return nil
        default: return "an error of another kind"
        }
    }

    private mutating func spin() async {
        for _ in 0..<Int.random(in: 0...12, using: &generator) { await Task.yield() }
    }

    private static let live = LiveSession(name: .base, id: "$3", created: 1_700_000_000, clients: 1, windows: 1)

    private static func state(mode: String?) -> TmuxServerState {
        TmuxServerState(status: .live, sessions: [live], modes: mode.map { [.base: $0] } ?? [:])
    }
}

/// What the host sees.
private final class OrderedWorld: Sendable {
    struct Arrival {
        let connection: Int
        let isFollowedByReturn: Bool
    }

    private struct State {
        var terminals: [OrderedTerminal] = []
        /// All that arrived, in order: the connection, and the bytes.
        var arrived: [(connection: Int, bytes: [UInt8])] = []
        var permits = 0
        var permit = EventualValue<Void>()
    }

    private let state = Mutex(State())

    var connections: Int { state.withLock { $0.terminals.count } }

    func makeTerminal(_ output: BytePipe) -> OrderedTerminal {
        state.withLock { state in
            let terminal = OrderedTerminal(number: state.terminals.count + 1, world: self, output: output)
            state.terminals.append(terminal)
            return terminal
        }
    }

    func lose() { state.withLock { $0.terminals.last }?.end(TerminalClosure(.lost)) }

    func allow() {
        let permit = state.withLock { state in
            state.permits += 1
            return state.permit
        }
        permit.resolve(())
    }

    func waitUntilAllowed() async throws {
        while true {
            let permit: EventualValue<Void>? = state.withLock { state in
                guard state.permits == 0 else {
                    state.permits -= 1
                    return nil
                }
                state.permit = EventualValue()
                return state.permit
            }
            guard let permit else { return }
            try await permit.cancellableValue()
        }
    }

    func arrived(_ bytes: [UInt8], on connection: Int) {
        state.withLock { $0.arrived.append((connection, bytes)) }
    }

    func arrivals(of token: String) -> [Arrival] {
        let arrived = state.withLock { $0.arrived }
        return arrived.indices.compactMap { index in
            guard String(decoding: arrived[index].bytes, as: UTF8.self).contains(token) else { return nil }
            let next = arrived[(index + 1)...].first { $0.connection == arrived[index].connection }
            return Arrival(
                connection: arrived[index].connection,
                isFollowedByReturn: next?.bytes.last == 0x0D
            )
        }
    }
}

private struct OrderedLink: TerminalLink {
    let world: OrderedWorld
    let output = BytePipe()

    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport { world.makeTerminal(output) }
    func waitUntilConnected() async throws { try await world.waitUntilAllowed() }
    func waitForInput() async throws { await Task.yield() }
    func waitAfterFailure(_ clock: any Clock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }
}

private final class OrderedTerminal: TerminalTransport {
    let number: Int
    let output: TerminalOutput
    private let world: OrderedWorld
    private let pipe: BytePipe
    private let ending = EventualValue<TerminalClosure>()
    /// Held while bytes are taken, so that an end is before or after them.
    private let gate = Mutex(())

    init(number: Int, world: OrderedWorld, output: BytePipe) {
        self.number = number
        self.world = world
        pipe = output
        self.output = TerminalOutput(output)
    }

    func end(_ closure: TerminalClosure) { gate.withLock { _ in _ = ending.resolve(closure) } }

    func connect(size: TerminalSize) async throws {
        await Task.yield()
        if ending.current != nil { throw TransportError(.connectionLost, "The connection was lost.") }
        // What tmux draws first, and that its program wants marks.
        pipe.offer(Array("\u{1B}[?1049h\u{1B}[?2004h".utf8))
    }

    func write(_ bytes: [UInt8]) async throws {
        await Task.yield()
        try Task.checkCancellation()
        let isTaken = gate.withLock { _ in
            guard ending.current == nil else { return false }
            world.arrived(bytes, on: number)
            return true
        }
        if !isTaken { throw TransportError(.closed, "The terminal has ended.") }
        await Task.yield()
    }

    func confirm() async throws {
        await Task.yield()
        if ending.current != nil { throw TransportError(.connectionLost, "The connection was lost.") }
    }

    func resize(to size: TerminalSize) async throws {}
    func disconnect() async { end(TerminalClosure(.disconnected)) }
    func closure() async -> TerminalClosure { await ending.value() }
}

private struct OrderedErrands: TmuxErrands {
    let world: OrderedWorld
    let hasSafeKeys: Bool

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        await Task.yield()
        // Before the look: another thread may make a connection right after it, which the command is not of.
        let connection = world.connections
        // A host that is reached by another connection meanwhile.
        guard isWanted?() != false else {
            return report(.connect(TransportError(.notConnected, "It was not asked.")))
        }
        if line.contains("bind-key -T copy-mode ") {
            return report(.output(Array((hasSafeKeys ? SafeKeyListing.passed : "").utf8), status: 0))
        }
        if line.contains("#{session_id} #{session_created}") {
            return report(.output(Array("$3 1700000000\n".utf8), status: 0))
        }
        if line.contains("paste-buffer"), !input.isEmpty { world.arrived(input, on: connection) }
        return report(.output([], status: 0))
    }

    func runLater(_ line: String) async {}

    private func report(_ outcome: ManagementOutcome) -> ManagementReport {
        ManagementReport(outcome: outcome, diagnostics: "")
    }
}

/// What a server writes that has the safe keys.
enum SafeKeyListing {
    static let passed = """
        bind-key -T riff-root F12 if-shell -F "#{pane_in_mode}" "copy-mode -q"
        bind-key -T riff-root \u{100003} if-shell -F "#{!=:#{session_id},$3}" detach-client
        bind-key -T riff-root C-S-F11 send-keys Escape
        bind-key -T riff-root C-S-F12 switch-client -T riff-input
        bind-key -T copy-mode F12 copy-mode -q
        bind-key -T copy-mode C-S-F12 switch-client -T riff-input
        bind-key -T copy-mode-vi F12 copy-mode -q
        bind-key -T copy-mode-vi C-S-F12 switch-client -T riff-input
        bind-key -T riff-input C-c if-shell -F "#{pane_in_mode}" "copy-mode -q"
        bind-key -T riff-input C-S-F12 switch-client -T riff-input
        riff-options $3 1700000000 0 riff-root C-b None
        """
}

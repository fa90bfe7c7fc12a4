// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport

/// One connection through a proxy of its own, from the dial to the end, and whether everything of it ended as it must.
final class CutRun: Sendable {
    struct Report: Sendable {
        /// What went wrong; empty where nothing did.
        var problems: [String] = []
        /// Whether the connection was made, and whether it came to the phase's work.
        var isDialed = false
        var isReady = false
        /// What had passed the proxy when the host's key was judged, when the dial had ended, when the phase's work
        /// began, and at the end.
        var trusted = ChaosProxy.Counters()
        var dialed = ChaosProxy.Counters()
        var ready = ChaosProxy.Counters()
        var ended = ChaosProxy.Counters()
    }

    private let phase: CutPhase
    private let fault: ChaosRules.Fault?
    private let proxy: ChaosProxy
    private let host: SSHHost
    private let folder: String
    private let report = Mutex(Report())
    private let isOver = Mutex(false)
    private let trust: EventualValue<ChaosProxy.Counters>
    /// What is being waited for, in case it never comes.
    private let step = Mutex("nothing yet")

    /// Lives through one connection that does what the phase says, and meets the cut, if any; files are transferred to
    /// the folder.
    static func run(_ phase: CutPhase, _ cut: Cut? = nil, in lab: SSHLab, folder: String) async throws -> Report {
        let run = try await CutRun(phase, cut, lab, folder)
        let isOver = EventualValue<Bool>()
        let life = Task {
            await run.live()
            isOver.resolve(true)
        }
        let limit = Task {
            try await ContinuousClock().sleep(for: .seconds(60))
            isOver.resolve(false)
        }
        if await !isOver.value() { run.note("it waited for more than a minute for \(run.step.withLock(\.self))") }
        limit.cancel()
        life.cancel()
        await run.proxy.stop()
        return run.report.withLock(\.self)
    }

    private init(_ phase: CutPhase, _ cut: Cut?, _ lab: SSHLab, _ folder: String) async throws {
        let proxy = try await ChaosProxy.start(target: lab.server.port, rules: cut?.rules ?? ChaosRules())
        let trust = EventualValue<ChaosProxy.Counters>()
        let store = ToldStore(store: InMemoryHostKeyStore()) { trust.resolve(proxy.counters) }
        var configuration = try lab.configuration(port: proxy.port, trust: .firstUse(store))
        configuration.connectTimeout = .seconds(30)
        configuration.operationTimeout = .seconds(30)
        if cut?.fault == .vanish {
            // Nobody tells of these: they take as long as the limits do, which a dozen handshakes at once must keep.
            configuration.connectTimeout = .seconds(6)
            configuration.operationTimeout = .seconds(6)
            configuration.keepAliveInterval = .seconds(2)
        }
        self.phase = phase
        self.fault = cut?.fault
        self.proxy = proxy
        self.folder = folder
        self.trust = trust
        // The clock stands still: a lost connection is not dialed again.
        host = SSHHost(configuration, clock: ManualClock())
    }

    // MARK: The life of a connection

    private func live() async {
        await dial()
        if report.withLock(\.isDialed), !phase.isDial { await work() } else { await disconnect() }
        if fault != .vanish {
            await at("the sockets to close") {
                do { try await self.proxy.waitUntil { $0.openConnections == 0 } } catch { self.note("\(error)") }
            }
        }
        report.withLock { $0.ended = proxy.counters }
        // Work that begins between the loss and the first disconnect dials anew, and so does what begins right after
        // it.
        if proxy.counters.connections > 3 { note("it was dialed \(proxy.counters.connections) times") }
    }

    private func dial() async {
        await at("the dial") {
            let connect = Task { try await self.host.link.connect() }
            // One that is lost right behind its dial is waited for, and the clock stands still.
            let watch = Task { () -> (any RiffError)? in
                for await state in self.host.link.updates() {
                    guard case .reconnecting(_, .some) = state.connection else { continue }
                    connect.cancel()
                    return state.problem
                }
                return nil
            }
            do {
                try await connect.value
                self.report.withLock { $0.isDialed = true }
            } catch is CancellationError {
                self.report.withLock { $0.isDialed = true }
                if let problem = await watch.value { self.judge(problem, of: "the connection") }
            } catch {
                self.judge(error, of: "the dial")
            }
            watch.cancel()
        }
        report.withLock { report in
            report.trusted = trust.current ?? report.trusted
            report.dialed = proxy.counters
        }
    }

    private func work() async {
        // A quiet session beside what the phase does.
        let session = TerminalSession(name: "quiet", command: "exec cat", on: sessionsLink(of: host), size: .standard)
        let trace = session.trace()
        let output = Task { for await _ in session.output {} }
        var terminals: [SSHTerminal] = []
        var tasks: [(name: String, task: Task<Void, Never>)] = []
        await at("what the phase needs") {
            do {
                try await session.open()
                if self.phase == .fileTransfer { _ = try await self.host.files.status(of: self.folder) }
                self.report.withLock { report in
                    report.isReady = true
                    report.ready = self.proxy.counters
                }
            } catch {
                self.judge(error, of: "what the phase needs")
            }
        }
        if report.withLock(\.isReady) {
            for (name, run) in phase.work(on: host, folder: folder, terminals: &terminals) {
                let task = Task { do { try await run() } catch { self.judge(error, of: name) } }
                tasks.append((name, task))
            }
        }
        let closures = terminals.map { terminal in
            (0..<3).map { _ in Task { await terminal.closure() } }
        }
        await at("the end of the work or of the connection") { await self.workOrLoss(tasks.map(\.task)) }
        await at("the first disconnect()") { await self.host.shutdown() }
        // Work that began only now dials anew, as it may: it is cancelled, and everything ended once more.
        isOver.withLock { $0 = true }
        for (_, task) in tasks { task.cancel() }
        for (name, task) in tasks { await at("\(name) to end") { await task.value } }
        await disconnect()
        for watchers in closures {
            var told: [TerminalClosure] = []
            for watcher in watchers { await at("a terminal's end") { told.append(await watcher.value) } }
            if Set(told.map(\.reason)).count != 1 { note("its watchers were told \(told.map(\.reason.rawValue))") }
            for closure in told where closure.reason == .lost && closure.error == nil { note("an end has no reason") }
        }
        await at("the session's output to end") { await output.value }
        await at("the session to end") {
            let words = await trace.value
            let ends = words.filter { !["opening", "open", "reconnecting"].contains($0) }
            if ends.count != 1 || words.last != ends.first { self.note("the session went through \(words)") }
        }
    }

    private func workOrLoss(_ tasks: [Task<Void, Never>]) async {
        let isEnough = EventualValue<Void>()
        let work = Task {
            for task in tasks { await task.value }
            isEnough.resolve(())
        }
        let watch = Task {
            for await state in host.link.updates() where state.connection != .connected { break }
            isEnough.resolve(())
        }
        await isEnough.value()
        work.cancel()
        watch.cancel()
    }

    private func disconnect() async {
        await at("disconnect()") { await self.host.shutdown() }
        let state = host.link.current
        if state.connectionCount != 0 { note("after disconnect() \(state.connectionCount) connections are left") }
        if state.connection != .disconnected(.deliberate) { note("after disconnect() it is \(state.connection)") }
    }

    // MARK: Judging

    /// Every error must be one that tells of a loss, and of nothing else.
    private func judge(_ error: any Error, of what: String) {
        if error is CancellationError, isOver.withLock(\.self) { return }
        guard fault != nil else { return note("\(what) failed without a cut: \(error)") }
        var codes: Set<TransportError.Code> = [.connectionLost, .closed]
        if fault == .vanish { codes.insert(.timeout) }
        if phase == .banner { codes.formUnion([.droppedBeforeBanner, .sshProtocol]) }
        guard let error = error as? TransportError, codes.contains(error.code) else {
            return note("\(what) ended with \(error)")
        }
        if error.message.isEmpty { note("the error of \(what) says nothing") }
    }

    private func note(_ problem: String) { report.withLock { $0.problems.append(problem) } }

    private func at(_ what: String, _ body: () async -> Void) async {
        step.withLock { $0 = what }
        await body()
    }
}

/// A store that tells when a key was judged, which is when the key exchange is over.
private struct ToldStore: HostKeyStore {
    let store: any HostKeyStore
    let onJudge: @Sendable () -> Void

    func judge(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        onJudge()
        return try await store.judge(key, for: pin)
    }
    func check(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        try await store.check(key, for: pin)
    }
    func pinnedKeys(for pin: HostPin) async throws -> [SSHPublicKey] { try await store.pinnedKeys(for: pin) }
    func trust(_ key: SSHPublicKey, for pin: HostPin) async throws { try await store.trust(key, for: pin) }
    func reset(_ pin: HostPin) async throws { try await store.reset(pin) }
}

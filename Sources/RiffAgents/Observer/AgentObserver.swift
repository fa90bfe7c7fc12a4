// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffScreen

// sample: bytes: [UInt8]
/// Watches one agent: what is seen of it goes in, and its state comes out. No clock, no I/O; a value.
///
/// ```swift
/// var observer = AgentObserver(agent: .claude, size: .standard)
/// observer.take(.started, at: .zero)
/// observer.take(.terminal(bytes), at: .milliseconds(20))
/// observer.advance(to: .milliseconds(20))
/// print(observer.report.state.name)
/// ```
///
/// Times are the caller's, on any time line that does not go backwards. The caller looks again at ``deadline``: some
/// states change because nothing is said.
public struct AgentObserver: Sendable {
    /// The kind of agent.
    public let agent: AgentKind
    private let facts: AgentFacts
    private var machine: AgentStateMachine
    private var program = ProgramStatusReader()
    private var screen: Screen?
    private var rollouts: [ByteName: RolloutReader] = [:]
    private var threads = ThreadReader()
    private var receipts = PromptReceipts()
    private var now = Duration.zero
    /// The most record files that are told apart; a conversation with its helpers has a few.
    private static let fileLimit = 64

    /// Creates an observer that has seen nothing.
    ///
    /// - Parameters:
    ///   - agent: The kind of agent.
    ///   - facts: Newer facts than those that are built in; `nil` for these.
    ///   - size: The size of its terminal; `nil` for an agent without one, which is judged by its own word alone.
    public init(agent: AgentKind, facts: AgentFacts? = nil, size: TerminalSize? = .standard) {
        self.agent = agent
        self.facts = facts ?? .builtIn(agent)
        machine = AgentStateMachine(hasTerminal: size != nil)
        screen = size.map { Self.screen($0) }
    }

    /// Has the word of the agent's own file suffice for rest, where there is no terminal that anybody could type into.
    package mutating func trustOwnWord() { machine.trustsOwnWord = true }

    /// The state with its evidence.
    public var report: AgentReport { machine.report }

    /// The facts that decide about a prompt.
    package var submitSight: SubmitSight {
        SubmitSight(
            state: machine.standing,
            ownState: machine.ownState(at: now),
            composer: machine.submitComposer,
            busySigns: machine.busySigns,
            receipts: receipts
        )
    }

    /// When ``advance(to:)`` can change the state; `nil` if only another observation can.
    public var deadline: Duration? { machine.deadline }

    /// Takes an observation. The state is another one only after ``advance(to:)``, so that several things that were
    /// seen together are judged together.
    ///
    /// JSON that is broken is treated as if the agent had said a word that is not known, in its status file, and is
    /// left out elsewhere.
    ///
    /// - Parameters:
    ///   - observation: The observation.
    ///   - time: When it came about, on the caller's time line: the time that a record bears counts, if it bears one.
    public mutating func take(_ observation: AgentObservation, at time: Duration) {
        switch observation {
        case .started:
            program = ProgramStatusReader()
            if let size = screen?.size { screen = Self.screen(size) }
            machine.start(at: time)
        case .exited(let exit): machine.exit(exit, at: time)
        case .terminal(let bytes): terminal(bytes, time)
        case .resized(let size):
            screen?.resize(to: size)
            look(time)
        case .statusFile(let bytes): statusFile(bytes, time)
        case .hook(let bytes):
            guard let json = try? JSONValue(parsing: bytes) else { return }
            receipts.take(hook: json, by: facts)
            add(HookReader(facts: facts).read(json), .hook, "", time)
        case .recordLine(let line, let file): record(line, file, time)
        case .serverMessage(let bytes):
            guard let json = try? JSONValue(parsing: bytes) else { return }
            receipts.take(message: json, by: facts)
            add(threads.read(json, by: facts), .file, AgentStateMachine.serverName, time)
        case .serverLost: add([.gone], .file, AgentStateMachine.serverName, time)
        }
    }

    /// Judges what was taken, and looks at the clock: what was in doubt for too long is unknown.
    ///
    /// - Parameter time: The time now.
    /// - Returns: Whether the state, its subject or the background work is another one now.
    @discardableResult
    public mutating func advance(to time: Duration) -> Bool {
        now = max(now, time)
        let before = machine.standing
        let background = machine.backgroundKinds
        let state = machine.evaluate(at: now)
        return state != before || machine.backgroundKinds != background
    }

    // MARK: Readers

    private static func screen(_ size: TerminalSize) -> Screen {
        var limits = Screen.Limits()
        // Only the rows that are shown count.
        limits.scrollbackBytes = 0
        limits.events = 1
        return Screen(size: size, limits: limits)
    }

    private mutating func add(_ found: [AgentFact], _ kind: AgentEvidenceKind, _ source: String, _ time: Duration) {
        for fact in found { machine.handle(AgentEvidence(kind, source: source, at: time, fact)) }
    }

    private mutating func terminal(_ bytes: [UInt8], _ time: Duration) {
        guard screen != nil else { return }
        for status in program.push(bytes) { add(status.facts(by: facts), .program, "", time) }
        screen?.feed(bytes)
        look(time)
    }

    /// Takes a picture of its terminal, as `tmux capture-pane -p -e` makes one, and the title, instead of the bytes
    /// that drew them.
    package mutating func show(_ rows: [[UInt8]], size: TerminalSize, title: String, at time: Duration) {
        guard screen != nil else { return }
        var screen = Self.screen(size)
        screen.feed(Array("\u{1B}[?7l".utf8))
        for (number, row) in rows.prefix(size.rows).enumerated() {
            screen.feed(Array("\u{1B}[m\u{1B}[\(number + 1);1H".utf8) + row)
        }
        self.screen = screen
        look(time, title: title)
    }

    private mutating func look(_ time: Duration, title: String? = nil) {
        guard let screen else { return }
        let rows = screen.visibleLines.map { line in
            AgentScreenReader.Row(text: screen.text(ofLine: line)) { column in
                let cells = screen.cells(ofLine: line)
                return cells.dropFirst(column).allSatisfy { $0.text.isEmpty || $0.style.attributes.contains(.dim) }
            }
        }
        let reading = AgentScreenReader(facts: facts.screen, rows: rows, title: title ?? screen.title).read()
        guard reading != machine.screen?.reading else { return }
        machine.handle(reading, at: time)
    }

    private mutating func statusFile(_ bytes: [UInt8]?, _ time: Duration) {
        guard let bytes else { return add([.gone], .file, "status", time) }
        guard let json = try? JSONValue(parsing: bytes) else {
            return add([.unrecognized("a broken status file")], .file, "status", time)
        }
        add(StatusFileReader(facts: facts).read(json), .file, "status", time)
    }

    private mutating func record(_ line: [UInt8], _ file: String, _ time: Duration) {
        guard let json = try? JSONValue(parsing: line) else { return }
        receipts.take(record: json, by: facts)
        if agent == .codex {
            let name = ByteName(file)
            guard rollouts[name] != nil || rollouts.count < Self.fileLimit else { return }
            let found = rollouts[name, default: RolloutReader()].read(json, by: facts)
            add(found, .file, file, time)
        } else {
            add(TranscriptReader(facts: facts).read(json), .record, "", time)
        }
    }
}

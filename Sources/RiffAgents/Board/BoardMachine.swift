// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The agents of one host, by the rows of its script: rows in, requests and a list out. No clock, no I/O.
///
/// - A process of an agent's program is an agent, unless its parent is one or it serves others.
/// - It is in the pane that has its terminal. Its screen is asked for when it was drawn anew and can change the state.
/// - A state file counts for the process that wrote it: one that is younger than the file is another process.
/// - A record of Codex belongs to the only agent in its folder, if it was written since that began. Of several agents
///   in one folder none has a record: which is whose cannot be known.
package struct BoardMachine {
    /// The most agents that are kept for one host.
    static let agentLimit = 64
    /// The most panes, processes and records that are kept.
    static let rowLimit = 512

    let host: String
    let adapters: [AgentAdapter]
    var panes: [String: BoardPane] = [:]
    var states: [Int: [UInt8]] = [:]
    var records: [String: BoardRecord] = [:]
    var processes: [Int: BoardProcess] = [:]
    var agents: [BoardAgent] = []
    var files: [String: BoardRecordFile] = [:]
    package private(set) var lacks: [String] = []
    /// The panes' programs and the state files at the last search for processes.
    private var searched: Set<String>?
    private var needsSearch = true
    private var pictures: [String: [[UInt8]]] = [:]
    private var requested: [BoardRequest] = []
    private var isLooked = false
    /// The number of looks, by which a search is made now and then.
    private var looks = 0

    /// Creates a machine that has seen nothing.
    ///
    /// - Parameters:
    ///   - host: The host's name.
    ///   - adapters: The kinds of agents.
    package init(host: String, adapters: [AgentAdapter]) {
        self.host = host
        self.adapters = adapters
    }

    /// Begins a refresh: everything is asked for that may have changed.
    package mutating func begin() {
        requested = []
        isLooked = false
        looks = (looks + 1) % 1024
    }

    /// The channel is new, and its script tells everything anew.
    package mutating func reconnect() {
        panes = [:]
        states = [:]
        records = [:]
        processes = [:]
        lacks = []
        searched = nil
        needsSearch = true
    }

    /// The next request of a refresh; `nil` when nothing more is to be asked.
    package mutating func next() -> BoardRequest? {
        let request = nextRequest()
        if let request { requested.append(request) }
        return request
    }

    private mutating func nextRequest() -> BoardRequest? {
        guard isLooked else { return .look }
        // A peer that makes new rows for ever is looked at again later.
        guard requested.count < 256 else { return nil }
        let names = Set(adapters.flatMap(\.facts.programs))
        let current = Set(panes.map { "\($0.key) \($0.value.pid) \($0.value.command)" } + states.keys.map(String.init))
        if !requested.contains(where: \.isFind), current != searched || needsSearch || isSearchDue {
            searched = current
            needsSearch = false
            return .find(names.filter(ConversationID.isPlain).sorted() + states.keys.sorted().map(String.init))
        }
        // A search makes the script tell of records, with the look behind it.
        if let last = requested.last, last.isFind, isCodexHere { return .look }
        if let request = nextTail() { return request }
        let stale = agents.compactMap { $0.paneToShow(panes) }.filter { pane in
            !requested.contains { $0.shows(pane) }
        }
        return stale.isEmpty ? nil : .show(Array(stale.prefix(16)))
    }

    private var isCodexHere: Bool { processes.values.contains { kind(of: $0)?.kind == .codex } }

    /// Processes without a pane and state file end without a sign, and a record comes with the first prompt.
    private var isSearchDue: Bool {
        let isDue = agents.contains { agent in
            guard agent.kind != .claude else { return false }
            guard agent.pane != nil else { return looks % 8 == 0 }
            return agent.kind == .codex && agent.needsSearch
        }
        return isDue
    }

    // MARK: Answers

    /// Takes the rows of an answer.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - request: What was asked.
    ///   - time: The time now, on the caller's time line.
    package mutating func take(_ rows: [BoardRow], to request: BoardRequest, at time: Duration) {
        switch request {
        case .look:
            isLooked = true
            for row in rows { take(row) }
            reconcile(at: time)
        case .find:
            processes = [:]
            for case .process(let process) in rows where processes.count < Self.rowLimit {
                processes[process.pid] = process
            }
            for place in agents.indices { agents[place].noteSearch(at: time) }
            reconcile(at: time)
        case .show: show(rows, at: time)
        case .tail(_, _, let file): read(rows, of: file, at: time)
        }
    }

    private mutating func take(_ row: BoardRow) {
        switch row {
        case .pane(let id, let pane): if panes[id] != nil || panes.count < Self.rowLimit { panes[id] = pane }
        case .state(let pid, let bytes): if states[pid] != nil || states.count < Self.rowLimit { states[pid] = bytes }
        case .record(let name, let record):
            if records[name] != nil || records.count < Self.rowLimit { records[name] = record }
        case .lacks(let words): if lacks.count < 8, !lacks.contains(words) { lacks.append(words) }
        case .process, .picture, .text: break
        }
    }

    private mutating func show(_ rows: [BoardRow], at time: Duration) {
        var pictures: [String: [[UInt8]]] = [:]
        var current: String?
        for row in rows {
            switch row {
            case .picture(let pane): current = pane
            case .text(let bytes):
                if let current, pictures[current, default: []].count < 1000 {
                    pictures[current, default: []].append(bytes)
                }
            default: break
            }
        }
        for place in agents.indices {
            guard let id = agents[place].pane, let pane = panes[id], let picture = pictures[id] else { continue }
            agents[place].show(picture, pane: pane, at: time)
        }
    }

    // MARK: The list

    /// Judges everything.
    ///
    /// - Parameter time: The time now.
    package mutating func advance(to time: Duration) {
        for place in agents.indices { agents[place].observer.advance(to: time) }
    }

    /// The agents.
    package var listings: [AgentListing] {
        agents.map { $0.listing(host: host, pane: $0.pane.flatMap { panes[$0] }) }
    }

    /// Whether no agent does anything that ends by itself.
    package var isAtRest: Bool {
        agents.allSatisfy { agent in
            switch agent.observer.report.state {
            case .starting, .working: false
            // Tmux tells of drawing in whole seconds: what came in the same one is seen by a look soon after.
            case .dialog, .ready, .waiting, .done, .interrupted, .failed, .exited, .unknown: !agent.isUnsettled
            }
        }
    }

    /// When time alone changes a state; `nil` if only a look can.
    package var deadline: Duration? { agents.compactMap(\.observer.deadline).min() }
}

extension BoardRequest {
    fileprivate var isFind: Bool { if case .find = self { true } else { false } }

    fileprivate func shows(_ pane: String) -> Bool {
        if case .show(let panes) = self { panes.contains(pane) } else { false }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension BoardMachine {
    /// The adapter of a process's program.
    func kind(of process: BoardProcess) -> AgentAdapter? {
        if state(of: process) != nil { return adapters.first { !$0.facts.places.status.isEmpty } }
        return adapters.first { $0.facts.programs.contains { $0.isSame(bytes: process.program) } }
    }

    /// The state file that a process wrote. One that is older than the process was left behind by another one of its
    /// number, whatever program that was.
    private func state(of process: BoardProcess) -> [UInt8]? {
        guard let bytes = states[process.pid] else { return nil }
        let json = try? JSONValue(parsing: bytes)  // What is broken is told by the observer.
        guard let started = json?["startedAt"]?.integer else { return bytes }
        let (age, isTooMuch) = Int64(process.began).subtractingReportingOverflow(started / 1000)
        return !isTooMuch && age > 10 ? nil : bytes
    }

    /// Brings the agents up to date with the rows.
    mutating func reconcile(at time: Duration) {
        let found = candidates()
        let ids = Set(found.keys)
        let dead = Set(agents.filter(isInDeadPane).map(\.id))
        agents.removeAll { $0.pid != nil && !ids.contains($0.id) && !dead.contains($0.id) }
        for place in agents.indices where dead.contains(agents[place].id) {
            let status = agents[place].pane.flatMap { panes[$0]?.status }
            agents[place].observer.take(.exited(status.map(AgentExit.status) ?? .unknown), at: time)
        }
        for (id, process) in found.sorted(by: { $0.value.pid < $1.value.pid }) {
            guard let adapter = kind(of: process) else { continue }
            let place = place(of: id, process, adapter, at: time)
            guard let place else { continue }
            bind(place, process, at: time)
        }
        feedStates(at: time)
        bindRecords(at: time)
    }

    /// The processes that are agents, by the agents' ids. A process is known by its number and its beginning.
    private func candidates() -> [String: BoardProcess] {
        var found: [String: BoardProcess] = [:]
        for process in processes.values where !process.isServer {
            guard let adapter = kind(of: process) else { continue }
            if let parent = processes[process.parent], !parent.isServer, kind(of: parent)?.kind == adapter.kind {
                continue
            }
            let isInPane = paneID(of: process) != nil
            // Helpers and servers of Claude's own have no state file and no pane.
            if !adapter.facts.places.status.isEmpty, state(of: process) == nil, !isInPane { continue }
            found["p\(process.pid)"] = process
        }
        return found
    }

    /// Whether its pane stays after its end, as a person can have tmux do it.
    private func isInDeadPane(_ agent: BoardAgent) -> Bool { agent.pane.flatMap { panes[$0]?.isDead } ?? false }

    func paneID(of process: BoardProcess) -> String? {
        guard process.terminal != "?", process.terminal != "-", !process.terminal.isEmpty else { return nil }
        return panes.first { $0.value.terminal.isSame(bytes: process.terminal) && !$0.value.isDead }?.key
    }

    /// The agent's index; makes it if it is new.
    private mutating func place(
        of id: String,
        _ process: BoardProcess,
        _ adapter: AgentAdapter,
        at time: Duration
    ) -> Int? {
        if let place = agents.firstIndex(where: { $0.id == id }) {
            // The beginning is known within two seconds.
            if agents[place].kind == adapter.kind, abs(agents[place].began - process.began) <= 5 { return place }
            agents.remove(at: place)
        }
        guard agents.count < Self.agentLimit else { return nil }
        let pane = paneID(of: process)
        let size = pane.flatMap { panes[$0]?.size }
        agents.append(BoardAgent(id: id, adapter, process, pane: pane, size: size, at: time))
        return agents.count - 1
    }

    private mutating func bind(_ place: Int, _ process: BoardProcess, at time: Duration) {
        guard let id = agents[place].pane else { return }
        guard let pane = panes[id] else {
            // The pane is gone and the process lives: it is judged without one from now on.
            agents[place].leavePane(at: time)
            return
        }
        agents[place].noteActivity(pane.activity, at: time)
        agents[place].directory = pane.directory
        agents[place].title = pane.title
    }

    private mutating func feedStates(at time: Duration) {
        for place in agents.indices {
            guard let pid = agents[place].pid, !agents[place].adapter.facts.places.status.isEmpty else { continue }
            agents[place].takeState(processes[pid].flatMap(state), at: time)
        }
    }
}

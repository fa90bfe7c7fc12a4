// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension BoardMachine {
    /// The adapter of a process's program.
    func kind(of process: BoardProcess) -> AgentAdapter? {
        if states[process.pid] != nil { return adapters.first { !$0.facts.places.status.isEmpty } }
        return adapters.first { $0.facts.programs.contains { $0.isSame(bytes: process.program) } }
    }

    /// Brings the agents up to date with the rows.
    mutating func reconcile(at time: Duration) {
        let found = candidates()
        let ids = Set(found.keys)
        agents.removeAll { $0.pid != nil && !ids.contains($0.id) }
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
            if !adapter.facts.places.status.isEmpty, states[process.pid] == nil, !isInPane { continue }
            // A state file that a process of the same number left behind is found by its beginning.
            found["p\(process.pid)"] = process
        }
        // A state file without its process in the last search is looked at after the next one.
        return found
    }

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
        agents[place].directory = pane.directory
        agents[place].title = pane.title
    }

    private mutating func feedStates(at time: Duration) {
        for place in agents.indices {
            guard let pid = agents[place].pid, !agents[place].adapter.facts.places.status.isEmpty else { continue }
            agents[place].takeState(states[pid], at: time)
        }
    }
}

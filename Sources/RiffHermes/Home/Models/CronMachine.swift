// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of a list of scheduled jobs that can be switched on and off, and removed.
public struct CronMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
        /// Read the jobs, first or again.
        case load
        /// The person switches a job.
        case setEnabled(String, Bool)
        /// The person removes a job.
        case remove(String)
        /// The jobs were read, or are so after a change (of the job of that id).
        case loaded(CronTable.Snapshot, changed: String? = nil)
        /// It did not work (for the job of that id).
        case failed(Problem, job: String? = nil)
    }

    /// What is to be done.
    public enum Effect: Sendable, Equatable {
        /// Read the jobs.
        case read
        /// Pause a job, or let it run.
        case set(String, isEnabled: Bool, since: CronTable.Snapshot)
        /// Remove a job.
        case remove(String)
    }

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// The jobs, those that run next first, those that do not run last.
        package var jobs: [CronJob] = []
        /// Ids of jobs that are being changed.
        package var busy: Set<String> = []
        /// Whether the jobs are being read.
        package var isLoading = false
        /// What did not work last.
        package var problem: Problem?
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    private var table: CronTable.Snapshot?
    /// Whether a job was changed since the reading that is under way began: it may have the state before.
    private var isOutdated = false
    /// Whether changes went on beside each other: what the one that ends last found may be older than the others.
    private var overlaps = false

    /// An empty list.
    package init() {}

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !snapshot.isLoading else { return [] }
            snapshot.isLoading = true
            return [.read]
        case .setEnabled(let id, let isEnabled):
            guard let table, !snapshot.busy.contains(id), let job = table.jobs.first(where: { $0.id == id }),
                job.isEnabled != isEnabled
            else { return [] }
            overlaps = overlaps || !snapshot.busy.isEmpty
            snapshot.busy.insert(id)
            return [.set(id, isEnabled: isEnabled, since: table)]
        case .remove(let id):
            guard table != nil, !snapshot.busy.contains(id) else { return [] }
            overlaps = overlaps || !snapshot.busy.isEmpty
            snapshot.busy.insert(id)
            return [.remove(id)]
        case .loaded(let table, let changed):
            snapshot.problem = nil
            if changed == nil, isOutdated {
                isOutdated = false
                return [.read]
            }
            self.table = table
            snapshot.jobs = Self.sorted(table.jobs)
            guard let changed else {
                snapshot.isLoading = false
                return []
            }
            isOutdated = snapshot.isLoading
            return end(changed)
        case .failed(let problem, let job):
            let effects = job.map { end($0) } ?? []
            if job == nil { (snapshot.isLoading, isOutdated) = (false, false) }
            snapshot.problem = problem
            guard effects.isEmpty else { return effects }
            // What is shown is out of date then.
            guard job != nil, problem.isConflict, !snapshot.isLoading else { return [] }
            snapshot.isLoading = true
            return [.read]
        }
    }

    /// A change came to its end.
    private mutating func end(_ job: String) -> [Effect] {
        snapshot.busy.remove(job)
        guard overlaps, snapshot.busy.isEmpty else { return [] }
        overlaps = false
        isOutdated = snapshot.isLoading
        guard !snapshot.isLoading else { return [] }
        snapshot.isLoading = true
        return [.read]
    }

    private static func sorted(_ jobs: [CronJob]) -> [CronJob] {
        let key = { (job: CronJob) in (job.isEnabled ? 0 : 1, job.nextRun ?? "~", job.name) }
        return jobs.sorted { key($0) < key($1) }
    }
}

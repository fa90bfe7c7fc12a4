// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a list of scheduled jobs that can be switched on and off, and removed.
package struct CronMachine: HomeMachine {
    /// An event of the jobs' view.
    package enum Event: Sendable {
        /// Read the jobs, first or again.
        case load
        /// The person switches a job.
        case setEnabled(String, Bool)
        /// The person removes a job.
        case remove(String)
        /// The person has the agent do something for a job, or for one that is to be made (``CronMachine/creation``).
        case command(String, Command)
        /// The jobs were read, or are so after a change (of the job of that id).
        case loaded(CronTable.Snapshot, changed: String? = nil)
        /// It did not work (for the job of that id).
        case failed(Problem, job: String? = nil)
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Read the jobs.
        case read
        /// Pause a job, or let it run.
        case set(String, isEnabled: Bool, since: CronTable.Snapshot)
        /// Remove a job.
        case remove(String)
        /// Have the agent do something, and read the jobs.
        case perform(String, Command)
    }

    /// A command that the agent itself carries out for a job.
    package enum Command: Sendable, Equatable {
        case create(CronJob.Draft)
        case edit(CronJob.Draft)
        case run
    }

    /// The id under which a job is busy that has none yet.
    package static let creation = "+"

    package private(set) var answer = HermesAnswer<Never, [CronJob]>()
    private var table: CronTable.Snapshot?
    private var problems = HomeProblems() {
        didSet { answer.problem = problems.shown }
    }
    /// Whether a job was changed since the reading that is under way began: it may have the state before.
    private var isOutdated = false
    /// Whether changes went on beside each other: what the one that ends last found may be older than the others.
    private var overlaps = false

    package init() {}

    package static var refreshed: Event? { .load }

    package func accepts(_ event: Event) -> Bool {
        switch event {
        case .load: !answer.isLoading
        case .setEnabled(let id, _), .remove(let id), .command(let id, _):
            !answer.busy.contains(id) && (table != nil || !answer.isLoading)
        case .loaded, .failed: true
        }
    }

    package static func replaces(_ event: Event, _ earlier: Event) -> Bool {
        switch (event, earlier) {
        case (.load, .load): true
        case (.setEnabled(let new, _), .setEnabled(let old, _)): new == old
        default: false
        }
    }

    package mutating func note(_ event: Event) {
        switch event {
        case .load, .setEnabled, .remove, .command: problems.command = nil
        case .loaded, .failed: break
        }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.read]
        case .setEnabled(let id, let isEnabled):
            guard let table, !answer.busy.contains(id), let job = table.jobs.first(where: { $0.id.isSame(bytes: id) }),
                job.isEnabled != isEnabled
            else { return [] }
            overlaps = overlaps || !answer.busy.isEmpty
            answer.busy.insert(id)
            return [.set(id, isEnabled: isEnabled, since: table)]
        case .remove(let id):
            guard table != nil, !answer.busy.contains(id) else { return [] }
            overlaps = overlaps || !answer.busy.isEmpty
            answer.busy.insert(id)
            return [.remove(id)]
        case .command(let id, let command):
            guard !answer.busy.contains(id) else { return [] }
            overlaps = overlaps || !answer.busy.isEmpty
            answer.busy.insert(id)
            return [.perform(id, command)]
        case .loaded(let table, let changed):
            problems.reading = nil
            if changed == nil, isOutdated {
                isOutdated = false
                return [.read]
            }
            self.table = table
            answer.value = Self.sorted(table.jobs)
            guard let changed else {
                answer.isLoading = false
                return []
            }
            isOutdated = answer.isLoading
            return end(changed)
        case .failed(let problem, let job):
            let effects = job.map { end($0) } ?? []
            if job == nil {
                (answer.isLoading, isOutdated) = (false, false)
                problems.reading = problem
            } else {
                problems.command = problem
            }
            guard effects.isEmpty else { return effects }
            // What is shown is out of date then.
            guard job != nil, problem.isConflict, !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.read]
        }
    }

    /// A change came to its end.
    private mutating func end(_ job: String) -> [Effect] {
        answer.busy.remove(job)
        guard overlaps, answer.busy.isEmpty else { return [] }
        overlaps = false
        isOutdated = answer.isLoading
        guard !answer.isLoading else { return [] }
        answer.isLoading = true
        return [.read]
    }

    private static func sorted(_ jobs: [CronJob]) -> [CronJob] {
        let key = { (job: CronJob) in
            (job.isEnabled ? 0 : 1, job.nextRun ?? .infinity, job.nextRunText ?? "~", job.name)
        }
        return jobs.sorted { key($0) < key($1) }
    }
}

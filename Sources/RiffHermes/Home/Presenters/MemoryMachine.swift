// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of an editor of a memory file: a draft, what it is compared with, and what others write meanwhile.
package struct MemoryMachine: HomeMachine {
    /// An event of the memory's view.
    package enum Event: Sendable {
        /// Read the file, first or again; a draft stays.
        case load
        /// The person changed the draft.
        case edit([String])
        /// The person saves the draft.
        case save
        /// The person drops the draft, and sees what the file has.
        case revert
        /// The person keeps the draft over the text that another program wrote.
        case keepMine
        /// The file was read.
        case loaded(MemoryFile.Snapshot)
        /// The draft was written.
        case saved(MemoryFile.Snapshot)
        /// Reading did not work.
        case loadFailed(Problem)
        /// Writing did not work.
        case saveFailed(Problem)
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Read the file.
        case read
        /// Write entries over what was read.
        case write([String], over: MemoryFile.Snapshot)
    }

    package private(set) var answer = HermesAnswer<Never, MemoryFile.Draft>()
    private var file: MemoryFile.Snapshot?
    private var problems = HomeProblems() {
        didSet { answer.problem = problems.shown }
    }

    package init() {}

    package static var refreshed: Event? { .load }

    package func accepts(_ event: Event) -> Bool {
        switch event {
        case .load, .save: !answer.isLoading
        case .edit, .revert, .keepMine, .loaded, .saved, .loadFailed, .saveFailed: true
        }
    }

    package static func replaces(_ event: Event, _ earlier: Event) -> Bool {
        switch (event, earlier) {
        case (.load, .load), (.save, .save): true
        default: false
        }
    }

    package mutating func note(_ event: Event) {
        switch event {
        case .load, .save: problems.command = nil
        case .edit, .revert, .keepMine, .loaded, .saved, .loadFailed, .saveFailed: break
        }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.read]
        case .edit(let entries):
            guard let file, var draft = answer.value else { return [] }
            draft.memory = MemoryFile.Entries(entries: entries, limit: file.memory.limit)
            draft.isChanged = draft.memory != file.memory
            answer.value = draft
        case .save:
            guard let file, let draft = answer.value, draft.canSave, !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.write(draft.memory.entries, over: file)]
        case .revert:
            guard let file else { return [] }
            show(file)
        case .keepMine:
            answer.value?.theirs = nil
            problems = HomeProblems()
        case .loaded(let new):
            answer.isLoading = false
            problems.reading = nil
            let isNews = file.map { $0.revision != new.revision } ?? false
            file = new
            guard var draft = answer.value, draft.isChanged else {
                show(new)
                return []
            }
            draft.isChanged = draft.memory != new.memory
            if isNews, draft.isChanged { draft.theirs = new.memory }
            // The file has the draft already.
            if !draft.isChanged { problems.command = nil }
            answer.value = draft
        case .saved(let new):
            answer.isLoading = false
            problems = HomeProblems()
            file = new
            // What was typed while it was written is a draft again.
            let draft = answer.value?.memory
            answer.value?.isChanged = draft != new.memory
        case .loadFailed(let problem):
            answer.isLoading = false
            problems.reading = problem
        case .saveFailed(let problem):
            problems.command = problem
            guard problem.isConflict else {
                answer.isLoading = false
                return []
            }
            return [.read]
        }
        return []
    }

    private mutating func show(_ file: MemoryFile.Snapshot) {
        answer.value = MemoryFile.Draft(memory: file.memory)
        problems = HomeProblems()
    }
}

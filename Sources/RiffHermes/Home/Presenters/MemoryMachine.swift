// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of an editor of a memory file: a draft, what it is compared with, and what others write meanwhile.
package struct MemoryMachine: HomeMachine {
    /// What happens.
    package enum Event: Sendable {
        /// Read the file, first or again; a draft stays.
        case load
        /// The person changed the draft.
        case edit([String])
        /// The person saves the draft.
        case save
        /// The person drops the draft, and sees what the file has.
        case revert
        /// The person keeps the draft over what somebody else wrote.
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

    package init() {}

    package static var refreshed: Event? { .load }

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
            answer.problem = nil
        case .loaded(let new):
            answer.isLoading = false
            answer.problem = nil
            let isNews = file.map { $0.revision != new.revision } ?? false
            file = new
            guard var draft = answer.value, draft.isChanged else {
                show(new)
                return []
            }
            draft.isChanged = draft.memory != new.memory
            if isNews, draft.isChanged { draft.theirs = new.memory }
            answer.value = draft
        case .saved(let new):
            answer.isLoading = false
            answer.problem = nil
            file = new
            // What was typed while it was written is a draft again.
            let draft = answer.value?.memory
            answer.value?.isChanged = draft != new.memory
        case .loadFailed(let problem):
            answer.isLoading = false
            answer.problem = problem
        case .saveFailed(let problem):
            answer.problem = problem
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
        answer.problem = nil
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of an editor of a memory file: a draft, what it is compared with, and what others write meanwhile.
public struct MemoryMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
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
    public enum Effect: Sendable, Equatable {
        /// Read the file.
        case read
        /// Write entries over what was read.
        case write([String], over: MemoryFile.Snapshot)
    }

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// The draft; what the file has where nobody edits.
        package var draft = MemoryEntries(entries: [], limit: 0)
        /// Whether the draft differs from the file.
        package var isDirty = false
        /// What somebody else wrote while the draft was edited: the person decides.
        package var theirs: MemoryEntries?
        /// Whether it is being read or written.
        package var isBusy = false
        /// What did not work last.
        package var problem: Problem?

        /// Whether the agent would keep no more than a part of the draft.
        package var isOverLimit: Bool { draft.count > draft.limit }
        /// Whether saving makes sense.
        package var canSave: Bool { isDirty && !isBusy && theirs == nil }
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    private var file: MemoryFile.Snapshot?

    /// An editor of nothing yet.
    package init() {}

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !snapshot.isBusy else { return [] }
            snapshot.isBusy = true
            return [.read]
        case .edit(let entries):
            guard let file else { return [] }
            snapshot.draft = MemoryEntries(entries: entries, limit: file.memory.limit)
            snapshot.isDirty = snapshot.draft != file.memory
        case .save:
            guard let file, snapshot.canSave else { return [] }
            snapshot.isBusy = true
            return [.write(snapshot.draft.entries, over: file)]
        case .revert:
            guard let file else { return [] }
            show(file)
        case .keepMine:
            snapshot.theirs = nil
            snapshot.problem = nil
        case .loaded(let new):
            snapshot.isBusy = false
            snapshot.problem = nil
            let isNews = file.map { $0.revision != new.revision } ?? false
            file = new
            guard snapshot.isDirty else {
                show(new)
                return []
            }
            snapshot.isDirty = snapshot.draft != new.memory
            if isNews, snapshot.isDirty { snapshot.theirs = new.memory }
        case .saved(let new):
            snapshot.isBusy = false
            snapshot.problem = nil
            let draft = snapshot.draft
            file = new
            // What was typed while it was written is a draft again.
            snapshot.isDirty = draft != new.memory
        case .loadFailed(let problem):
            snapshot.isBusy = false
            snapshot.problem = problem
        case .saveFailed(let problem):
            snapshot.problem = problem
            guard problem.isConflict else {
                snapshot.isBusy = false
                return []
            }
            return [.read]
        }
        return []
    }

    private mutating func show(_ file: MemoryFile.Snapshot) {
        snapshot.draft = file.memory
        snapshot.isDirty = false
        snapshot.theirs = nil
        snapshot.problem = nil
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension MemoryFile {
    /// A draft of the entries, and what happened to the file meanwhile.
    public struct Draft: Sendable, Hashable {
        /// The draft; the entries of the file unless the user edits.
        public package(set) var memory: MemoryFile.Entries
        /// Whether the draft differs from the file.
        public package(set) var isChanged = false
        /// The entries that another program wrote while the draft was edited: the user decides.
        public package(set) var theirs: MemoryFile.Entries?

        package init(memory: MemoryFile.Entries) { self.memory = memory }

        /// Whether the agent would keep no more than a part of the draft.
        public var isOverLimit: Bool { memory.count > memory.limit }
        /// Whether saving makes sense.
        public var canSave: Bool { isChanged && theirs == nil }
    }

    /// Creates a presenter with a draft of the entries.
    ///
    /// - Returns: The presenter; nothing is read before it shows something.
    public func live() -> HermesLive<Never, Draft> {
        HermesLive(MemoryMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await read()) } catch { return .loadFailed(Problem(error)) }
            case .write(let entries, let old):
                do {
                    return .saved(try await write(entries, over: old))
                } catch {
                    return .saveFailed(Problem(error))
                }
            }
        }
    }
}

extension HermesLive where Question == Never, Value == MemoryFile.Draft {
    /// Changes the draft.
    public func edit(_ entries: [String]) async { await send(.edit(entries), to: MemoryMachine.self) }

    /// Saves the draft. If another program changed the file meanwhile, nothing is written, and
    /// ``MemoryFile/Draft/theirs`` has its entries.
    public func save() async { await send(.save, to: MemoryMachine.self) }

    /// Drops the draft and shows the entries of the file.
    public func revert() async { await send(.revert, to: MemoryMachine.self) }

    /// Keeps the draft over the entries that another program wrote.
    public func keepMine() async { await send(.keepMine, to: MemoryMachine.self) }
}

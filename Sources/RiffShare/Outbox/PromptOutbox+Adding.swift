// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension PromptOutbox {
    /// Keeps a prompt; when this returns it is on disk.
    ///
    /// - Parameters:
    ///   - text: The words; empty only if there are attachments.
    ///   - agent: The agent, by the app's own name for it: 1 to 120 bytes. Each agent has a queue of its own.
    ///   - paths: Pictures and films to send with it; copies are kept.
    ///   - delivery: When it is meant to be read.
    ///   - isDraft: Whether it waits for ``queue(_:)``.
    /// - Returns: The prompt.
    /// - Throws: ``CoreError`` with `invalidPrompt`, `outboxFull`, `mediaTooLarge` or `unknownMedia`: nothing was kept;
    ///   `permissionsTooOpen`, `storeFailed`, `storeBusy`; `CancellationError`.
    @discardableResult
    public func add(
        _ text: String,
        to agent: String,
        attaching paths: [String] = [],
        delivery: Prompt.Delivery = .nextTurn,
        isDraft: Bool = false
    ) async throws -> Prompt {
        try check(text, attachments: paths.count)
        guard (1...120).contains(agent.utf8.count) else {
            throw CoreError(.invalidPrompt, "An agent's name must be 1 to 120 bytes.")
        }
        var kept: [SharedMediaItem.Name] = []
        do {
            for path in paths { kept.append(try await attachments.deposit(contentsOf: path).name) }
            let bytes = try await attachments.items().reduce(0) { $0 + $1.sizeBytes }
            guard kept.isEmpty || bytes <= limits.attachmentBytes else {
                let most = limits.attachmentBytes / 1_048_576
                throw CoreError(.outboxFull, "The prompts that wait have more than \(most) MB of attachments.")
            }
            return try add(text, to: agent, kept, delivery, isDraft ? .draft : .queued)
        } catch {
            // What is left behind goes with the next tidying; the reason is the first error.
            try? await removeAttachments(kept)
            throw error
        }
    }

    private func add(
        _ text: String,
        to agent: String,
        _ attachments: [SharedMediaItem.Name],
        _ delivery: Prompt.Delivery,
        _ state: PromptState
    ) throws -> Prompt {
        let folder = try OutboxFolder(path: directory)
        let (prompt, others) = try folder.locked { folder in
            var names = try folder.names()
            if names.count >= limits.prompts { names = try makeRoom(in: folder, names) }
            let last = names.last.flatMap { Prompt.parts(ofFile: $0)?.sequence } ?? 0
            let prompt = Prompt(
                id: .random(),
                agent: agent,
                text: text,
                attachments: attachments,
                delivery: delivery,
                state: state,
                attempts: 0,
                created: Int64(wallClock()),
                sequence: last + 1,
                mark: nil,
                isCommitted: false
            )
            try folder.add(prompt)
            return (prompt, names.count)
        }
        // All of a thousand are read only if another process changed something.
        guard source.current.prompts.count == others else {
            try refresh()
            return prompt
        }
        source.update { state in
            var state = state
            state.prompts.append(prompt)
            return state
        }
        return prompt
    }

    /// Removes the oldest one that is over.
    private func makeRoom(in folder: borrowing OutboxFolder, _ names: [String]) throws -> [String] {
        for name in names {
            // One that cannot be read may be one that waits.
            guard let prompt = try? folder.read(name), prompt.state.isOver else { continue }
            try folder.remove(prompt)
            return try folder.names()
        }
        throw CoreError(.outboxFull, "\(limits.prompts) prompts wait already, which is as many as are kept.")
    }

    /// Refuses what no prompt can be.
    func check(_ text: String, attachments: Int) throws(CoreError) {
        guard text.utf8.count <= limits.textBytes else {
            throw CoreError(.invalidPrompt, "A prompt may have \(limits.textBytes / 1024) KiB of text at most.")
        }
        guard attachments <= limits.attachments else {
            throw CoreError(.invalidPrompt, "A prompt may have \(limits.attachments) attachments at most.")
        }
        guard attachments > 0 || !text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw CoreError(.invalidPrompt, "A prompt without words is not sent.")
        }
    }

    /// Removes files of attachments, and those that are gone are fine.
    func removeAttachments(_ names: [SharedMediaItem.Name]) async throws {
        for name in names { try await attachments.claim(name)?.complete() }
    }

    /// Removes what processes that died left behind: half-written files, and attachments of no prompt, after an hour.
    package func tidy() async throws {
        guard LocalPath.exists(directory) else { return }
        let limit = Int64(wallClock()) - OutboxFolder.staleSeconds
        let state = try read(try OutboxFolder(path: directory))
        try OutboxFolder(path: directory).removeStale(before: limit)
        // What a file that cannot be read has with it is not known.
        guard state.problems.isEmpty else { return }
        try OutboxFolder(path: directory).removeLeases(exceptOf: state.prompts.map(\.agent))
        let wanted = Set(state.prompts.flatMap(\.attachments))
        let left = try await attachments.items().map(\.name).filter { !wanted.contains($0) && $0.epoch < limit }
        try await removeAttachments(left)
    }
}

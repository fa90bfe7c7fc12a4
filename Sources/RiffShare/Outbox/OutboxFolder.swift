// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The files of an outbox's prompts: one for each, replaced whole, and one with the order that the user gave. Its calls
/// block.
struct OutboxFolder: ~Copyable {
    private static let orderName = "order"
    /// The age, in seconds, from which on a file that was being written has no owner any more.
    static let staleSeconds: Int64 = 3600

    private let folder: LocalDirectory

    init(path: String) throws(CoreError) {
        try LocalDirectory.make(path: path)
        let folder = try LocalDirectory(path: path)
        try folder.requirePrivate()
        self.folder = folder
    }

    /// Holds the lock of all processes while `body` runs.
    borrowing func locked<Result>(_ body: (borrowing OutboxFolder) throws -> Result) throws -> Result {
        let lock = try FileLock(".lock", in: folder)
        let result = try body(self)
        withExtendedLifetime(lock) {}
        return result
    }

    // MARK: Prompts

    /// The names of prompts' files, in the order in which they were added.
    borrowing func names() throws(CoreError) -> [String] {
        try folder.names().filter { Prompt.parts(ofFile: $0) != nil }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }

    /// Reads a prompt; `nil` if its file is gone.
    borrowing func read(_ name: String) throws(CoreError) -> Prompt? {
        guard let bytes = try folder.contents(of: name, .secret) else { return nil }
        guard let prompt = Prompt(file: name, bytes: bytes) else {
            throw CoreError(
                .promptUnreadable,
                "The prompt in \(folder.path)/\(name) cannot be read: it is damaged or of a later version."
            )
        }
        return prompt
    }

    /// The prompt with an id; `nil` if there is none.
    borrowing func prompt(_ id: RiffIdentifier) throws(CoreError) -> Prompt? {
        guard let name = try names().first(where: { Prompt.parts(ofFile: $0)?.id == id }) else { return nil }
        return try read(name)
    }

    /// Keeps a new prompt.
    borrowing func add(_ prompt: Prompt) throws(CoreError) {
        guard try folder.add(prompt.fileName, prompt.bytes, mode: 0o600) else {
            throw CoreError(.storeFailed, "\(folder.path)/\(prompt.fileName) is there already.", recovery: .retry)
        }
    }

    /// Keeps a prompt in the place of what it was.
    borrowing func replace(_ prompt: Prompt) throws(CoreError) {
        try folder.replace(prompt.fileName, with: prompt.bytes, mode: 0o600)
    }

    /// Removes a prompt.
    borrowing func remove(_ prompt: Prompt) throws(CoreError) {
        try folder.remove(prompt.fileName)
        folder.sync()
    }

    /// Removes what processes that died left half-written.
    borrowing func removeStale(before seconds: Int64) throws(CoreError) {
        for name in try folder.names() where name.hasPrefix(bytes: LocalDirectory.temporaryPrefix) {
            guard let status = try folder.status(of: name), status.modifiedSeconds < seconds else { continue }
            try folder.remove(name)
        }
    }

    // MARK: Order

    /// The ids that the user put into an order; none if the file is missing or damaged, and then prompts are in the
    /// order in which they were added.
    borrowing func order() throws(CoreError) -> [RiffIdentifier] {
        guard let bytes = try folder.contents(of: Self.orderName, .secret),
            let names = (try? JSONValue(parsing: bytes))?.array
        else { return [] }
        return names.compactMap { name in name.text.flatMap { try? RiffIdentifier($0) } }
    }

    /// Keeps an order.
    borrowing func setOrder(_ ids: [RiffIdentifier]) throws(CoreError) {
        let bytes = JSONValue.array(ids.map { .string($0.text) }).bytes()
        try folder.replace(Self.orderName, with: bytes, mode: 0o600)
    }

    // MARK: Leases

    private static let leasePrefix = ".lease-"

    /// The right to hand an agent's prompts over; `nil` if another one has it.
    borrowing func lease(of agent: String) throws(CoreError) -> PromptLease? {
        try lease(named: Self.leasePrefix + HexDigits.text(agent.utf8))
    }

    private borrowing func lease(named name: String) throws(CoreError) -> PromptLease? {
        while true {
            let file = try folder.openLock(name)
            let opened = try CoreError.storing("Reading \(folder.path)/\(name)", try file.status())
            guard let lease = try PromptLease.take(file, path: "\(folder.path)/\(name)") else { return nil }
            // Between opening and locking, one who tidies up may have removed it, and another one made it again.
            if let now = try folder.status(of: name), now.st_ino == opened.st_ino { return lease }
        }
    }

    /// Removes the files of leases that nobody has, of agents that have no prompts.
    borrowing func removeLeases(exceptOf agents: some Sequence<String>) throws(CoreError) {
        let wanted = Set(agents.map { Self.leasePrefix + HexDigits.text($0.utf8) })
        for name in try folder.names() where name.hasPrefix(bytes: Self.leasePrefix) && !wanted.contains(name) {
            guard let lease = try lease(named: name) else { continue }
            try folder.remove(name)
            withExtendedLifetime(lease) {}
        }
    }
}

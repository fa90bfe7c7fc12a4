// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension CodexMachine {
    /// Whether a look for the conversation can help, and none is under way.
    var isSearching: Bool {
        switch status.phase {
        case .noThread, .severalThreads, .unbegun: !calls.values.contains { $0.isSearch }
        case .connecting, .finding, .joined: false
        }
    }

    /// Looks which conversations are loaded. One that is not is never joined: that would load it.
    mutating func search() -> [Effect] {
        found = []
        unread = []
        loaded = []
        return call(.loadedThreads(cursor: nil), .loaded)
    }

    /// The server's answer to one of our calls.
    mutating func take(_ result: JSONValue, of message: JSONValue, _ purpose: Purpose) -> [Effect] {
        switch purpose {
        case .initialize: return [.send(CodexCall.initialized)] + search()
        case .loaded: return list(result)
        case .read(let thread):
            unread.remove(ByteName(thread))
            return read(result, of: message, thread)
        case .look(let thread): return look(result, of: message, thread)
        case .resume(let thread): return join(result, of: message, thread)
        case .settle: return settle(result)
        case .outcomes: return judge(result)
        case .turn, .steer, .interrupt, .find: return finish(purpose, result)
        }
    }

    /// The server refuses one of our calls.
    mutating func refuse(_ purpose: Purpose, _ message: String) -> [Effect] {
        switch purpose {
        case .initialize, .loaded: return pause(.noThread)
        case .read(let thread):
            unread.remove(ByteName(thread))
            return unread.isEmpty ? choose() : []
        case .look: return leave()
        case .resume(let thread):
            // Before its first prompt a conversation cannot be joined, and can be read.
            status.thread = thread
            return call(.readThread(thread), .look(thread))
        case .settle: return settle(.null)
        case .outcomes: return judge(.null)
        case .turn, .steer, .interrupt, .find:
            guard let ticket = purpose.ticket else { return [] }
            return [.end(ticket: ticket, .failed(.serverFailed, "Codex's server refused: \(message)"))]
        }
    }

    // MARK: Looking

    private mutating func list(_ result: JSONValue) -> [Effect] {
        let before = loaded.count
        for entry in result["data"]?.array ?? [] {
            guard let thread = CodexName.read(entry), loaded.count < Self.threadLimit else {
                status.ignoredMessages += 1
                continue
            }
            guard unread.insert(ByteName(thread)).inserted else { continue }
            loaded.append(thread)
        }
        if let cursor = CodexName.read(result["nextCursor"]), loaded.count > before {
            return call(.loadedThreads(cursor: cursor), .loaded)
        }
        if let wanted = choice.id {
            unread = []
            if loaded.contains(where: { CodexName.isSame($0, wanted) }) {
                return call(.resume(wanted), .resume(wanted))
            }
            return leave()
        }
        // All of them, also if one was joined before: its terminal may show another one by now.
        return loaded.isEmpty ? choose() : loaded.flatMap { call(.readThread($0), .read($0)) }
    }

    private mutating func read(_ result: JSONValue, of message: JSONValue, _ asked: String) -> [Effect] {
        guard let thread = CodexThread(result["thread"]), CodexName.isSame(thread.id, asked) else {
            return unread.isEmpty ? choose() : []
        }
        if case .folder(let folder) = choice, CodexName.isSame(thread.folder, folder) { found.append(thread) }
        return unread.isEmpty ? choose() : []
    }

    /// The look at a conversation that cannot be joined yet is all that is known of it.
    private mutating func look(_ result: JSONValue, of message: JSONValue, _ asked: String) -> [Effect] {
        guard let thread = CodexThread(result["thread"]), CodexName.isSame(thread.id, asked) else { return leave() }
        return [.tell(message)] + pause(.unbegun)
    }

    private mutating func choose() -> [Effect] {
        defer { found = [] }
        switch found.count {
        case 0: return leave()
        case 1:
            let thread = found[0].id
            let isOther = status.thread.map { !CodexName.isSame($0, thread) } ?? false
            let effects = isOther ? drop() : []
            status.candidates = []
            status.thread = thread
            return effects + call(.resume(thread), .resume(thread))
        default: return doubt(found)
        }
    }

    /// Several conversations are in the folder, and nothing tells which of them a terminal shows: a prompt into another
    /// one would be read by nobody.
    mutating func doubt(_ threads: [CodexThread]) -> [Effect] {
        let effects = drop()
        status.candidates = threads
        status.phase = .severalThreads
        return effects
    }

    /// Tries again after a while.
    mutating func pause(_ phase: CodexStatus.Phase) -> [Effect] {
        status.phase = phase
        // One at a time, or a server that tells much would have it looked for more and more often.
        guard !isPaused else { return [] }
        isPaused = true
        return [.wake(.search, connection: connection, after: Self.searchInterval)]
    }

    /// The conversation is not there any more.
    mutating func leave() -> [Effect] {
        let effects = drop()
        status.candidates = []
        return effects + pause(.noThread)
    }

    private mutating func drop() -> [Effect] {
        let wasKnown = status.thread != nil
        status.turn = nil
        status.thread = nil
        open = []
        let over = pending.map(\.ticket)
        return over.flatMap { end($0, .given) } + (wasKnown ? [.tellLost] : [])
    }

    // MARK: Joining

    /// Whether a conversation's state says that a request stands.
    static func isWaiting(_ status: JSONValue?) -> Bool { status?["activeFlags"]?.array?.isEmpty == false }

    private mutating func join(_ result: JSONValue, of message: JSONValue, _ asked: String) -> [Effect] {
        guard let thread = CodexThread(result["thread"]), CodexName.isSame(thread.id, asked) else {
            status.ignoredMessages += 1
            return leave()
        }
        status.thread = thread.id
        if mustLookAgain {
            mustLookAgain = false
            return [.tell(message)] + search()
        }
        status.phase = .joined
        isWaiting = Self.isWaiting(result["thread"]?["status"])
        return [.tell(message)] + call(.turns(thread.id, limit: 1, isFull: false), .settle)
    }

    /// The first look after a join. The server delivers the requests that stand right after the join's answer, and
    /// answers calls in any order: while it says that one stands, none is taken for gone before its time.
    private mutating func settle(_ result: JSONValue) -> [Effect] {
        if !isTurnTold, let turn = result["data"]?.array?.first, let id = CodexName.read(turn["id"]) {
            status.turn = turn["status"]?.text == "inProgress" ? id : nil
        }
        let isComplete =
            open.allSatisfy(\.isFresh)
            && pending.allSatisfy { answer in
                open.contains { $0.binding == answer.binding }
            }
        guard isWaiting, !isComplete else { return conclude() }
        return [.wake(.conclude, connection: connection, after: Self.settling)]
    }

    /// What was not delivered again is over.
    mutating func conclude() -> [Effect] {
        open.removeAll { !$0.isFresh }
        let isMissing = pending.indices.filter { index in
            !open.contains { $0.binding == pending[index].binding }
        }
        guard !isMissing.isEmpty, let thread = status.thread else { return [] }
        for index in isMissing { pending[index].isOver = true }
        return call(.turns(thread, limit: 3, isFull: true), .outcomes)
    }
}

extension CodexThread.Choice {
    /// The conversation's id, if that is what is chosen by.
    var id: String? {
        switch self {
        case .id(let id): id
        case .folder: nil
        }
    }
}

extension CodexMachine.Purpose {
    /// Whether it belongs to a look for the conversation.
    var isSearch: Bool {
        switch self {
        case .initialize, .loaded, .read, .look, .resume: true
        case .settle, .outcomes, .turn, .steer, .interrupt, .find: false
        }
    }
}

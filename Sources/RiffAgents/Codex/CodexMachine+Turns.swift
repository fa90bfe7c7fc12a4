// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension CodexMachine {
    /// A call of the front end about turns.
    package enum Request: Sendable, Hashable {
        /// A prompt; one that comes while a turn runs becomes a part of it.
        case start(text: String, id: String)
        /// A prompt for the turn that runs, if it is this one.
        case steer(turn: String, text: String, id: String)
        case interrupt
        /// The turn that a prompt with this id is in.
        case find(id: String)
    }

    /// Makes a call of the front end.
    ///
    /// - Returns: What to do. A call that cannot be made ends its ticket at once, and then nothing was sent.
    package mutating func request(_ request: Request, ticket: UInt64) -> [Effect] {
        func refuse(_ code: AgentErrorCode, _ text: String) -> [Effect] { [.end(ticket: ticket, .failed(code, text))] }
        guard isConnected else { return refuse(.notConnected, "Codex's server is not connected. Nothing was sent.") }
        guard let thread = status.thread, status.phase == .joined || status.phase == .unbegun else {
            let text =
                status.phase == .severalThreads
                ? "Several conversations are in the folder; choose one by its id. Nothing was sent."
                : "The conversation is not loaded in Codex's server. Nothing was sent."
            return refuse(.noThread, text)
        }
        guard hasRoom else { return refuse(.serverFailed, "Too many calls wait for Codex's server. Nothing was sent.") }
        switch request {
        case .start(let text, let id):
            let running = status.turn
            return call(.startTurn(thread, text: text, id: id), .turn(ticket: ticket, running: running))
        case .steer(let turn, let text, let id):
            return call(.steer(thread, turn: turn, text: text, id: id), .steer(ticket: ticket))
        case .interrupt:
            guard let turn = status.turn else { return refuse(.noTurn, "No turn runs that could be interrupted.") }
            return call(.interrupt(thread, turn: turn), .interrupt(ticket: ticket))
        case .find(let id):
            return call(.turns(thread, limit: 20, isFull: true), .find(ticket: ticket, prompt: id))
        }
    }

    /// The answer to a call of the front end.
    mutating func finish(_ purpose: Purpose, _ result: JSONValue) -> [Effect] {
        switch purpose {
        case .turn(let ticket, let running):
            guard let turn = CodexName.read(result["turn"]?["id"]) else { return fail(ticket) }
            let isSteered = running.map { CodexName.isSame($0, turn) } ?? false
            let effects: [Effect] = [.end(ticket: ticket, .turn(turn, isSteered: isSteered))]
            // With its first prompt the conversation can be joined.
            return effects + (isSearching ? search() : [])
        case .steer(let ticket):
            guard let turn = CodexName.read(result["turnId"]) else { return fail(ticket) }
            return [.end(ticket: ticket, .turn(turn, isSteered: true))]
        case .interrupt(let ticket): return [.end(ticket: ticket, .done)]
        case .find(let ticket, let prompt):
            guard let turns = result["data"]?.array else { return fail(ticket) }
            let turn = turns.first { turn in
                (turn["items"]?.array ?? []).contains { item in
                    item["type"]?.text == "userMessage"
                        && CodexName.read(item["clientId"]).map { CodexName.isSame($0, prompt) } ?? false
                }
            }
            return [.end(ticket: ticket, .found(CodexName.read(turn?["id"])))]
        default: return []
        }
    }

    private func fail(_ ticket: UInt64) -> [Effect] {
        [.end(ticket: ticket, .failed(.serverFailed, "Codex's server answered something that makes no sense."))]
    }

    /// A conversation began: perhaps the one that is looked for, perhaps one that takes the terminal of the one that is
    /// known.
    private mutating func begin(_ thread: CodexThread?) -> [Effect] {
        if let thread, let known = status.thread, case .folder(let folder) = choice,
            CodexName.isSame(thread.folder, folder), !CodexName.isSame(thread.id, known)
        {
            // The known one may have been closed for it: all are looked at.
            guard !calls.values.contains(where: \.isSearch) else {
                mustLookAgain = true
                return []
            }
            status.phase = .finding
            return search()
        }
        return isSearching ? search() : []
    }

    /// The server tells something.
    mutating func note(_ message: JSONValue, _ method: String, _ parameters: JSONValue) -> [Effect] {
        if method == "thread/started" { return begin(CodexThread(parameters["thread"])) }
        guard let thread = status.thread, let id = CodexName.read(parameters["threadId"]),
            CodexName.isSame(id, thread)
        else { return [] }
        switch method {
        case "turn/started":
            guard let turn = CodexName.read(parameters["turn"]?["id"]) else { return ignore() }
            isTurnTold = true
            status.turn = turn
            return [.tell(message)]
        case "turn/completed":
            guard let turn = CodexName.read(parameters["turn"]?["id"]) else { return ignore() }
            isTurnTold = true
            if let running = status.turn, CodexName.isSame(running, turn) { status.turn = nil }
            return [.tell(message)] + complete(turn: turn)
        case "item/started":
            guard parameters["item"]?["type"]?.text == "fileChange" else { return [] }
            _ = reader.read(message, by: facts)
            return [.tell(message)]
        case "item/completed": return complete(parameters["item"], turn: parameters["turnId"])
        case "serverRequest/resolved": return [.tell(message)] + resolve(parameters["requestId"])
        case "thread/closed": return leave()
        case "thread/status/changed":
            if parameters["status"]?["type"]?.text == "notLoaded" { return leave() }
            return [.tell(message)] + (isSearching ? search() : [])
        default: return []
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The client's side of Codex's app-server without I/O: finds a conversation, joins it, keeps its questions and the
/// answers to them over any number of lost connections, and gives prompts.
///
/// An answer belongs to one call of one turn. It is sent at most once over a connection, and over the next one only if
/// the server asks the same again: then the one before did not arrive.
package struct CodexMachine: Sendable {
    /// An event of the machine.
    package enum Event: Sendable {
        /// A connection stands.
        case opened
        /// A message came over it.
        case message(JSONValue)
        /// It was lost; the reason is a sentence.
        case lost(String)
        /// A time has passed that the machine had asked for, in this connection.
        case wake(Timer, connection: Int)
    }

    /// A time that the machine waits for.
    package enum Timer: Sendable, Hashable {
        /// To look for the conversation again.
        case search
        /// For the requests that stand to be delivered after a join.
        case conclude
        /// For the call of an answer to tell how it went.
        case settle(ticket: UInt64)
    }

    /// An effect of the machine.
    package enum Effect: Sendable, Hashable {
        case send([UInt8])
        /// Show a message to whoever watches the agent.
        case tell(JSONValue)
        /// Say to it that what was told is void.
        case tellLost
        case wake(Timer, connection: Int, after: Duration)
        /// End a call of the front end.
        case end(ticket: UInt64, Outcome)
    }

    /// The end of a call of the front end.
    package enum Outcome: Sendable, Hashable {
        case answered(QuestionAnswerResult)
        /// A prompt was taken: the turn, and whether that one ran already.
        case turn(String, isSteered: Bool)
        /// The turn that has a prompt; `nil` if none has.
        case found(String?)
        case done
        case failed(AgentErrorCode, String)
    }

    /// A call that waits for its answer.
    enum Purpose: Sendable, Hashable {
        case initialize
        case loaded
        case read(String)
        /// A look at the conversation itself, which cannot be joined.
        case look(String)
        case resume(String)
        /// The first look after a join: with its answer all open requests are there.
        case settle
        /// A look at what became of calls.
        case outcomes
        case turn(ticket: UInt64, running: String?)
        case steer(ticket: UInt64)
        case interrupt(ticket: UInt64)
        case find(ticket: UInt64, prompt: String)

        var ticket: UInt64? {
            switch self {
            case .turn(let ticket, _), .steer(let ticket), .interrupt(let ticket), .find(let ticket, _): ticket
            case .initialize, .loaded, .read, .look, .resume, .settle, .outcomes: nil
            }
        }
    }

    /// A request of the server's that stands.
    struct Open: Sendable, Hashable {
        var id: JSONValue
        let method: String
        let parameters: JSONValue
        let question: AgentQuestion
        let binding: AgentQuestion.Binding
        /// Whether it was delivered over this connection.
        var isFresh = true
    }

    /// An answer on its way.
    struct Pending: Sendable, Hashable {
        let ticket: UInt64
        let binding: AgentQuestion.Binding
        let answer: QuestionAnswer
        let result: JSONValue
        /// Whether it was sent over this connection.
        var isSent = false
        /// Whether the request is over, and only its outcome is waited for.
        var isOver = false
    }

    /// The most requests, answers and calls that are kept, each.
    static let limit = 64
    /// The most conversations that are looked at: Codex keeps one for each title that it made.
    static let threadLimit = 512
    /// The pause between two looks for the conversation.
    package static let searchInterval = Duration.seconds(2)
    /// How long a call may take to tell how it went: a denied one tells at once, an allowed one once it is through.
    package static let settling = Duration.seconds(2)

    let choice: CodexThread.Choice
    let facts: AgentFacts
    /// The status that the front end sees.
    package internal(set) var status = CodexStatus()
    /// The number of the connection; what an earlier one had asked for is void.
    package internal(set) var connection = 0
    var isConnected = false
    var calls: [Int64: Purpose] = [:]
    private var lastCall: Int64 = 0
    var unread: Set<ByteName> = []
    var found: [CodexThread] = []
    var loaded: [String] = []
    var reader = ThreadReader()
    var open: [Open] = []
    var pending: [Pending] = []
    /// Whether this connection has told which turn runs.
    var isTurnTold = false
    /// Whether another conversation began in the folder while it was looked for.
    var mustLookAgain = false
    /// Whether a look for the conversation is due.
    var isPaused = false
    /// Whether the conversation's state at its join says that a request stands.
    var isWaiting = false

    /// Creates a machine without a connection.
    package init(_ choice: CodexThread.Choice, facts: AgentFacts = .builtIn(.codex)) {
        self.choice = choice
        self.facts = facts
    }

    /// Takes an event.
    ///
    /// - Returns: What to do, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        let effects: [Effect]
        switch event {
        case .opened:
            connection += 1
            isConnected = true
            isTurnTold = false
            isPaused = false
            mustLookAgain = false
            status.phase = .finding
            effects = call(.initialize, .initialize)
        case .message(let json): effects = isConnected ? take(json) : []
        case .lost(let reason): effects = lose(reason)
        case .wake(let timer, let number):
            guard number == connection, isConnected else { return [] }
            effects = wake(timer)
        }
        status.questions = open.map(\.question)
        return effects
    }

    /// Makes a call, and notes what its answer is for.
    mutating func call(_ call: CodexCall, _ purpose: Purpose) -> [Effect] {
        lastCall += 1
        calls[lastCall] = purpose
        return [.send(call.bytes(id: lastCall))]
    }

    /// Whether one more call of the front end is taken.
    var hasRoom: Bool { calls.values.count { $0.ticket != nil } + pending.count < Self.limit }

    /// The front end does not wait for a call any more. What was sent stays sent.
    package mutating func forget(_ ticket: UInt64) {
        pending.removeAll { $0.ticket == ticket }
        calls = calls.filter { $0.value.ticket != ticket }
    }

    private mutating func take(_ json: JSONValue) -> [Effect] {
        switch CodexMessage(json) {
        case .result(let id, let result):
            guard let purpose = calls.removeValue(forKey: id) else { return ignore() }
            return take(result, of: json, purpose)
        case .refusal(let id, _, let message):
            guard let purpose = calls.removeValue(forKey: id) else { return ignore() }
            return refuse(purpose, message)
        case .request(let id, let method, let parameters): return ask(json, id, method, parameters)
        case .notification(let method, let parameters): return note(json, method, parameters)
        case .malformed: return ignore()
        }
    }

    mutating func ignore() -> [Effect] {
        status.ignoredMessages += 1
        return []
    }

    private mutating func wake(_ timer: Timer) -> [Effect] {
        switch timer {
        case .search:
            isPaused = false
            return isSearching ? search() : []
        case .conclude: return conclude()
        case .settle(let ticket): return end(ticket, .given)
        }
    }

    private mutating func lose(_ reason: String) -> [Effect] {
        guard isConnected else {
            status.phase = .connecting(reason)
            return []
        }
        isConnected = false
        let tickets = calls.values.compactMap(\.ticket).sorted()
        calls = [:]
        unread = []
        found = []
        loaded = []
        status.phase = .connecting(reason)
        status.turn = nil
        for index in open.indices { open[index].isFresh = false }
        for index in pending.indices { pending[index].isSent = false }
        let text = "The connection to Codex's server was lost before its answer; what was asked may have been done."
        return tickets.map { .end(ticket: $0, .failed(.serverLost, text)) } + [.tellLost]
    }
}

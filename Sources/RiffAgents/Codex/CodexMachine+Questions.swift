// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension CodexMachine {
    /// Gives an answer to a question that stands.
    ///
    /// - Returns: What to do. An answer that cannot be given ends its ticket at once.
    package mutating func answer(_ question: AgentQuestion, with answer: QuestionAnswer, ticket: UInt64) -> [Effect] {
        func refuse(_ code: AgentErrorCode, _ text: String) -> [Effect] { [.end(ticket: ticket, .failed(code, text))] }
        let standing = open.first { $0.question.id == question.id && $0.binding == question.binding }
        guard let standing, question.binding != nil else {
            guard isConnected, status.phase == .joined else {
                return refuse(.notConnected, "Codex's server is not connected, and the question is not known.")
            }
            return refuse(.questionGone, "The question “\(question.summary)” is over. Nothing was answered.")
        }
        guard hasRoom, !pending.contains(where: { $0.binding == standing.binding }) else {
            return refuse(.alreadyAnswered, "The question “\(question.summary)” has an answer already.")
        }
        guard let result = CodexAnswer.result(answer, to: standing.method, standing.parameters) else {
            return refuse(.notAnswerable, "Codex does not take this answer to “\(question.summary)”.")
        }
        pending.append(Pending(ticket: ticket, binding: standing.binding, answer: answer, result: result))
        return deliver(standing)
    }

    /// Sends the answer to a request, if there is one and the request stands in this connection.
    private mutating func deliver(_ request: Open) -> [Effect] {
        guard isConnected, request.isFresh,
            let index = pending.firstIndex(where: { $0.binding == request.binding }),
            !pending[index].isSent, !pending[index].isOver
        else { return [] }
        pending[index].isSent = true
        return [.send(CodexCall.answer(to: request.id, pending[index].result))]
    }

    /// The server asks.
    mutating func ask(_ message: JSONValue, _ id: JSONValue, _ method: String, _ parameters: JSONValue) -> [Effect] {
        guard facts.requests[ByteName(method)] != nil else { return ignore() }
        guard let binding = ThreadReader.binding(of: parameters) else { return ignore() }
        guard let thread = status.thread, CodexName.isSame(binding.session, thread) else { return [] }
        if let index = open.firstIndex(where: { $0.binding == binding && $0.method == method }) {
            open[index].id = id
            let wasFresh = open[index].isFresh
            open[index].isFresh = true
            return (wasFresh ? [] : [.tell(message)]) + deliver(open[index])
        }
        let told = reader.read(message, by: facts).lazy.compactMap { fact -> AgentQuestion? in
            guard case .waiting(let question) = fact else { return nil }
            return question
        }.first
        guard let told, open.count < Self.limit else { return ignore() }
        let request = Open(id: id, method: method, parameters: parameters, question: told, binding: binding)
        open.append(request)
        return [.tell(message)] + deliver(request)
    }

    /// A request is over, by whose answer ever.
    mutating func resolve(_ request: JSONValue?) -> [Effect] {
        guard let name = CodexName.request(request),
            let index = open.firstIndex(where: { $0.isFresh && CodexName.request($0.id) == name })
        else { return [] }
        let binding = open.remove(at: index).binding
        guard let answer = pending.firstIndex(where: { $0.binding == binding }) else { return [] }
        pending[answer].isOver = true
        let ticket = pending[answer].ticket
        // Nothing tells how an answer of words went.
        if case .choose = pending[answer].answer { return end(ticket, .given) }
        return [.wake(.settle(ticket: ticket), connection: connection, after: Self.settling)]
    }

    /// A call is through: that tells whose answer counted.
    mutating func complete(_ item: JSONValue?, turn: JSONValue?) -> [Effect] {
        guard let call = CodexName.read(item?["id"]), let turn = CodexName.read(turn) else { return [] }
        return pending.filter { CodexName.isSame($0.binding.call, call) && CodexName.isSame($0.binding.turn, turn) }
            .flatMap { end($0.ticket, Self.outcome(of: $0.answer, item?["status"]?.text)) }
    }

    /// A turn is over, and so are its questions.
    mutating func complete(turn: String) -> [Effect] {
        open.removeAll { CodexName.isSame($0.binding.turn, turn) }
        return pending.filter { CodexName.isSame($0.binding.turn, turn) }.flatMap { end($0.ticket, .given) }
    }

    /// The newest turns with all their calls, for the answers whose requests are over.
    mutating func judge(_ result: JSONValue) -> [Effect] {
        let turns = result["data"]?.array ?? []
        return pending.filter(\.isOver).flatMap { answer -> [Effect] in
            let turn = turns.first { CodexName.read($0["id"]).map { $0 == answer.binding.turn } ?? false }
            let item = turn?["items"]?.array?.first { $0["id"]?.text == answer.binding.call }
            return end(answer.ticket, Self.outcome(of: answer.answer, item?["status"]?.text))
        }
    }

    mutating func end(_ ticket: UInt64, _ result: QuestionAnswerResult) -> [Effect] {
        guard pending.contains(where: { $0.ticket == ticket }) else { return [] }
        pending.removeAll { $0.ticket == ticket }
        return [.end(ticket: ticket, .answered(result))]
    }

    /// Whether a call did what an answer says.
    static func outcome(of answer: QuestionAnswer, _ status: String?) -> QuestionAnswerResult {
        switch (answer, status) {
        case (.allow, "completed"), (.allow, "failed"), (.deny, "declined"), (.cancel, "declined"): .taken
        case (.allow, "declined"), (.deny, "completed"), (.deny, "failed"), (.cancel, "completed"), (.cancel, "failed"):
            .overruled
        default: .given
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import RiffCore
internal import Synchronization

/// One side of a connection, client or agent: asks and answers, and hands on what comes in its order.
///
/// One task reads and classifies, one hands on, one sends, one keeps standard error, one the deadlines. None of them
/// ever waits for a handler of a request: each runs in a task of its own.
final class ACPPeer: Sendable {
    /// The actions that a side takes on incoming messages.
    struct Role: Sendable {
        /// Requests that are handed on behind the updates that came before them; others are answered at once.
        var orderedRequests: Set<String> = []
        /// Own requests whose answer is handed on behind the updates that came before it.
        var orderedAnswers: Set<String> = []
        /// An update or another notification, in order; the next one waits for its return.
        var notify: @Sendable (InboundEvent) async -> Void
        /// A turn of another client of the same agent.
        var otherTurn: @Sendable (OtherTurn, OtherTurn.State) async -> Void = { _, _ in }
        /// Answers a request.
        var answer: @Sendable (InboundRequests.Inbound) async throws -> JSONValue
        /// The answer to a request that was cancelled.
        var cancelledAnswer: @Sendable (InboundRequests.Inbound) -> Result<JSONValue, ACP.RPCError> = { _ in
            .failure(.cancelled)
        }
    }

    let name: String
    let outbox = Outbox()
    let pending: PendingRequests
    let inbound: InboundRequests
    let events: EventQueue
    let deadlines: DeadlineKeeper
    let otherTurns = Mutex(OtherTurns())
    let diagnostics = TextRing()
    /// Lines that were no messages.
    let noise = TextRing()
    /// Told when the connection has ended, with the reason.
    let ended = EventualValue<any Error>()

    let channel: any ACPChannel
    /// The channel, where other clients use it, too.
    let shared: (any SharedAgentChannel)?
    let clock: any Clock<Duration>
    let logger: Logger
    let isClosing = EventualValue<Void>()
    /// Sees every line.
    let wireObserver: (@Sendable (ACPClient.WireDirection, ArraySlice<UInt8>) -> Void)?

    init(
        name: String,
        channel: any ACPChannel,
        bufferedBytes: Int,
        inboundLimit: Int = 256,
        clock: any Clock<Duration>,
        logger: Logger,
        wireObserver: (@Sendable (ACPClient.WireDirection, ArraySlice<UInt8>) -> Void)? = nil
    ) {
        self.wireObserver = wireObserver
        self.name = name
        self.channel = channel
        shared = channel as? any SharedAgentChannel
        pending = PendingRequests(prefix: shared?.clientID)
        self.clock = clock
        self.logger = logger
        inbound = InboundRequests(limit: inboundLimit)
        events = EventQueue(limit: bufferedBytes)
        deadlines = DeadlineKeeper(clock)
    }

    // MARK: Asking

    /// Asks, and waits for the answer.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - params: Its parameters.
    ///   - deadline: How long that may take; `nil` waits for ever.
    ///   - isOrdered: Whether the answer waits until everything that came before it was handed on.
    /// - Returns: The result.
    /// - Throws: `answeredWithError`, `timeout`, what ended the connection; `CancellationError`, and then the other
    /// side is
    ///   told that nobody wants the answer any more.
    func request(
        _ method: String,
        _ params: JSONValue,
        deadline: Duration?,
        isOrdered: Bool = false
    ) async throws -> JSONValue {
        let question = try pending.begin(method, isOrdered: isOrdered)
        if !isOrdered { events.wakeReader() }
        if let deadline { deadlines.watch(question, for: deadline) }
        post(.request(question.requestID, method: method, params: params))
        do {
            return try await question.answer.cancellableValue().get()
        } catch let error as ACP.RPCError {
            throw failure(of: method, answered: error)
        } catch is DeadlineExceeded {
            giveUp(question)
            throw ACPError(.timeout, "\(name) did not answer \(method) within \(deadline ?? .zero).", recovery: .retry)
        } catch is CancellationError {
            giveUp(question)
            throw CancellationError()
        }
    }

    private func giveUp(_ question: PendingRequests.Pending) {
        guard pending.abandon(question) else { return }
        let notification = ACP.CancelRequestNotification(requestID: question.requestID)
        notify(ACP.CancelRequestNotification.method, notification.json)
    }

    func failure(of method: String, answered error: ACP.RPCError) -> ACPError {
        let hint = ACPErrorHint.classify(answer: error, words: diagnostics.lines.suffix(10).joined(separator: "\n"))
        let words = InertText.line(error.message)
        return ACPError(
            .answeredWithError,
            "\(name) answered \(method) with error \(error.code): \(words)\(hint.map { " (\($0.text))" } ?? "")",
            answer: error,
            hint: hint
        )
    }

    /// Tells the other side something.
    func notify(_ method: String, _ params: JSONValue) {
        post(.notification(method: method, params: params))
    }

    /// Sends a message behind those that were posted before.
    func post(_ message: ACPMessage) {
        let line = message.line
        wireObserver?(.sent, line.dropLast())
        outbox.post(line)
    }

    // MARK: Answering

    /// Answers a question, unless it was answered.
    func answer(_ inbound: InboundRequests.Inbound, _ result: Result<JSONValue, ACP.RPCError>) {
        guard self.inbound.finish(inbound) else { return }
        post(.response(inbound.id, result))
    }

    /// Runs the handler of a question, and answers it. A cancelled question is answered at once, not when its handler
    /// has noticed.
    func handle(_ inbound: InboundRequests.Inbound, _ role: Role) async {
        await withTaskGroup { group in
            group.addTask {
                do { self.answer(inbound, .success(try await role.answer(inbound))) } catch is LeftToOthers {
                    _ = self.inbound.finish(inbound)
                } catch {
                    self.answer(inbound, .failure(.answering(error)))
                }
            }
            group.addTask {
                // Ended without a value when the handler was quicker.
                guard (try? await inbound.cancelled.cancellableValue()) != nil else { return }
                self.answer(inbound, role.cancelledAnswer(inbound))
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Cancels open questions: they are answered as such, and their handlers' tasks cancelled.
    func cancelInbound(where matches: (InboundRequests.Inbound) -> Bool, _ role: Role) {
        for inbound in inbound.open(where: matches) {
            answer(inbound, role.cancelledAnswer(inbound))
            inbound.cancelled.resolve(())
        }
    }

    /// Lets go of open questions that are not this side's to answer any more; their handlers' tasks are cancelled.
    func withdraw(where matches: (InboundRequests.Inbound) -> Bool) {
        for inbound in inbound.open(where: matches) where self.inbound.finish(inbound) { inbound.cancelled.resolve(()) }
    }
}

/// A question that another client of the same agent answers.
struct LeftToOthers: Error {}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
internal import RiffCore
internal import RiffTransport

// sample: head: HTTPResponse, body: ByteStream
/// Reads the answer to a chat request: the response's head and the bytes of its body in, split anywhere; pieces of the
/// reply out, and at the end an outcome.
///
/// It takes what gateways really send: an event stream, also under another content type; one JSON object, also where a
/// stream was asked for; an error in any of these, also after half of the reply.
///
/// ```swift
/// var reader = ChatReplyReader(head)
/// var deltas: [ChatDelta] = []
/// for try await bytes in body where !reader.isOver { reader.feed(bytes, into: &deltas) }
/// switch reader.end(into: &deltas) {
/// case .complete(let reply): print(reply.content)
/// case .truncated(let reply, let error), .failed(let reply, let error): print(reply.content, error)
/// }
/// ```
///
/// A request whose answer began is never sent again by itself: the model may have acted already.
public struct ChatReplyReader: Sendable {
    /// The sizes that an answer may reach.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of one event of the stream.
        public var eventBytes: Int
        /// The most bytes of a reply: its texts and calls, or its body where it is not a stream.
        public var replyBytes: Int

        /// Limits; 64 MiB for each unless said otherwise.
        public init(eventBytes: Int = 64 << 20, replyBytes: Int = 64 << 20) {
            self.eventBytes = eventBytes
            self.replyBytes = replyBytes
        }
    }

    private enum Form { case undecided, events, document }

    /// The number of bytes kept of a body that is no stream, to be shown to a person who looks for the fault.
    private static let excerptBytes = 1024

    private let head: HTTPResponse
    /// The request, for messages.
    var request: HTTPRequest?
    private let limits: Limits
    private let isEventStream: Bool
    private var form: Form
    private var parser: ServerSentEventParser
    private var outputs: [ServerSentEventParser.Output] = []
    private var accumulator: ChatAccumulator
    /// The body of a document; of a stream its beginning, until it is known to be one.
    private var body: [UInt8] = []
    private var isDone = false
    private var failure: GatewayError?

    /// Whether anything came that belongs to a stream, comments included.
    package private(set) var isAlive = false

    /// A reader at the beginning of an answer's body.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - limits: How large the answer may become.
    ///   - separatesThinking: Whether thoughts that a model writes between `<think>` and `</think>` before its answer
    ///     are a part of its reasoning; without it they are a part of the answer, as they came.
    public init(_ head: HTTPResponse, limits: Limits = Limits(), separatesThinking: Bool = false) {
        accumulator = ChatAccumulator(separatesThinking: separatesThinking)
        self.head = head
        self.limits = limits
        isEventStream = head.mediaType == "text/event-stream"
        form = head.status.kind == .successful ? .undecided : .document
        let bytes = limits.eventBytes
        parser = ServerSentEventParser(limits: .init(lineBytes: bytes, eventBytes: bytes), readsErrors: true)
    }

    /// Whether a piece of the reply came: until then, a gateway may send comments for as long as the request waits.
    package var hasBegun: Bool { accumulator.hasBegun }

    /// Whether the rest of the body does not matter any more, so that the connection can be closed.
    public var isOver: Bool { isDone || failure != nil }

    /// The reply as far as it came.
    package var partial: ChatReply { accumulator.partial }

    /// Takes bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes, split anywhere.
    ///   - deltas: What is new in the reply is added here.
    public mutating func feed(_ bytes: [UInt8], into deltas: inout [ChatDelta]) {
        bytes.withUnsafeBytes { feed($0, into: &deltas) }
    }

    /// Takes bytes of the body; see the other form.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer, into deltas: inout [ChatDelta]) {
        guard !isOver else { return }
        var start = 0
        // White space and a byte order mark say nothing in either form.
        if form == .undecided, let place = bytes.firstIndex(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) {
            decide(bytes[place])
            start = place
        }
        if form == .document {
            keep(bytes[start...], limit: isSuccess ? limits.replyBytes : GatewayError.payloadBytes)
        } else {
            read(bytes, from: start, into: &deltas)
        }
    }

    /// Ends the answer.
    ///
    /// - Parameters:
    ///   - cause: What broke the connection off, or why nobody waits any longer; `nil` where the body just ended.
    ///   - deltas: What is new in the reply is added here.
    /// - Returns: The outcome.
    public mutating func end(_ cause: (any Error)? = nil, into deltas: inout [ChatDelta]) -> ChatOutcome {
        if !isSuccess {
            failure = GatewayError(refusal: head, body: body, to: request)
        } else if !isOver, form != .document, let words = parser.unfinishedError {
            body = []
            take(words, isError: true, into: &deltas)
        } else if !isOver, !body.isEmpty {
            readBody(cause, into: &deltas)
        }
        accumulator.endThinking(into: &deltas)
        if let failure { return .failed(partial, failure) }
        guard accumulator.hasBegun, isDone || accumulator.isFinished else {
            return .truncated(partial, .chatTruncated(cause))
        }
        return .complete(accumulator.finish(into: &deltas))
    }

    private var isSuccess: Bool { head.status.kind == .successful }

    // MARK: A document

    private mutating func decide(_ first: UInt8) {
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): form = .document
        case UInt8(ascii: "<"): form = isEventStream ? .events : .document
        default: form = .events
        }
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>, limit: Int) {
        let room = limit - body.count
        body.append(contentsOf: bytes.prefix(room))
        // Of what is no reply the beginning is enough.
        if bytes.count > room, isSuccess, form == .document { failure = .chatTooLarge(limit) }
    }

    /// Reads a body that is not a stream, once all of it is there.
    private mutating func readBody(_ cause: (any Error)?, into deltas: inout [ChatDelta]) {
        let text = String(decoding: body, as: UTF8.self)
        guard form == .document, text.first != "<" else {
            if !Self.isBeginningOfStream(text) { failure = .notChat(text) }
            return
        }
        take(text, isError: false, into: &deltas)
        isDone = failure == nil
        if failure?.code == .chatMalformed, cause != nil {
            // A part of a reply, though one that cannot be read.
            failure = nil
        } else if failure == nil, !accumulator.hasBegun {
            failure = .notChat(text)
        }
    }

    // MARK: A stream

    /// Whether a body that has not come to its first event may be on the way to it.
    private static func isBeginningOfStream(_ text: String) -> Bool {
        ["data:", "event:", "id:", "retry:", "error:", ":"].contains {
            text.utf8.starts(with: $0.utf8) || $0.utf8.starts(with: text.utf8)
        }
    }

    /// Takes bytes of a stream, of which those before a place say nothing.
    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        into deltas: inout [ChatDelta]
    ) {
        outputs.removeAll(keepingCapacity: true)
        var overflow: TransportError?
        do throws(TransportError) { try parser.feed(bytes, into: &outputs) } catch { overflow = error }
        if !outputs.isEmpty {
            isAlive = true
            body = []
        } else if form == .events, !isAlive, !isEventStream {
            keep(bytes[start...], limit: Self.excerptBytes)
        }
        // Taken out, so that they are not copied while the reader changes.
        let outputs = exchange(&self.outputs, with: [])
        for case .event(let event) in outputs where !isOver { take(event, into: &deltas) }
        self.outputs = outputs
        if let overflow, !isOver { failure = .chatTooLarge(limits.eventBytes, cause: overflow) }
    }

    private mutating func take(_ event: ServerSentEvent, into deltas: inout [ChatDelta]) {
        // An event without data keeps the connection open for some.
        guard let first = event.data.utf8.firstIndex(where: { !$0.isSpace }) else { return }
        let words = event.data.utf8[first...]
        // Proxies wrap the comments of what is behind them: a sign of life, and no JSON begins so.
        if words.first == UInt8(ascii: ":") { return }
        if words.first == UInt8(ascii: "["), words.starts(with: "[DONE]".utf8),
            words.dropFirst(6).allSatisfy(\.isSpace)
        {
            isDone = true
        } else {
            take(event.data, isError: event.type == "error", into: &deltas)
        }
    }

    // MARK: Both

    /// Takes one object.
    ///
    /// - Parameters:
    ///   - payload: The object, as it came.
    ///   - isError: Whether the stream says that it is an error.
    ///   - deltas: What is new in the reply is added here.
    private mutating func take(_ payload: String, isError: Bool, into deltas: inout [ChatDelta]) {
        let chunk: ChatChunk
        do throws(CoreError) { chunk = try ChatChunk(parsing: payload, named: accumulator.isNamed) } catch {
            if let problem = Self.problem(in: payload, isError: isError) {
                failure = .chatFailed(problem, payload: payload)
            } else {
                failure = .chatMalformed(payload, cause: error)
            }
            return
        }
        accumulator.append(chunk, source: payload, into: &deltas)
        if let problem = chunk.problem {
            failure = .chatFailed(problem, payload: payload)
        } else if isError || (chunk.mayBeError && !chunk.isReply),
            let problem = Self.problem(in: payload, isError: isError)
        {
            failure = .chatFailed(problem, payload: payload)
        } else if chunk.choices.contains(where: { $0.finishReason == .error }) {
            failure = .chatFailed(GatewayProblem(message: "error"), payload: payload)
        } else if accumulator.byteCount > limits.replyBytes {
            failure = .chatTooLarge(limits.replyBytes)
        }
    }

    /// Returns the error in an event, in JSON or in plain words; `nil` if it has none.
    private static func problem(in payload: String, isError: Bool) -> GatewayProblem? {
        if let json = try? JSONValue(parsing: payload) { return GatewayProblem(envelope: json, isBare: isError) }
        return isError ? GatewayProblem(message: payload) : nil
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

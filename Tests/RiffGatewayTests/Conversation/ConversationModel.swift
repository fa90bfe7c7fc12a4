// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport
import Synchronization

/// A model that answers with a text, and its gateway, whose first answer is cut off somewhere.
final class ConversationModel: HTTPTransport {
    /// How it says the rest of an answer.
    enum Manner: CaseIterable {
        /// With the last words, as it was asked.
        case exact
        /// With the last words, less the white space behind them; and its own before them.
        case trimmed
        /// With the marks around them.
        case marked
        /// Without them.
        case goingOn
    }

    private let text: String
    private let pieces: [String]
    private let manner: Manner
    private let cut: Mutex<Int?>
    let questions = Mutex<[JSONValue]>([])

    /// A model that says these pieces.
    init(_ pieces: [String], cutAt cut: Int?, manner: Manner = .exact) {
        (self.pieces, text, self.manner) = (pieces, pieces.joined(), manner)
        self.cut = Mutex(cut)
    }

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        guard case .bytes(let bytes) = body else { throw TransportError(.httpInvalidRequest, "no bytes") }
        let json = try JSONValue(parsing: bytes)
        questions.withLock { $0.append(json) }
        let messages = json["messages"]?.array?.compactMap { $0["content"]?.text } ?? []
        var pieces = pieces
        if let last = messages.last, let mark = last.firstRange(of: "<<<"), last.hasSuffix(">>>") {
            let anchor = last[mark.upperBound...].dropLast(3)
            let came = messages.dropLast().last ?? ""
            let left = text.unicodeScalars.dropFirst(came.unicodeScalars.count)
            pieces = [rest(String(anchor), String(String.UnicodeScalarView(left)))]
        }
        var wire = pieces.flatMap { piece -> [UInt8] in
            let chunk: JSONValue = ["choices": [["index": 0, "delta": ["content": .string(piece)]]]]
            return Array("data: ".utf8) + chunk.bytes() + [0x0A, 0x0A]
        }
        wire += Array("data: [DONE]\n\n".utf8)
        return try await ConversationModel.reply(wire, cutting: cut)
    }

    private func rest(_ anchor: String, _ rest: String) -> String {
        switch manner {
        case .exact: anchor + rest
        case .trimmed: "\n" + anchor.trimmed + (rest.first?.isWhitespace == true ? anchor.blank : "") + rest
        case .marked: "<<<\(anchor)>>>" + rest
        case .goingOn: rest
        }
    }

    /// An event stream, the first time only so many bytes of it.
    static func reply(_ wire: [UInt8], cutting cut: borrowing Mutex<Int?>) async throws -> HTTPReply {
        let cut = cut.withLock { cut in
            defer { cut = nil }
            return cut
        }
        let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
        try await writer.write(Array(wire.prefix(cut ?? .max)))
        writer.finish(throwing: cut == nil ? nil : TransportError(.connectionLost, "cut"))
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        return HTTPReply(head: head, body: stream)
    }
}

/// A gateway that answers each request with the same recorded stream, the first time only so many bytes of it.
final class RecordedStream: HTTPTransport {
    private let wire: [UInt8]
    private let cut: Mutex<Int?>

    init(_ wire: [UInt8], cutAt cut: Int?) {
        self.wire = wire
        self.cut = Mutex(cut)
    }

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try await ConversationModel.reply(wire, cutting: cut)
    }
}

extension String {
    /// The white space at the end.
    fileprivate var blank: String {
        String(String.UnicodeScalarView(unicodeScalars.reversed().prefix { $0.properties.isWhitespace }.reversed()))
    }

    fileprivate var trimmed: String {
        String(String.UnicodeScalarView(unicodeScalars.dropLast(blank.unicodeScalars.count)))
    }
}

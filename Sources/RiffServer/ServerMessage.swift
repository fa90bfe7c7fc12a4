// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import HTTPTypes
internal import RiffCore

/// A request as a web framework hands it on: whatever the framework, this is all that the handlers need.
public struct ServerRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path without its query, as it came (percent-encoded).
    public let path: String
    /// What follows the question mark, as it came.
    public let query: String?
    /// The header fields.
    public let headerFields: HTTPFields
    /// The body in chunks; it must give way to a slow reader. Single-consumer, read at most once.
    public let body: any AsyncSequence<[UInt8], any Error> & Sendable

    /// The path with its query, as it stood in the request line.
    var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// A request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path with its query, as it stood in the request line.
    ///   - headerFields: The header fields.
    ///   - body: The body; a framework must not have read it yet.
    public init(
        _ method: HTTPRequest.Method,
        _ target: String,
        headerFields: HTTPFields,
        body: any AsyncSequence<[UInt8], any Error> & Sendable
    ) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = parts.first.map(String.init) ?? ""
        query = parts.count > 1 ? String(parts[1]) : nil
        self.headerFields = headerFields
        self.body = body
    }
}

/// What to answer.
public struct ServerResponse: Sendable, Hashable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The status as the number of RFC 9110 section 15, such as 200.
    public var statusCode: Int { status.code }
    /// The header fields; the length is the framework's business.
    public let headerFields: HTTPFields
    /// The body.
    public let body: [UInt8]

    /// An answer of any kind.
    package init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
    }

    /// `{"error": "..."}`, which is all that a client learns of what went wrong.
    static func failure(_ status: HTTPResponse.Status, _ text: String, headerFields: HTTPFields = [:]) -> ServerResponse
    {
        // The texts are ours and hold nothing that JSON would quote.
        json(Array("{\"error\":\"\(text)\"}".utf8), status: status, headerFields: headerFields)
    }

    static func json(_ value: JSONValue) -> ServerResponse { json(value.bytes(), status: .ok) }

    static func json(_ value: some Encodable) throws -> ServerResponse {
        json(Array(try JSONEncoder().encode(value)), status: .ok)
    }

    static func json(
        _ body: [UInt8],
        status: HTTPResponse.Status = .ok,
        headerFields: HTTPFields = [:]
    ) -> ServerResponse {
        var fields = headerFields
        fields[.contentType] = "application/json"
        fields[.cacheControl] = "no-store"
        return ServerResponse(status: status, headerFields: fields, body: body)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
public import RiffCore
package import RiffDeflate

extension HTTPRequest {
    /// Says that the answer may come compressed; read it then with ``HTTPReply/decodedBody(limits:)``.
    package mutating func acceptCompressedAnswer() { headerFields[.acceptEncoding] = "gzip, deflate" }
}

extension HTTPReply {
    /// The body without its coding (`Content-Encoding`: `gzip`, `x-gzip`, `deflate` or none), decompressed as it is
    /// read.
    ///
    /// It is opt-in: `body` is always what came. Of two of these only one may be read.
    ///
    /// - Parameter limits: How much may come out; few kilobytes on the wire can be gigabytes.
    /// - Returns: The body. Reading it throws what ``body`` throws, and `TransportError` with `deflateMalformed`,
    ///   `deflateTruncated` or `deflateTooLarge`.
    /// - Throws: `TransportError` with `httpUnknownCoding` for another coding, or more than one.
    package func decodedBody(limits: DeflateLimits = DeflateLimits()) throws(TransportError) -> DecodedHTTPBody {
        let codings = head.headerFields[values: .contentEncoding].flatMap { $0.split(separator: ",") }.map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }.filter { !$0.isEmpty && $0 != "identity" }
        guard codings.count <= 1 else { throw Self.unknown }
        switch codings.first {
        case nil: return DecodedHTTPBody(body, .none, limits)
        case "gzip", "x-gzip": return DecodedHTTPBody(body, .gzip, limits)
        case "deflate": return DecodedHTTPBody(body, .deflate, limits)
        default: throw Self.unknown
        }
    }

    private static var unknown: TransportError {
        TransportError(.httpUnknownCoding, "The answer's body has a Content-Encoding that cannot be read here.")
    }
}

/// A body of an answer, decompressed as it is read; see ``HTTPReply/decodedBody(limits:)``. Single-consumer.
package struct DecodedHTTPBody: AsyncSequence, Sendable {
    /// A chunk, never empty.
    package typealias Element = [UInt8]
    /// The error that broke the body.
    package typealias Failure = any Error

    enum Coding { case none, gzip, deflate }

    private let body: ByteStream
    private let coding: Coding
    private let limits: DeflateLimits

    init(_ body: ByteStream, _ coding: Coding, _ limits: DeflateLimits) {
        self.body = body
        self.coding = coding
        self.limits = limits
    }

    /// The one iterator.
    package struct Iterator: AsyncIteratorProtocol {
        private var source: ByteStream.Iterator
        private let coding: Coding
        private let limits: DeflateLimits
        private var inflater: Inflater?
        private var isOver = false

        fileprivate init(_ source: ByteStream.Iterator, _ coding: Coding, _ limits: DeflateLimits) {
            self.source = source
            self.coding = coding
            self.limits = limits
        }

        /// The next chunk, or `nil` at the end.
        package mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        /// The next chunk, or `nil` at the end.
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            guard coding != .none else { return try await source.next(isolation: actor) }
            guard !isOver else { return nil }
            while true {
                if let bytes = try Self.unpacking({ () throws(DataError) in try inflater?.next() }) { return bytes }
                guard let more = try await source.next(isolation: actor) else { break }
                if inflater == nil {
                    let format = format(more[0])
                    inflater = try Self.unpacking { () throws(DataError) in try Inflater(format, limits: limits) }
                }
                inflater?.feed(more)
            }
            isOver = true
            // Nothing at all is what an answer to HEAD, or an empty one, has.
            try Self.unpacking { () throws(DataError) in try inflater?.finish() }
            return nil
        }

        /// Runs the body, and throws its error as the one kind that the reader of an answer expects.
        private static func unpacking<Value>(_ body: () throws(DataError) -> Value) throws(TransportError) -> Value {
            do { return try body() } catch {
                throw TransportError(TransportError.Code(rawValue: error.code.rawValue), error.message, cause: error)
            }
        }

        /// Some servers send `deflate` without the wrapping that HTTP asks for (RFC 9110 section 8.4.1.2). A zlib
        /// header's first byte is always 8 below a multiple of 16, and at most 0x78; the one of bare data that begins
        /// so is a stored block with padding that no encoder writes.
        private func format(_ first: UInt8) -> Deflate.Format {
            guard coding == .deflate else { return .gzip }
            return first & 0x0F == 8 && first >> 4 <= 7 ? .zlib : .raw
        }
    }

    /// Starts the iteration.
    package func makeAsyncIterator() -> Iterator { Iterator(body.makeAsyncIterator(), coding, limits) }

    /// Everything up to the end, joined.
    ///
    /// - Parameter limit: The most bytes to keep.
    /// - Returns: The bytes.
    /// - Throws: `TransportError` with `outputTooLarge` past the limit, and what reading throws.
    package func collect(upTo limit: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await bytes in self {
            all += bytes
            if all.count > limit {
                throw TransportError(.outputTooLarge, "More came than the \(limit) bytes that this call keeps.")
            }
        }
        return all
    }
}

extension TransportErrorCode {
    /// The body of an answer has a coding that cannot be read here.
    public static let httpUnknownCoding = TransportError.Code(rawValue: "httpUnknownCoding")
    /// The body of an answer should be compressed and is not, or its checksum is wrong.
    public static let deflateMalformed = TransportError.Code(rawValue: "deflateMalformed")
    /// The compressed body of an answer ends before its end.
    public static let deflateTruncated = TransportError.Code(rawValue: "deflateTruncated")
    /// More came out of the compressed body of an answer than its reader's limits allow.
    public static let deflateTooLarge = TransportError.Code(rawValue: "deflateTooLarge")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import AsyncHTTPClient
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import RiffTransport

/// A request as AsyncHTTPClient takes it, and where the pieces of its body come from.
struct HTTPOutbound: Sendable {
    let request: HTTPClientRequest
    /// The caller's sequence, to be iterated into `pipe` by the exchange: AsyncHTTPClient reads the pipe from a task
    /// that it neither cancels nor joins, and must therefore never hold the sequence itself.
    let source: (any AsyncSequence<[UInt8], any Error> & Sendable)?
    let pipe = BytePipe(highWater: 64 * 1024)

    init(_ head: HTTPRequest, body: HTTPBody, exchange: HTTPExchange) {
        var request = HTTPClientRequest(url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")")
        request.method = HTTPMethod(rawValue: head.method.rawValue)
        for field in head.headerFields { request.headers.add(name: field.name.rawName, value: field.value) }
        request.headers.replaceOrAdd(name: HTTPWireObserver.marker, value: String(exchange.id))
        switch body {
        case .none:
            source = nil
        case .bytes(let bytes) where bytes.count > ByteChunks.size:
            // As one write it would count as idle until its last byte is gone.
            source = ByteChunks(parts: [bytes])
            request.body = .stream(Pieces(pipe: pipe, window: exchange.window), length: .known(Int64(bytes.count)))
        case .bytes(let bytes):
            source = nil
            request.body = .bytes(ByteBuffer(bytes: bytes))
        case .stream(let stream, let length):
            source = stream
            let pieces = Pieces(pipe: pipe, window: exchange.window)
            request.body = .stream(pieces, length: length.map { .known(Int64($0)) } ?? .unknown)
        }
        self.request = request
    }

    /// The pipe as the sequence that AsyncHTTPClient takes.
    private struct Pieces: AsyncSequence, Sendable {
        let pipe: BytePipe
        let window: HTTPUploadWindow

        struct Iterator: AsyncIteratorProtocol {
            let pipe: BytePipe
            let window: HTTPUploadWindow
            private var rest: ArraySlice<UInt8> = []

            init(pipe: BytePipe, window: HTTPUploadWindow) {
                self.pipe = pipe
                self.window = window
            }

            mutating func next() async throws -> ByteBuffer? {
                var piece: ArraySlice<UInt8>
                repeat {
                    await window.room()
                    while rest.isEmpty {
                        guard let bytes = try await pipe.next() else { return nil }
                        rest = bytes[...]
                    }
                    piece = rest.prefix(HTTPUploadWindow.piece)
                } while try !window.take(piece.count)
                rest = rest.dropFirst(piece.count)
                return ByteBuffer(bytes: piece)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(pipe: pipe, window: window) }
    }
}

extension HTTPResponse {
    /// Status and fields, in their order; a field whose name HTTPTypes refuses cannot have passed the parser.
    init(_ response: HTTPClientResponse) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        let code = min(max(Int(response.status.code), 0), 999)
        self.init(status: Status(code: code, reasonPhrase: response.status.reasonPhrase), headerFields: fields)
    }
}
#endif

// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession && canImport(Darwin)
internal import Dispatch
internal import Foundation
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// A request's body: bytes as they are, a stream through a bounded pair of which URLSession reads the other end.
struct URLSessionUpload: Sendable {
    private var writer: URLSessionBodyWriter?
    private var work: (@Sendable () async throws -> Void)?

    init(_ body: HTTPBody, of head: HTTPRequest, into request: inout URLRequest, limit: Int) async throws {
        switch body {
        case .none: break
        case .bytes(let bytes): try request.setBody(bytes, of: head)
        case .stream(let stream, let length):
            try request.refuseBodyOfGET(head)
            request.nameBody()
            if let length { request.setValue(String(length), forHTTPHeaderField: HTTPField.Name.contentLength.rawName) }
            let writer = URLSessionBodyWriter(sendingTo: &request)
            self.writer = writer
            work = {
                var meter = URLSessionUploadMeter(head, announced: length)
                for try await chunk in stream {
                    guard try await writer.write(meter.counting(chunk)) else { return }
                }
                try meter.finish()
                await writer.close()
            }
        }
    }

    /// Sends what there is to send. After a failure the body stays open, since its end would look like that of a whole
    /// one.
    func run() async throws { try await work?() }

    /// Lets the body go; only once the session is gone.
    func release() { writer?.release() }
}

/// The writing end of a bound pair of streams, on a queue of its own.
actor URLSessionBodyWriter {
    private static let bufferBytes = 64 * 1024

    nonisolated let queue = DispatchSerialQueue(label: "riff.http.upload")
    private let output: OutputStream?
    private let room = CoalescingSignal()
    private var events: Events?

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(sendingTo request: inout URLRequest) {
        var (input, output): (InputStream?, OutputStream?)
        Stream.getBoundStreams(withBufferSize: Self.bufferBytes, inputStream: &input, outputStream: &output)
        request.httpBodyStream = input
        self.output = output
    }

    /// Adds bytes, no faster than they are sent.
    ///
    /// - Returns: Whether somebody still reads.
    /// - Throws: `CancellationError` when the task was cancelled.
    func write(_ bytes: [UInt8]) async throws -> Bool {
        open()
        var rest = bytes[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            guard let output, output.streamStatus != .closed, output.streamStatus != .error else { return false }
            guard output.hasSpaceAvailable else {
                try await room.wait()
                continue
            }
            let count = rest.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { output.write($0, maxLength: buffer.count) } ?? 0
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// There is no more.
    func close() {
        open()
        guard let output else { return }
        output.delegate = nil
        CFWriteStreamSetDispatchQueue(output, nil)
        output.close()
    }

    /// Closes from anywhere; the queue keeps the writer until that is done.
    nonisolated func release() { queue.async { self.assumeIsolated { $0.close() } } }

    private func open() {
        guard events == nil, let output else { return }
        let events = Events { [room] in room.send() }
        self.events = events
        output.delegate = events
        CFWriteStreamSetDispatchQueue(output, queue)
        output.open()
    }

    /// Whatever happens to the stream, on the writer's queue.
    private final class Events: NSObject, StreamDelegate {
        private let onEvent: @Sendable () -> Void

        init(onEvent: @escaping @Sendable () -> Void) { self.onEvent = onEvent }

        func stream(_ stream: Stream, handle event: Stream.Event) { onEvent() }
    }
}
#endif

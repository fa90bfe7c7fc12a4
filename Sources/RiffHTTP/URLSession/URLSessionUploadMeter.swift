// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Counts a request's body against the length that was announced for it.
struct URLSessionUploadMeter {
    private let request: HTTPRequest
    private let announced: Int?
    private var count = 0

    init(_ request: HTTPRequest, announced: Int?) {
        self.request = request
        self.announced = announced
    }

    /// The chunk, if it belongs to the body.
    mutating func counting(_ chunk: [UInt8]) throws(TransportError) -> [UInt8] {
        count += chunk.count
        if let announced, count > announced { throw mismatch }
        return chunk
    }

    /// There are no more chunks.
    func finish() throws(TransportError) {
        if let announced, count < announced { throw mismatch }
    }

    private var mismatch: TransportError {
        TransportError(.httpInvalidRequest, "\(request.logLine): its body has another length than was announced.")
    }
}

extension URLRequest {
    /// Sends these bytes with their length.
    mutating func setBody(_ bytes: [UInt8], of head: HTTPRequest) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        try refuseBodyOfGET(head)
        nameBody()
        httpBody = Data(bytes)
    }

    /// URLSession refuses it itself, with an error about the size of a resource.
    func refuseBodyOfGET(_ head: HTTPRequest) throws(TransportError) {
        guard head.method == .get else { return }
        throw TransportError(.httpInvalidRequest, "\(head.logLine): URLSession sends no body with GET.")
    }
}
#endif

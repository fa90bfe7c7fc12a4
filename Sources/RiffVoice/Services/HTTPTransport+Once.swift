// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension HTTPTransport {
    /// Sends a request that may cost money: a second time only where no byte of it can have reached the service.
    /// Anything else, a timeout above all, may have been billed.
    func sendOnce(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        do {
            return try await send(request, body: body, deadlines: deadlines)
        } catch let error as TransportError where error.code == .httpNeverConnected {
            try Task.checkCancellation()
            return try await send(request, body: body, deadlines: deadlines)
        }
    }
}

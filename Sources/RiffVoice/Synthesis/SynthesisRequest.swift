// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// The part of a request for speech that all services share: a text out, audio back, one retry where it is safe.
struct SynthesisRequest {
    /// The address that the request is sent to.
    let address: ServiceAddress
    let transport: any HTTPTransport
    let deadlines: HTTPDeadlines
    /// The most characters that the service takes.
    let longestText: Int
    /// The most bytes of audio that are taken.
    let limitBytes: Int

    /// What is thrown where it does not work.
    var failure: ServiceFailure { ServiceFailure(service: address.name, work: .synthesis) }

    /// Sends a text, and gives the bytes of the answer as they come; nothing happens for white space.
    ///
    /// - Parameters:
    ///   - text: What to say.
    ///   - request: The request, with its path and fields.
    ///   - body: Its body.
    ///   - word: Finds the service's word for an error in an answer.
    ///   - take: Takes the next bytes, and the head of the answer.
    /// - Returns: Whether something was sent.
    /// - Throws: ``VoiceError`` with the code of what the service answered, or `synthesisTooLarge`; `TransportError`
    ///   where the connection failed; what the closures throw; `CancellationError`.
    func send(
        _ text: String,
        _ request: () throws -> HTTPRequest,
        body: () -> [UInt8],
        word: ([UInt8]) -> String?,
        _ take: (_ bytes: [UInt8], _ head: HTTPResponse) async throws -> Void
    ) async throws -> Bool {
        try Task.checkCancellation()
        guard !text.allSatisfy(\.isWhitespace) else { return false }
        guard text.unicodeScalars.count <= longestText else {
            let message = "The text has \(text.unicodeScalars.count) characters; \(address.name) takes \(longestText)."
            throw VoiceError(.synthesisTooLarge, message)
        }
        let request = try request()
        let reply = try await transport.sendOnce(request, body: .bytes(body()), deadlines: deadlines)
        let status = reply.head.status.code
        guard (200..<300).contains(status) else {
            let answer = try await reply.body.collect(upTo: TranscriptionUpload.answerLimit)
            throw failure.error(status: status, word: word(answer), to: request)
        }
        var taken = 0
        for try await bytes in reply.body {
            taken += bytes.count
            guard taken <= limitBytes else {
                let message = "\(address.name) sent more than \(limitBytes) bytes of audio; say less at a time."
                throw VoiceError(.synthesisTooLarge, message)
            }
            try await take(bytes, reply.head)
        }
        return true
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension GatewayError {
    /// Creates the error for an answer without success to speech.
    init(voice answer: HTTPAnswer, to request: HTTPRequest) {
        let refusal = GatewayError(refusal: answer.head, body: answer.body, to: request)
        if answer.head.status == .serviceUnavailable {
            self = .noVoice(status: 503, answer: refusal.answer)
        } else if let problem = refusal.answer, Self.upstreamStatus(in: problem.message) == 429 {
            self.init(
                .rateLimited,
                "The service behind the gateway takes no more requests for now (429); try again later.",
                recovery: .retry,
                answer: problem,
                status: refusal.status,
                retryAfter: refusal.retryAfter,
                payload: refusal.payload
            )
        } else {
            self = refusal
        }
    }

    /// The gateway has nothing for speech.
    static func noVoice(status: Int?, answer: GatewayProblem? = nil) -> GatewayError {
        let number = status.map { " (\($0))" } ?? ""
        let message = "The gateway has nothing for speech\(number); set its provider there."
        return GatewayError(.voiceUnavailable, message, answer: answer, status: status)
    }

    /// The status that the service behind the gateway answered with: gateways hide it in the words of a 500, as in
    /// `OpenAI STT error (429): ...`.
    private static func upstreamStatus(in words: String) -> Int? {
        guard let start = words.firstRange(of: " error (") else { return nil }
        return Int(words[start.upperBound...].prefix { $0 != ")" })
    }
}

extension GatewayErrorCode {
    /// The gateway has no provider for speech (503), or said so when it was asked.
    public static let voiceUnavailable = GatewayError.Code(rawValue: "voiceUnavailable")
}

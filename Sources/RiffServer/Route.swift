// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

/// A path of the contract, and what answers there.
struct Route: Sendable {
    let path: String
    let method: HTTPRequest.Method
    /// Whether the body is a clip: larger than others, and one of few at a time.
    var takesClip = false
    let answer: @Sendable (VoiceServer, ServerRequest, SignedBody) async throws -> ServerResponse

    static let all: [Route] = [
        Route(path: RiffContract.healthPath, method: .get) { server, _, _ in
            let body = Array(#"{"status":"ok"}"#.utf8)
            // The body is the contract's; a client that must know which answers are new needs this clock.
            return .json(body, headerFields: [.riffTimestamp: String(server.wallClock())])
        },
        Route(path: RiffContract.narratePath, method: .get) { server, request, _ in try await server.narrate(request) },
        Route(path: RiffContract.transcribePath, method: .post, takesClip: true) { server, request, body in
            try await server.transcribe(body.bytes, request.headerFields)
        },
        Route(path: RiffContract.audioPath, method: .post, takesClip: true) { server, request, body in
            try await server.hear(body.bytes, request.headerFields)
        },
        Route(path: RiffContract.messagePath, method: .post) { server, _, body in try await server.take(body.bytes) },
        Route(path: RiffContract.transcriptPath, method: .post) { server, _, body in
            try await server.takeTranscript(body.bytes)
        },
        Route(path: RiffContract.conversationPath, method: .get) { server, request, _ in
            try await server.conversation(request.query)
        },
        Route(path: RiffContract.sessionsPath, method: .get) { server, request, _ in
            try await server.sessions(request.query)
        },
        Route(path: RiffContract.devicePath, method: .post) { server, _, body in
            try await server.registerDevice(body.bytes)
        },
        Route(path: RiffContract.pushPath, method: .get) { server, request, _ in
            try await server.pushReport(request.query)
        },
        Route(path: RiffContract.pushPath, method: .post) { server, _, body in
            try await server.testPush(body.bytes)
        },
    ]
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// An agent's answers from a Riff server, spoken there: `GET /riff/narrate-poll`, which the server holds for up to 25
/// s.
///
/// A server of Riff's own speaks MP3, which an ``AnswerVoice`` needs a decoder for. Times are the host's.
public struct RiffAnswerFeed: AgentAnswerFeed {
    /// The most bytes of an answer: a minute and a half of speech as WAV, with room.
    private static let limitBytes = 32 << 20

    private let client: RiffClient
    private let project: String?
    private let clock: any Clock<Duration>

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - client: The server.
    ///   - project: Only answers from sessions that were started in this directory, an absolute path on the server's
    ///     host.
    ///   - clock: Measures the least time between two requests.
    public init(_ client: RiffClient, project: String? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        (self.client, self.clock) = (client, clock)
        self.project = project.map(ClaudeTranscripts.folderName(of:))
    }

    /// The time now, by the server's clock; by this device's where the server does not tell. The two may be minutes
    /// apart, in which answers would be lost, or old ones be spoken.
    ///
    /// - Throws: ``VoiceError``, as ``RiffClient/health()`` does.
    public func beginning() async throws -> Double { try await client.health().time ?? client.wallClock() }

    /// Asks until there is an answer.
    ///
    /// - Throws: ``VoiceError``, as ``RiffClient/transcribe(_:)`` does; `CancellationError`, with the connection
    ///   closed.
    public func next(after time: Double) async throws -> AgentAnswer {
        let slug = project.map { "&cwd_slug=\($0)" } ?? ""
        let request = client.server.request(.get, "\(RiffContract.narratePath)?after=\(time)\(slug)")
        let stopwatch = Stopwatch(clock)
        while true {
            let begin = stopwatch.now
            let reply = try await client.answer(to: request, about: .narration, limitBytes: Self.limitBytes)
            // Nothing new: asked again from the same time on, but not as fast as a server that does not wait would have
            // it.
            if reply.head.status == .noContent {
                if begin.duration(to: stopwatch.now) < .seconds(1) { try await clock.sleep(for: .seconds(1)) }
                try Task.checkCancellation()
                continue
            }
            let answer: NarrationAnswer = try client.decode(reply, about: .narration)
            guard let bytes = Data(base64Encoded: answer.audio), let clip = AudioClip(file: [UInt8](bytes)) else {
                throw VoiceError.notRiff("its narration holds no sound", server: client.server)
            }
            return AgentAnswer(time: answer.ts, .speech(clip))
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
public import RiffVoice

/// What a voice server needs to speak what the agent of its host says.
public struct NarrationService: Sendable {
    let voice: any TextToSpeech
    let encoder: (any AudioClipEncoder)?
    let hold: Duration
    let voiceTimeout: Duration
    let concurrentPolls: Int
    let makeFeed: @Sendable (_ project: String?) -> any AgentAnswerFeed

    /// A service.
    ///
    /// - Parameters:
    ///   - voice: What speaks.
    ///   - encoder: What packs the sound; WAV without one.
    ///   - hold: How long a client is kept waiting for an answer.
    ///   - voiceTimeout: How long the voice may take for one.
    ///   - concurrentPolls: How many clients wait at a time; further ones are answered with 503 and `Retry-After`.
    ///   - makeFeed: Makes a feed of answers for one client: of the sessions in a folder of Claude Code's, by its name,
    ///     or of all.
    public init(
        voice: any TextToSpeech,
        encoder: (any AudioClipEncoder)? = nil,
        hold: Duration = .seconds(25),
        voiceTimeout: Duration = .seconds(60),
        concurrentPolls: Int = 16,
        makeFeed: @escaping @Sendable (_ project: String?) -> any AgentAnswerFeed
    ) {
        (self.voice, self.encoder, self.hold, self.voiceTimeout) = (voice, encoder, hold, voiceTimeout)
        (self.concurrentPolls, self.makeFeed) = (concurrentPolls, makeFeed)
    }

    /// Answers out of the transcripts of Claude Code on this machine.
    ///
    /// - Parameters:
    ///   - voice: What speaks.
    ///   - encoder: What packs the sound; WAV without one.
    /// - Returns: The service.
    public static func claude(voice: any TextToSpeech, encoder: (any AudioClipEncoder)? = nil) -> NarrationService {
        NarrationService(voice: voice, encoder: encoder) { project in
            ClaudeAnswerFeed(ClaudeTranscripts(on: LocalHostSession(), project: project))
        }
    }

    /// What a client asks for.
    struct Query {
        let after: Double
        let project: String?

        /// Reads `after=<seconds>&cwd_slug=<folder>`; `nil` where it is not that.
        init?(_ query: String?) {
            guard let items = QueryItems(query), let after = items["after"].flatMap(Double.init), after.isFinite else {
                return nil
            }
            let slug = items["cwd_slug"]
            // A folder's name, and no path: of its characters none needs an escape.
            guard slug.map({ $0.isEmpty || ClaudeProjectFolder.isName($0) }) ?? true else { return nil }
            (self.after, project) = (after, slug.flatMap { $0.isEmpty ? nil : $0 })
        }
    }
}

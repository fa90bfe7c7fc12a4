// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
public import RiffCore
internal import RiffVoice
internal import Synchronization

extension VoiceServer {
    /// Waits for what the agent says, and speaks it.
    func narrate(_ request: ServerRequest) async throws -> ServerResponse {
        guard let query = NarrationService.Query(request.query) else { return .failure(.badRequest, "bad query") }
        guard let narration else { return .failure(.serviceUnavailable, "no voice") }
        let isIn = polls.withLock { count in
            guard count < narration.concurrentPolls else { return false }
            count += 1
            return true
        }
        guard isIn else { return .failure(.serviceUnavailable, "busy", headerFields: [.retryAfter: "2"]) }
        defer { polls.withLock { $0 -= 1 } }
        let answer: AgentAnswer
        do {
            answer = try await withDeadline(narration.hold, clock: clock) {
                try await narration.makeFeed(query.project).next(after: query.after)
            }
        } catch is DeadlineExceeded {
            return ServerResponse(status: .noContent, headerFields: [.cacheControl: "no-store"])
        } catch {
            try Task.checkCancellation()
            report(ServerError(.narrationFailed, "The agent's answers cannot be read.", cause: error))
            return .failure(.badGateway, "narration failed")
        }
        return try await speak(answer, by: narration)
    }

    private func speak(_ answer: AgentAnswer, by narration: NarrationService) async throws -> ServerResponse {
        do {
            let (clip, count) = try await withDeadline(narration.voiceTimeout, clock: clock) {
                switch answer.content {
                case .speech(let clip): return (Optional(clip), 0)
                case .prose(let text): return (try await narration.voice.clip(of: text), text.count)
                }
            }
            guard let clip else { return ServerResponse(status: .noContent, headerFields: [.cacheControl: "no-store"]) }
            let file = try await narration.encoder?.encode(clip) ?? clip.asFile()
            let audio = Data(file.bytes).base64EncodedString()
            return try .json(NarrationAnswer(ts: answer.time, audio: audio, chars: count))
        } catch {
            try Task.checkCancellation()
            report(ServerError(.narrationFailed, "The agent's answer could not be spoken.", cause: error))
            return .failure(.badGateway, "speech failed")
        }
    }
}

extension ServerErrorCode {
    /// The agent's answers could not be read or spoken; why is the cause.
    public static let narrationFailed = ServerError.Code(rawValue: "narrationFailed")
}

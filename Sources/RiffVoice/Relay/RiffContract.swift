// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The numbers and names on which Riff's server and its clients agree.
public enum RiffContract {
    /// The port on which a Riff server listens.
    public static let port = 8902
    /// The most bytes of audio in one request: 25 MB, about 30 minutes of mono AAC at 16 kHz.
    public static let audioLimitBytes = 25 * 1024 * 1024
    /// The most bytes of a request without audio: 8 KB.
    package static let messageLimitBytes = 8 * 1024
    /// Clip in, text out; nothing is kept.
    package static let transcribePath = "/riff/transcribe-only"
    /// Clip in, the agent's answer out.
    package static let audioPath = "/riff/audio"
    /// Words of a conversation in, the agent's answer out.
    public static let messagePath = "/riff/message"
    /// Words that stand alone in, the agent's answer out.
    package static let transcriptPath = "/riff/transcript"
    /// The newest messages of a conversation.
    package static let conversationPath = "/riff/conversation"
    /// The turns that were served.
    package static let sessionsPath = "/riff/sessions"
    /// A device that wants to be told of answers. No published server names this path.
    package static let devicePath = "/riff/register-device"
    /// Whether a device is notified of answers, and a notification on request. No published server names this path.
    package static let pushPath = "/riff/push"
    /// The conversation that is meant where none is named.
    package static let defaultConversation = RiffIdentifier.default
    /// The number of messages or turns that are sent unless said otherwise, and at most.
    package static let conversationLimit = (standard: 200, most: 1000)
    /// The time that an agent may take for an answer.
    public static let replyTimeout = Duration.seconds(60)
    /// File in, path on the host out. No published server names this path, so that a carrier can be given another one.
    public static let uploadPath = "/riff/upload"
    /// Waits for what the agent says, and speaks it.
    public static let narratePath = "/riff/narrate-poll"
    /// The time that a server waits for an answer before it says that there is none.
    package static let narrateHold = Duration.seconds(25)
    /// Gives the secret to a device that knows a code. No published server names this path.
    package static let pairPath = "/riff/pair"
    /// Says that the server is there.
    public static let healthPath = "/riff/health"
    /// Under which name a front end keeps the shared secret in its secret store.
    public static let secretName = "mark.riff.hmac"

    /// The value of `X-Riff-Audio-Format` for a clip, or `nil` where a Riff server takes no such clip.
    package static func audioFormat(of encoding: AudioClip.Encoding) -> String? {
        switch encoding {
        case .wav: "wav"
        case .m4a: "m4a"
        case .flac, .mp3, .pcm: nil
        }
    }

    /// The encoding that a value of `X-Riff-Audio-Format` names, or `nil`.
    package static func encoding(ofAudioFormat format: String) -> AudioClip.Encoding? {
        switch format {
        case "wav": .wav
        case "m4a": .m4a
        default: nil
        }
    }
}

/// The answer of `POST /riff/transcribe-only`.
package struct TranscribeAnswer: Codable {
    package let transcript: String

    package init(transcript: String) { self.transcript = transcript }
}

/// The answer to an upload.
package struct UploadAnswer: Codable {
    package let path: String

    package init(path: String) { self.path = path }
}

/// The answer of `GET /riff/narrate-poll`.
package struct NarrationAnswer: Codable {
    /// When the agent's turn ended, in seconds since 1970.
    package let ts: Double
    /// A file of sound: MP3 from Riff's own server, whatever its encoder makes from this one.
    package let audio: String
    /// The number of characters that are spoken.
    package let chars: Int

    private enum CodingKeys: String, CodingKey {
        case ts, chars
        case audio = "audio_b64"
    }

    package init(ts: Double, audio: String, chars: Int) { (self.ts, self.audio, self.chars) = (ts, audio, chars) }
}

extension RiffClient {
    /// The answer of `GET /riff/health`. Unknown members are ignored.
    public struct Health: Codable, Sendable, Hashable {
        /// `ok` when the server serves.
        public let status: String
        /// The server's clock, in seconds since 1970, where it tells: in the field `X-Riff-Ts`, beside the body.
        public internal(set) var time: Double?

        private enum CodingKeys: String, CodingKey { case status }

        /// A health report.
        package init(status: String, time: Double? = nil) { (self.status, self.time) = (status, time) }
    }
}

extension RiffSecret {
    /// The secret to use: what the secret store holds, else what was built in.
    ///
    /// - Parameters:
    ///   - stored: What the store holds under ``RiffContract/secretName``, if anything.
    ///   - baked: What the build holds; empty in builds that are distributed.
    /// - Returns: The first that is not empty; an empty placeholder where there is none.
    /// - Throws: ``VoiceError`` with `invalidSecret` when the one to use is not hexadecimal: a broken stored secret is
    ///   not passed over in silence.
    public static func first(stored: Secret?, baked: String) throws(VoiceError) -> RiffSecret {
        let text = stored.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        return try RiffSecret(hex: text.allSatisfy(\.isWhitespace) ? baked : text)
    }
}

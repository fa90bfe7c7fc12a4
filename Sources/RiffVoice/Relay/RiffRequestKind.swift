// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The subject of a request to a Riff server, for errors that say what failed.
enum RiffRequestKind: Sendable {
    case clip
    /// A clip that the agent is to answer.
    case spokenMessage
    case message
    case file
    case narration
    case question

    /// The noun for the thing that was sent.
    var noun: String {
        switch self {
        case .clip, .spokenMessage: "recording"
        case .message: "message"
        case .file: "file"
        case .narration, .question: "request"
        }
    }

    var hasClip: Bool {
        switch self {
        case .clip, .spokenMessage: true
        case .message, .file, .narration, .question: false
        }
    }

    var whatIsRefused: String {
        switch self {
        case .clip, .file: "the \(noun) or its format is not what it takes"
        case .spokenMessage: "the recording or its format is not what it takes, or nothing was said in it"
        case .message: "the message is empty, or a name in it is none"
        case .narration, .question: "what was asked for is not what it knows"
        }
    }

    /// Returns the error for 502, 503 (without `Retry-After`) and 504.
    func failure(_ status: Int, _ name: String) -> VoiceError {
        switch (self, status) {
        case (.clip, 502):
            let message = "\(name) could not recognize the recording (502)."
            return VoiceError(.recognitionFailed, message, recovery: .retry)
        case (.spokenMessage, 502):
            let message =
                "\(name) could not recognize the recording, or not answer it (502). What was said may be kept there: "
                + "look before sending it again."
            return VoiceError(.recognitionFailed, message)
        case (.spokenMessage, 503):
            return VoiceError(.recognitionUnavailable, "\(name) has no speech recognition, or no agent to ask (503).")
        case (.clip, 503):
            let message = "\(name) has no speech recognition (503): its API key or its recognizer is not set."
            return VoiceError(.recognitionUnavailable, message)
        case (.clip, _):
            return VoiceError(
                .recognitionTimeout,
                "\(name) did not get the text in time (504).",
                recovery: .retry
            )
        case (.message, 502):
            let message =
                "\(name) could not ask its agent (502). The message may be kept there: look before sending it again."
            return VoiceError(.replyFailed, message)
        case (.message, 503):
            return VoiceError(.replyUnavailable, "\(name) has no agent to ask (503).")
        case (.message, _), (.spokenMessage, _):
            let message =
                "\(name) got no answer in time (504). The \(noun) may be kept there: look before sending it again."
            return VoiceError(.replyTimeout, message)
        case (.narration, 503):
            return VoiceError(.narrationUnavailable, "\(name) has no voice (503): its API key or its voice is not set.")
        case (.narration, _):
            return VoiceError(
                .narrationFailed,
                "\(name) could not speak the answer (\(status)).",
                recovery: .retry
            )
        case (.file, 503):
            return VoiceError(.uploadsUnavailable, "\(name) takes no files (503): no folder was set up for them.")
        case (.question, 503): return VoiceError(.replyUnavailable, "\(name) keeps no conversations (503).")
        case (.file, _), (.question, _):
            return VoiceError(.serverFailed, "\(name) answered with status \(status).", recovery: .retry)
        }
    }
}

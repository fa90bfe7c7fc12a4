// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// The meanings of a speech service's answers that are no success: one error for each thing a person can do.
struct ServiceFailure: Sendable {
    /// The work that the service was asked to do.
    enum Work: String, Sendable {
        case transcription, synthesis

        /// The noun for the work's input.
        var input: String { self == .transcription ? "recording" : "text" }
        /// The noun for the work's expected output.
        var output: String { self == .transcription ? "a transcript" : "audio" }
        /// The field of the settings that names the model.
        var modelSetting: SettingName { self == .transcription ? .speechModel : .voiceModel }
    }

    /// Its host, for messages.
    let service: String
    let work: Work

    /// The code for a kind of failure, such as `transcriptionUnauthorized`.
    private func code(_ kind: String) -> VoiceError.Code { VoiceError.Code(rawValue: work.rawValue + kind) }

    /// A key as the value of a header field.
    ///
    /// - Throws: ``VoiceError`` with the code `...Unauthorized` for a key that cannot be one, before anything is sent.
    func headerValue(of key: Secret, prefix: String = "") throws(VoiceError) -> String {
        let text = String(decoding: key.bytes, as: UTF8.self)
        guard !key.isEmpty, key.bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw VoiceError(
                code("Unauthorized"),
                "The key for \(service) is empty, or holds white space or characters that no key has.",
                recovery: .openSettings(.speechServiceKey)
            )
        }
        return prefix + text
    }

    /// Returns the error for an answer that is not a success.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - word: The service's own name for the error, where it gave one.
    ///   - request: What was asked.
    /// - Returns: The error to throw.
    func error(status: Int, word: String?, to request: HTTPRequest) -> VoiceError {
        let reason = word.map { " (\($0))" } ?? ""
        let head = "\(service) answered \(status)\(reason): "
        let saysQuota =
            word?.contains("quota") == true || word?.contains("credit") == true || word?.contains("billing") == true
        switch status {
        case 401, 402, 403, 429:
            if saysQuota || status == 402 {
                let message = head + "the account has no credit left; add some and try again."
                return VoiceError(code("QuotaExceeded"), message)
            }
            if status == 429 {
                let message = head + "too many requests now; wait a moment."
                return VoiceError(code("RateLimited"), message, recovery: .retry)
            }
            let message = head + "the key is not accepted; check it in the settings."
            return VoiceError(code("Unauthorized"), message, recovery: .openSettings(.speechServiceKey))
        case 404:
            let message =
                head + "there is no such model, or no such address (\(request.logLine)); check both in the settings."
            return VoiceError(code("Rejected"), message, recovery: .openSettings(work.modelSetting))
        case 413:
            let message = head + "the \(work.input) is too large; make it shorter."
            return VoiceError(code("TooLarge"), message)
        case 408, 500...599:
            let message = head + "the service is not able to answer now."
            return VoiceError(code("Unavailable"), message, recovery: .retry)
        case 400...499:
            let message = head + "it does not accept this \(work.input) or a setting sent with it."
            return VoiceError(code("Rejected"), message)
        default:
            let message = head + "this is not an answer of a speech service; check its address (\(request.logLine))."
            return VoiceError(code("Malformed"), message)
        }
    }

    /// A success whose body cannot be read.
    func malformed(_ cause: (any Error)?) -> VoiceError {
        let message = "\(service) answered something other than \(work.output); check its address in the settings."
        return VoiceError(code("Malformed"), message, recovery: .openSettings(.speechServiceAddress), cause: cause)
    }

    /// A service's word for an error, if it is one word that can be shown: no payload reaches a message.
    static func word(_ text: String?) -> String? {
        guard let text, (1...64).contains(text.utf8.count) else { return nil }
        let isWord = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || "_-.".utf8.contains($0)
        }
        return isWord ? text : nil
    }
}

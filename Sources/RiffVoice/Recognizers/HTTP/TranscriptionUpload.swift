// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

/// The part of a transcription request that all services share: a form out, JSON back, one retry where it is safe.
struct TranscriptionUpload {
    /// The most bytes of an answer that are read.
    static let answerLimit = 4 * 1024 * 1024

    /// What a clip is sent as.
    struct File {
        let name: String
        let type: String
        let bytes: [UInt8]

        /// The clip as a file of a kind that every service takes.
        init(_ clip: AudioClip) throws(CoreError) {
            let whole = try clip.asFile()
            bytes = whole.bytes
            if case .m4a = whole.encoding {
                (name, type) = ("audio.m4a", "audio/mp4")
            } else {
                (name, type) = ("audio.wav", "audio/wav")
            }
        }

        /// The part of a form that every service expects it in.
        var part: MultipartBody.File { .init(name: "file", filename: name, type: type, bytes: bytes) }

        /// Raw samples, for a service that takes them.
        init(samples: [UInt8]) { (name, type, bytes) = ("audio.pcm", "application/octet-stream", samples) }
    }

    let service: String
    let transport: any HTTPTransport
    let deadlines: HTTPDeadlines

    /// A key as the value of a header field.
    ///
    /// - Throws: ``VoiceError`` with `transcriptionUnauthorized` for a key that cannot be one, before anything is sent.
    func headerValue(of key: Secret, prefix: String = "") throws(VoiceError) -> String {
        let text = String(decoding: key.bytes, as: UTF8.self)
        guard !key.isEmpty, key.bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw VoiceError(
                .transcriptionUnauthorized,
                "The key for \(service) is empty, or holds white space or characters that no key has.",
                recovery: .openSettings("speechServiceKey")
            )
        }
        return prefix + text
    }

    /// Refuses a file above the service's limit before a byte of it is sent.
    func check(_ file: File, limit: Int) throws(VoiceError) {
        guard file.bytes.count <= limit else {
            let message =
                "The recording has \(file.bytes.count) bytes; \(service) takes \(limit). Record a shorter one."
            throw VoiceError(.transcriptionTooLarge, message)
        }
    }

    /// Sends the form and reads the answer, whatever its status.
    ///
    /// It is sent a second time only where no byte of it can have reached the service: anything else, a timeout above
    /// all, may have been billed.
    func send(_ request: HTTPRequest, _ form: MultipartBody) async throws -> (status: Int, body: [UInt8]) {
        var request = request
        request.headerFields[.contentType] = form.contentType
        request.headerFields[.accept] = "application/json"
        let reply: HTTPReply
        do {
            reply = try await transport.send(request, body: form.body, deadlines: deadlines)
        } catch let error as TransportError where error.code == .httpNeverConnected {
            try Task.checkCancellation()
            reply = try await transport.send(request, body: form.body, deadlines: deadlines)
        }
        let body = try await reply.body.collect(upTo: TranscriptionUpload.answerLimit)
        return (reply.head.status.code, body)
    }

    /// What an answer that is not a success means.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - word: The service's own name for the error, where it gave one.
    /// - Returns: The error to throw.
    func failure(status: Int, word: String?) -> VoiceError {
        let reason = word.map { " (\($0))" } ?? ""
        let head = "\(service) answered \(status)\(reason): "
        let saysQuota =
            word?.contains("quota") == true || word?.contains("credit") == true || word?.contains("billing") == true
        switch status {
        case 401, 402, 403, 429:
            if saysQuota || status == 402 {
                return VoiceError(
                    .transcriptionQuotaExceeded,
                    head + "the account has no credit left; add some and try again."
                )
            }
            if status == 429 {
                return VoiceError(
                    .transcriptionRateLimited,
                    head + "too many requests now; wait a moment.",
                    recovery: .retry
                )
            }
            let message = head + "the key is not accepted; check it in the settings."
            return VoiceError(.transcriptionUnauthorized, message, recovery: .openSettings("speechServiceKey"))
        case 404:
            let message = head + "there is no such model or address; check both in the settings."
            return VoiceError(.transcriptionRejected, message, recovery: .openSettings("speechModel"))
        case 413:
            return VoiceError(.transcriptionTooLarge, head + "the recording is too large; record a shorter one.")
        case 408, 500...599:
            return VoiceError(
                .transcriptionUnavailable,
                head + "the service is not able to answer now.",
                recovery: .retry
            )
        case 400...499:
            return VoiceError(
                .transcriptionRejected,
                head + "it does not accept this recording or a setting sent with it."
            )
        default:
            return VoiceError(
                .transcriptionMalformed,
                head + "this is not an answer of a speech service; check its address."
            )
        }
    }

    /// A success whose body cannot be read.
    func malformed(_ cause: any Error) -> VoiceError {
        let message = "\(service) answered something other than a transcript; check its address in the settings."
        return VoiceError(
            .transcriptionMalformed,
            message,
            recovery: .openSettings("speechServiceAddress"),
            cause: cause
        )
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

extension VoiceError.Code {
    /// The service does not accept the key.
    public static let transcriptionUnauthorized = VoiceError.Code(rawValue: "transcriptionUnauthorized")
    /// The account has no credit left; trying again does not help.
    public static let transcriptionQuotaExceeded = VoiceError.Code(rawValue: "transcriptionQuotaExceeded")
    /// Too many requests at this moment.
    public static let transcriptionRateLimited = VoiceError.Code(rawValue: "transcriptionRateLimited")
    /// The service does not accept the recording, the model or a setting.
    public static let transcriptionRejected = VoiceError.Code(rawValue: "transcriptionRejected")
    /// The recording is larger than the service takes.
    public static let transcriptionTooLarge = VoiceError.Code(rawValue: "transcriptionTooLarge")
    /// The service cannot answer now.
    public static let transcriptionUnavailable = VoiceError.Code(rawValue: "transcriptionUnavailable")
    /// What answered is not a speech service, or not one that is known.
    public static let transcriptionMalformed = VoiceError.Code(rawValue: "transcriptionMalformed")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

/// The part of a transcription request that all services share: a form out, JSON back, one retry where it is safe.
struct TranscriptionUpload {
    /// The most bytes of an answer that are read.
    static let answerLimit = 4 * 1024 * 1024

    /// The file that a clip is sent as.
    struct File {
        let name: String
        let type: String
        let bytes: [UInt8]

        /// The clip as a file of a kind that every service takes.
        init(_ clip: AudioClip) throws(CoreError) {
            let whole = try clip.asFile()
            bytes = whole.bytes
            (name, type) =
                switch whole.encoding {
                case .m4a: ("audio.m4a", "audio/mp4")
                case .flac: ("audio.flac", "audio/flac")
                case .mp3: ("audio.mp3", "audio/mpeg")
                case .wav, .pcm: ("audio.wav", "audio/wav")
                }
        }

        /// The part of a form that every service expects it in.
        var part: MultipartBody.File { .init(name: "file", filename: name, type: type, bytes: bytes) }

        /// Raw samples, for a service that takes them.
        init(samples: [UInt8]) { (name, type, bytes) = ("audio.pcm", "application/octet-stream", samples) }
    }

    let service: String
    /// What is thrown where it does not work.
    let failure: ServiceFailure
    let transport: any HTTPTransport
    let deadlines: HTTPDeadlines

    init(service: String, transport: any HTTPTransport, deadlines: HTTPDeadlines) {
        (self.service, self.transport, self.deadlines) = (service, transport, deadlines)
        failure = ServiceFailure(service: service, work: .transcription)
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
    func send(
        _ request: HTTPRequest,
        _ form: MultipartBody
    ) async throws -> (request: HTTPRequest, status: Int, body: [UInt8]) {
        var request = request
        request.headerFields[.contentType] = form.contentType
        request.headerFields[.accept] = "application/json"
        let reply = try await transport.sendOnce(request, body: form.body, deadlines: deadlines)
        let body = try await reply.body.collect(upTo: TranscriptionUpload.answerLimit)
        return (request, reply.head.status.code, body)
    }
}

extension VoiceErrorCode {
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
    /// The server that answered is not a speech service, or not one that is known.
    public static let transcriptionMalformed = VoiceError.Code(rawValue: "transcriptionMalformed")
}

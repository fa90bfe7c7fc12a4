// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport
public import RiffVoice

/// Speech by a gateway, as MP3 files: `POST /api/voice/synthesize`.
///
/// MP3 needs a decoder, which is the platform's: `AVAudioPlayer` there, a program such as ffmpeg elsewhere.
public struct GatewayVoice: Sendable {
    /// The most that the gateway takes in one request, in UTF-16 code units.
    static let longestText = 4096

    private let gateway: ChatGateway
    private let offer: VoiceOffer?
    private let voice: String?
    private let speed: Double?

    /// Creates a voice.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - offer: What it offers, from ``ChatGateway/voice()``: whether it speaks, and its voices; `nil` where it was
    ///     not asked.
    ///   - voice: Which of them; its own standard where none is named.
    ///   - speed: How fast, 0.25 to 4; other values are brought into that range.
    public init(
        _ gateway: ChatGateway,
        offer: VoiceOffer? = nil,
        voice: String? = nil,
        speed: Double? = nil
    ) {
        (self.gateway, self.offer, self.voice) = (gateway, offer, voice)
        self.speed = speed.flatMap { $0.isNaN ? nil : min(max($0, 0.25), 4) }
    }

    /// Speaks a text, in as many files as it needs.
    ///
    /// - Parameters:
    ///   - text: What to say; one that is too long for a request is cut between sentences, or words.
    ///   - deliver: Takes the next file, in order.
    /// - Throws: ``GatewayError``: `voiceUnknown` before anything is sent; `voiceUnavailable`, also before, where the
    ///   offer says so; `rateLimited`, also where it is the service behind the gateway that takes no more; what
    ///   `deliver` throws; `CancellationError`.
    public func speak(_ text: String, _ deliver: @Sendable (AudioClip) async throws -> Void) async throws {
        if let offer, offer.synthesis == nil { throw GatewayError.noVoice(status: nil) }
        if let voice, let voices = offer?.synthesis?.voices, !voices.isEmpty, !voices.contains(voice) {
            let known = voices.map(InertText.line).joined(separator: ", ")
            throw GatewayError(.voiceUnknown, "The gateway has no voice \(InertText.line(voice)); it has \(known).")
        }
        for piece in Self.pieces(of: text) { try await deliver(try await file(of: piece)) }
    }

    private func file(of text: String) async throws -> AudioClip {
        var members: JSONObject = ["text": .string(text)]
        members["voice"] = voice.map { .string($0) }
        members["speed"] = speed.map { .number($0) }
        var request = try gateway.request(.post, "/api/voice/synthesize")
        request.headerFields[.contentType] = "application/json"
        let answer = try await gateway.answer(
            to: request,
            .bytes(JSONValue.object(members).bytes()),
            within: gateway.timing.work,
            upTo: 32 << 20
        )
        guard answer.head.status == .ok else { throw GatewayError(voice: answer, to: request) }
        guard let clip = AudioClip(file: answer.body) else { throw gateway.malformed("the speech") }
        return clip
    }

    /// A text in pieces of which each fits into a request.
    static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var rest = text.drop(while: \.isWhitespace)
        while rest.utf16.count > longestText {
            let head = beginning(of: rest)
            let sentence = head.lastIndex { ".!?\n".contains($0) }
            let word = head.lastIndex(where: \.isWhitespace)
            let cut = (sentence ?? word).map { rest.index(after: $0) } ?? head.endIndex
            pieces.append(String(rest[..<cut]))
            rest = rest[cut...].drop(while: \.isWhitespace)
        }
        if !rest.isEmpty { pieces.append(String(rest)) }
        return pieces
    }

    /// As many whole characters as fit into a request; one at least.
    private static func beginning(of text: Substring) -> Substring {
        var (end, count) = (text.startIndex, 0)
        for place in text.indices {
            count += text[place].utf16.count
            guard count <= longestText || end == text.startIndex else { break }
            end = text.index(after: place)
        }
        return text[..<end]
    }
}

extension GatewayErrorCode {
    /// The gateway has no such voice; nothing was sent.
    public static let voiceUnknown = GatewayError.Code(rawValue: "voiceUnknown")
}

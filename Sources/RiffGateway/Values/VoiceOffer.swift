// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The offer of a gateway for speech.
public struct VoiceOffer: Sendable, Hashable {
    /// Speech to text.
    public struct Recognition: Sendable, Hashable {
        /// The name of the model.
        public var model: String?
        /// The longest clip.
        public var longest: Duration
        /// The largest clip, in bytes.
        public var limitBytes: Int
        /// The service that recognizes; `nil` where it is not told.
        public var provider: String?
        /// The other possible providers; empty if they are not reported.
        public var providers: [String]

        /// An offer; 120 seconds and 25 MiB unless said otherwise.
        package init(
            model: String? = nil,
            longest: Duration = .seconds(120),
            limitBytes: Int = 25 * 1_048_576,
            provider: String? = nil,
            providers: [String] = []
        ) {
            (self.model, self.longest, self.limitBytes) = (model, longest, limitBytes)
            (self.provider, self.providers) = (provider, providers)
        }
    }

    /// Text to speech.
    public struct Synthesis: Sendable, Hashable {
        /// The name of the model.
        public var model: String?
        /// The voices; empty where they are not told.
        public var voices: [String]
        /// The voice that is used unless one is named.
        public var standardVoice: String?
        /// The provider that speaks; `nil` if it is not reported.
        public var provider: String?
        /// The other possible providers; empty if they are not reported.
        public var providers: [String]

        /// An offer; for tests and previews.
        package init(
            model: String? = nil,
            voices: [String] = [],
            standardVoice: String? = nil,
            provider: String? = nil,
            providers: [String] = []
        ) {
            (self.model, self.voices, self.standardVoice) = (model, voices, standardVoice)
            (self.provider, self.providers) = (provider, providers)
        }
    }

    /// Speech to text, where it is offered.
    public let recognition: Recognition?
    /// Text to speech, where it is offered.
    public let synthesis: Synthesis?

    /// An offer; of nothing unless said otherwise.
    package init(recognition: Recognition? = nil, synthesis: Synthesis? = nil) {
        (self.recognition, self.synthesis) = (recognition, synthesis)
    }

    init(json: JSONValue) {
        func offer(_ name: String) -> JSONValue? {
            guard let offer = json[name], offer["available"] == true else { return Optional.none }
            return offer
        }
        self.init(
            recognition: offer("stt").map(Recognition.init(json:)),
            synthesis: offer("tts").map(Synthesis.init(json:))
        )
    }
}

extension VoiceOffer.Recognition {
    fileprivate init(json: JSONValue) {
        self.init(model: json["model"]?.text, provider: json["provider"]?.text, providers: json.texts("providers"))
        // A limit of nothing, or of less, is none that anybody means.
        if let longest = json["maxDurationSeconds"]?.seconds, longest > .zero { self.longest = longest }
        if let megabytes = json["maxFileSizeMB"]?.double, megabytes > 0 {
            limitBytes = Int(clamping: Int64(min(megabytes * 1_048_576, 1e12)))
        }
    }
}

extension VoiceOffer.Synthesis {
    fileprivate init(json: JSONValue) {
        self.init(
            model: json["model"]?.text,
            voices: json.texts("voices"),
            standardVoice: json["defaultVoice"]?.text,
            provider: json["provider"]?.text,
            providers: json.texts("providers")
        )
    }
}

extension JSONValue {
    fileprivate func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.text) ?? [] }

    /// A number of seconds, at most about thirty years; `nil` where it is no number, or a negative one.
    var seconds: Duration? { double.flatMap { $0 >= 0 ? .seconds(min($0, 1e9)) : nil } }
}

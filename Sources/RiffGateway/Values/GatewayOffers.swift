// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// What answers at a gateway's address.
public enum GatewayHealth: Sendable, Hashable {
    /// A service.
    case service
    /// A web page: hosts without a health check answer so, and so do things that are no gateway.
    case page
}

/// A model, or an agent that is offered as one.
public struct GatewayModel: Sendable, Hashable, Identifiable {
    /// The name to ask for.
    public let id: String
    /// Who has it, by the gateway's account.
    public let owner: String?

    /// A model; for tests and previews.
    public init(id: String, owner: String? = nil) { (self.id, self.owner) = (id, owner) }

    init?(json: JSONValue) {
        guard let id = json["id"]?.text ?? json.text, !id.isEmpty else { return nil }
        self.init(id: id, owner: json["owned_by"]?.text)
    }
}

/// Who runs models, and how that is paid.
public struct GatewayProvider: Sendable, Hashable, Identifiable {
    /// How it is paid.
    public enum Billing: Sendable, Hashable {
        /// By what is used.
        case usage
        /// By the month; the plan's name and its price in US dollars, where they are told.
        case subscription(plan: String?, monthlyPrice: Double?)
    }

    /// The name, in lower case.
    public let id: String
    /// How it is paid.
    public let billing: Billing

    /// A provider; for tests and previews.
    public init(id: String, billing: Billing = .usage) { (self.id, self.billing) = (id, billing) }

    init?(json: JSONValue) {
        guard let id = json["id"]?.text, !id.isEmpty else { return nil }
        let billing = json["billing"]
        let isSubscription = billing?["mode"]?.text == "subscription"
        self.init(
            id: id,
            billing: isSubscription
                ? .subscription(plan: billing?["plan"]?.text, monthlyPrice: billing?["monthlyPrice"]?.double) : .usage
        )
    }
}

/// Who answered when a model was asked for.
public struct ModelProbe: Sendable, Hashable {
    /// The model that was asked for.
    public let asked: String
    /// The model that answered; `nil` where the gateway does not say.
    public let answered: String?

    /// A probe's result; for tests and previews.
    public init(asked: String, answered: String?) { (self.asked, self.answered) = (asked, answered) }

    /// Whether another model answered than was asked for.
    public var isMismatch: Bool { answered.map { $0 != asked } ?? false }
}

/// What a gateway offers for speech.
public struct VoiceOffer: Sendable, Hashable {
    /// Speech to text.
    public struct Recognition: Sendable, Hashable {
        /// The model.
        public var model: String?
        /// The longest clip.
        public var longest: Duration
        /// The largest clip, in bytes.
        public var limitBytes: Int

        /// An offer; for tests and previews.
        public init(model: String? = nil, longest: Duration = .seconds(120), limitBytes: Int = 25 * 1_048_576) {
            (self.model, self.longest, self.limitBytes) = (model, longest, limitBytes)
        }
    }

    /// Text to speech.
    public struct Synthesis: Sendable, Hashable {
        /// The model.
        public var model: String?
        /// The voices; empty where they are not told.
        public var voices: [String]
        /// The voice that is used unless one is named.
        public var standardVoice: String?

        /// An offer; for tests and previews.
        public init(model: String? = nil, voices: [String] = [], standardVoice: String? = nil) {
            (self.model, self.voices, self.standardVoice) = (model, voices, standardVoice)
        }
    }

    /// Speech to text, where it is offered.
    public let recognition: Recognition?
    /// Text to speech, where it is offered.
    public let synthesis: Synthesis?

    init(json: JSONValue) {
        let (stt, tts) = (json["stt"], json["tts"])
        recognition =
            stt?["available"] == true
            ? Recognition(
                model: stt?["model"]?.text,
                longest: .seconds(stt?["maxDurationSeconds"]?.double ?? 120),
                limitBytes: Int((stt?["maxFileSizeMB"]?.double ?? 25) * 1_048_576)
            ) : nil
        synthesis =
            tts?["available"] == true
            ? Synthesis(
                model: tts?["model"]?.text,
                voices: tts?["voices"]?.array?.compactMap(\.text) ?? [],
                standardVoice: tts?["defaultVoice"]?.text
            ) : nil
    }
}

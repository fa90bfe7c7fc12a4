// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension GatewayPage {
    /// The state of a ``GatewayPage``: everything that a page of a gateway shows.
    public struct State: Sendable, Hashable {
        /// The health of the gateway's address.
        public internal(set) var health = GatewayPart<ChatGateway.Health>()
        /// The models to choose from.
        public internal(set) var models = GatewayPart<[GatewayModel]>()
        /// The providers behind the gateway.
        public internal(set) var providers = GatewayPart<[GatewayProvider]>()
        /// The limits of those providers, in the gateway's order.
        public internal(set) var limits = GatewayPart<[RateLimits]>()
        /// The costs of today and of a week.
        public internal(set) var costs = GatewayPart<CostUsage.Summary>()
        /// The gateway's offer for speech.
        public internal(set) var voice = GatewayPart<VoiceOffer>()
        /// The id of the model that is asked from now on; `nil` before one was chosen.
        public internal(set) var model: String?
        /// The newest choice of a model; `nil` before the first one.
        public internal(set) var choice: Choice?

        /// Creates a state in which nothing was asked yet.
        package init(model: String? = nil) { self.model = model }
    }

    /// A choice of a model, and what became of it.
    public struct Choice: Sendable, Hashable {
        /// The chosen model.
        public let model: String
        /// Whether the gateway is still being asked for it.
        public internal(set) var isProbing = true
        /// The model that answered the probe, if the gateway says; it may be another one.
        public internal(set) var answered: String?
        /// A sentence that says that another model answers; `nil` if the chosen one does.
        public internal(set) var warning: String?
        /// Why the model could not be chosen, or does not answer.
        public internal(set) var problem: Problem?

        init(_ model: String) { self.model = model }
    }
}

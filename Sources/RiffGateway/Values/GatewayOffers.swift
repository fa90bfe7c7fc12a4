// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ChatGateway {
    /// The kind of server at a gateway's address.
    public enum Health: Sendable, Hashable {
        /// A service that answers.
        case service
        /// A web page: hosts without a health check answer so, and so do things that are no gateway.
        case page
        /// Something that speaks HTTP, and knows no health check: hosts without their page answer so, and so do things
        /// that are no gateway.
        case unknown
    }
}

/// A model, or an agent that is offered as one.
public struct GatewayModel: Sendable, Hashable, Identifiable {
    /// The name to ask for.
    public let id: String
    /// The owner of the model, by the gateway's account.
    public let owner: String?
    /// Other names for it, by the gateway's account.
    public let aliases: [String]

    /// A model; for tests and previews.
    package init(id: String, owner: String? = nil, aliases: [String] = []) {
        (self.id, self.owner) = (id, owner)
        self.aliases = aliases
    }

    init?(json: JSONValue) {
        guard let id = json["id"]?.text ?? json.text, !id.isEmpty else { return nil }
        let names = (json["aliases"]?.array?.compactMap(\.text) ?? []) + [json["alias"]?.text].compactMap(\.self)
        self.init(id: id, owner: json["owned_by"]?.text, aliases: names.filter { !$0.isEmpty })
    }
}

/// A provider that runs models, and the way it is paid.
public struct GatewayProvider: Sendable, Hashable, Identifiable {
    /// The way that a provider is paid.
    public enum Billing: Sendable, Hashable {
        /// By what is used.
        case usage
        /// By the month; the plan's name and its price in US dollars, where they are told.
        case subscription(plan: String?, monthlyPrice: Double?)
    }

    /// The name, in lower case.
    public let id: String
    /// The way that this provider is paid.
    public let billing: Billing

    /// A provider; for tests and previews.
    package init(id: String, billing: Billing = .usage) { (self.id, self.billing) = (id, billing) }

    init?(json: JSONValue) {
        guard let id = json["id"]?.text, !id.isEmpty else { return nil }
        self.init(id: id, billing: json["billing"].flatMap(Billing.init(json:)) ?? .usage)
    }
}

extension GatewayProvider.Billing {
    /// Reads `{"mode", "plan"?, "monthlyPrice"?}`; `nil` for a mode that is not known.
    init?(json: JSONValue) {
        switch json["mode"]?.text {
        case "subscription": self = .subscription(plan: json["plan"]?.text, monthlyPrice: json["monthlyPrice"]?.double)
        case "api": self = .usage
        default: return nil
        }
    }
}

extension GatewayModel {
    /// The model that answered when a model was asked for.
    public struct Probe: Sendable, Hashable {
        /// The model that was asked for.
        public let asked: String
        /// The model that answered; `nil` where the gateway does not say.
        public let answered: String?

        /// A probe's result; for tests and previews.
        package init(asked: String, answered: String?) { (self.asked, self.answered) = (asked, answered) }

        /// Whether another model answered than was asked for.
        package var isMismatch: Bool { answered.map { !GatewayModel.isSame(asked, $0) } ?? false }
    }
}

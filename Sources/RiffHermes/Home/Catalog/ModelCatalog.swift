// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import RiffTransport

/// The models that the agent knows of (`models_dev_cache.json`, as models.dev publishes them): for pickers, and to
/// check a choice before a turn fails.
public struct ModelCatalog: Sendable {
    /// A service that offers models.
    public struct Provider: Sendable, Hashable, Identifiable {
        /// The key on models.dev. Configurations may call it otherwise (`gemini` is `google` there);
        /// ``ModelCatalog/provider(_:)`` knows both.
        public let id: String
        /// The name to show.
        public let name: String
        /// Environment variables that hold its key.
        package let environment: [String]
        /// The address of the provider's documentation.
        package let documentation: String?
        /// The provider's models, by name.
        public let models: [Model]
    }

    /// A language model.
    public struct Model: Sendable, Hashable, Identifiable {
        /// The name in configurations.
        public let id: String
        /// The name to show.
        public let name: String
        /// Whether it thinks before it answers.
        public let reasons: Bool?
        /// Whether it calls tools.
        public let callsTools: Bool?
        /// When it came out: `2026-02-05`, or less exactly.
        package let released: String?
        /// US dollars for a million tokens that it reads, and that it writes.
        public let inputCost: Double?, outputCost: Double?
        /// The most tokens that it takes in, and the most that it writes.
        public let contextTokens: Int64?, outputTokens: Int64?

        /// The tokens it takes in, in short: `1M`, `200K`.
        package var contextText: String? { contextTokens.map { ModelCatalog.short($0) } }
    }

    /// Whether a choice can work.
    public enum Verdict: Sendable, Hashable {
        /// The provider offers the model.
        case known
        /// The provider offers others; the nearest names of those, best first.
        case unknownModel(suggestions: [String])
        /// The provider is not known; the nearest names.
        case unknownProvider(suggestions: [String])
        /// It cannot be told: the provider's models are in no list, or there is no list.
        case unverifiable
    }

    /// Providers that the agent knows beside the list, whose models are in no list.
    package static let unlisted: Set<String> = [
        "custom", "nous", "openai-codex", "qwen-oauth", "google-gemini-cli", "copilot-acp", "auto",
    ]

    /// The providers, by name.
    public let providers: [Provider]
    /// Why there is no list, where the file could not be read; a missing file is none.
    package let problem: DataError?

    private init(providers: [Provider], problem: DataError?) {
        self.providers = providers
        self.problem = problem
    }

    /// An empty catalog, with its reason.
    init(problem: DataError?) { self.init(providers: [], problem: problem) }

    /// Reads a list. Entries that are something else are left out.
    package init(parsing bytes: [UInt8]) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            self.init(
                problem: DataError(.fileMalformed, "The list of models is not JSON: \(error.message)", cause: error)
            )
            return
        }
        guard let object = json.object else {
            self.init(problem: DataError(.fileMalformed, "The list of models is \(json.kindInWords), not an object."))
            return
        }
        let providers = object.compactMap { member in
            member.value.object.map { Provider(member.key, .object($0)) }
        }.sorted { $0.name.lowercased() < $1.name.lowercased() }
        self.init(providers: providers, problem: nil)
    }

    /// A provider, by its key on models.dev or by a name that configurations have for it; `nil` for one that is not in
    /// the list.
    package func provider(_ name: String) -> Provider? {
        let name = ModelProviderNames.normal(name)
        if let provider = providers.first(where: { $0.id == name }) { return provider }
        return ModelProviderNames.keys[name].flatMap { key in providers.first { $0.id == key } }
    }

    /// A model of a provider.
    package func model(_ id: String, of provider: String) -> Model? {
        self.provider(provider)?.models.first { $0.id == id }
    }

    /// Finds the models whose name or id has a text, in capitals or not, with their providers.
    public func search(_ text: String, limit: Int = 100) -> [(provider: Provider, model: Model)] {
        let wanted = text.lowercased()
        var found: [(provider: Provider, model: Model)] = []
        for provider in providers {
            for model in provider.models where found.count < limit {
                if model.id.lowercased().contains(wanted) || model.name.lowercased().contains(wanted) {
                    found.append((provider, model))
                }
            }
        }
        return found
    }

    /// Checks a choice of model and provider.
    ///
    /// - Parameters:
    ///   - model: The model, as a configuration names it.
    ///   - provider: The provider, as a configuration names it: `gemini`, `custom:my-proxy`.
    ///   - config: The configuration, whose own providers count; `nil` where there are none.
    /// - Returns: Whether the choice can work, as far as the list tells.
    public func verdict(on model: String, of provider: String, in config: HermesConfig? = nil) -> Verdict {
        let name = ModelProviderNames.normal(provider)
        let isOwn = name.hasPrefix(bytes: "custom:") || config?.customProviders.contains(name) == true
        guard !providers.isEmpty, !isOwn, !Self.unlisted.contains(name) else { return .unverifiable }
        guard let found = self.provider(name) else {
            guard ModelProviderNames.keys[name] == nil, !ModelProviderNames.known.contains(name) else {
                return .unverifiable
            }
            return .unknownProvider(suggestions: Self.nearest(to: name, in: providerNames))
        }
        if found.models.contains(where: { $0.id == model }) { return .known }
        guard !found.models.isEmpty else { return .unverifiable }
        return .unknownModel(suggestions: Self.nearest(to: model, in: found.models.map(\.id)))
    }

    /// The names that a configuration may give the providers of the list.
    private var providerNames: [String] {
        let ids = Set(providers.map(\.id))
        return ids.sorted() + ModelProviderNames.keys.filter { ids.contains($0.value) }.keys.sorted()
    }

    /// `1M`, `200K`, `8192`.
    static func short(_ count: Int64) -> String {
        let text = { (value: Double, unit: String) in
            let tenths = (value * 10).rounded(.down)
            let whole = Int64(tenths / 10)
            let rest = Int64(tenths) % 10
            return rest == 0 ? "\(whole)\(unit)" : "\(whole).\(rest)\(unit)"
        }
        if count >= 1_000_000 { return text(Double(count) / 1_000_000, "M") }
        // Powers of two are told as they are meant: 131,072 is 128K.
        if count >= 1024, count % 1024 == 0, count % 1000 != 0 { return text(Double(count) / 1024, "K") }
        if count >= 10_000 { return text(Double(count) / 1000, "K") }
        return String(count)
    }

    private static func nearest(to name: String, in names: [String]) -> [String] {
        let wanted = name.lowercased()
        let scored = names.map { candidate -> (Int, String) in
            let other = candidate.lowercased()
            if other.contains(wanted) || wanted.contains(other) { return (0, candidate) }
            return (distance(Array(wanted.utf8.prefix(64)), Array(other.utf8.prefix(64))), candidate)
        }
        return scored.filter { $0.0 <= max(2, wanted.utf8.count / 3) }.sorted { $0 < $1 }.prefix(3).map(\.1)
    }

    /// Returns the number of letters that must change (Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(row[j] + 1, above + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

extension ModelCatalog.Provider {
    fileprivate init(_ key: String, _ json: JSONValue) {
        id = json["id"]?.text ?? key
        name = json["name"]?.text ?? key
        environment = json["env"]?.array?.compactMap(\.text) ?? []
        documentation = json["doc"]?.text
        models = (json["models"]?.object ?? [:]).compactMap { member in
            member.value.object.map { ModelCatalog.Model(member.key, .object($0)) }
        }.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }
}

extension ModelCatalog.Model {
    fileprivate init(_ key: String, _ json: JSONValue) {
        id = json["id"]?.text ?? key
        name = json["name"]?.text ?? key
        reasons = json["reasoning"]?.bool
        callsTools = json["tool_call"]?.bool
        released = json["release_date"]?.text
        inputCost = json["cost"]?["input"]?.double
        outputCost = json["cost"]?["output"]?.double
        contextTokens = json["limit"]?["context"]?.integer
        outputTokens = json["limit"]?["output"]?.integer
    }
}

extension JSONValue {
    /// The kind of the value, for messages.
    var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number, .numeral: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension HermesHome {
    /// Reads the models that the agent knows of for this profile; if there are none yet, those of the default one.
    /// A file that is missing or cannot be read gives an empty catalog with the reason.
    ///
    /// - Throws: A lost or missing connection; `CancellationError`.
    public func modelCatalog() async throws -> ModelCatalog {
        var places = [path]
        if rootPath != path { places.append(rootPath) }
        for place in places {
            let file = HostFile("\(place)/models_dev_cache.json", on: host, limitBytes: 64 << 20)
            do {
                let contents = try await file.read()
                if contents.exists { return ModelCatalog(parsing: contents.bytes) }
            } catch let error as DataError {
                return ModelCatalog(problem: error)
            } catch let error as TransportError where error.code == .permissionDenied || error.code == .fileFailed {
                return ModelCatalog(
                    problem: DataError(
                        .fileUnreadable,
                        "The list of models cannot be read: \(error.message)",
                        cause: error
                    )
                )
            }
        }
        return ModelCatalog(problem: nil)
    }
}

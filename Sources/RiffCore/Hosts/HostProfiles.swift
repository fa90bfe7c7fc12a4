// Riff
// SPDX-License-Identifier: Apache-2.0

/// The hosts that a person set up, each with a key of its own.
///
/// Each profile is one text in the settings' store, each key a secret under its own id: no host is ever found by being
/// the first of a list, so that none stands in another's way.
///
/// One host is active. The Connection settings (`riff.ssh.host`, `riff.ssh.port`, `riff.ssh.user`) are its address, so
/// that a settings page edits the active host, and a store that knows only them is a store with one host.
public actor HostProfiles {
    /// What is stored.
    public struct Listing: Sendable {
        /// The hosts, in the order in which they were added.
        public var profiles: [HostProfile] = []
        /// The entries that could not be read, each as an error for a person; the others are listed all the same.
        public var problems: [CoreError] = []
    }

    /// The settings, whose store the profiles are in.
    public nonisolated let settings: RiffSettings
    /// The store that holds the keys.
    public nonisolated let secrets: any SecretStore
    private nonisolated var store: any KeyValueStore { settings.store }

    /// Hosts in a settings' store, with keys in a store for secrets.
    public init(settings: RiffSettings, secrets: any SecretStore) {
        self.settings = settings
        self.secrets = secrets
    }

    // MARK: Profiles

    /// All hosts.
    ///
    /// - Throws: What the store throws.
    public func list() async throws -> Listing {
        let stored = try await store.names().compactMap(Self.id)
        // A list that another process wrote at the same time may lack one: it is then shown last.
        let known = try await order().filter(stored.contains)
        let rest = stored.filter { !known.contains($0) }.sorted { $0.text < $1.text }
        var listing = Listing()
        for id in known + rest {
            do {
                if let profile = try await profile(id) { listing.profiles.append(profile) }
            } catch let problem as CoreError where problem.code == .invalidHostProfile {
                listing.problems.append(problem)
            }
        }
        return listing
    }

    /// A host; `nil` where there is none of this id.
    ///
    /// - Throws: ``CoreError`` with `invalidHostProfile`; what the store throws.
    public func profile(_ id: RiffIdentifier) async throws -> HostProfile? {
        guard let text = try await store.value(for: Self.name(id)) else { return nil }
        return try HostProfile(id: id, text: text)
    }

    /// Adds a host, or changes the one of its id. The active host's Connection settings change with it.
    ///
    /// - Throws: What the store throws.
    public func save(_ profile: HostProfile) async throws {
        try await store.set(profile.text(), for: Self.name(profile.id))
        let order = try await order()
        if !order.contains(profile.id) { try await setOrder(order + [profile.id]) }
        if try await activeID() == profile.id { try await writeConnection(of: profile) }
    }

    /// Removes a host, and its key where no other host uses it. Nothing changes on the host itself.
    ///
    /// - Throws: What the stores throw.
    public func remove(_ id: RiffIdentifier) async throws {
        let keyID = try? await profile(id)?.keyID  // One that cannot be read is removed as well; its key stays.
        try await store.set(nil, for: Self.name(id))
        try await setOrder(try await order().filter { $0 != id })
        if try await activeID() == id {
            try await store.set(nil, for: Self.activeName)
            try await settings.reset(.host)
            try await settings.reset(.port)
            try await settings.reset(.user)
        }
        if let keyID { try await discardKey(keyID) }
    }

    // MARK: The active host

    /// The active host, with the Connection settings as they are now; `nil` where there is none.
    ///
    /// Settings without a profile, of a version or a front end that knows one host only, become one, with the key
    /// ``firstKey``.
    ///
    /// - Throws: ``CoreError`` with `invalidHost` for a name in the settings that is none; `invalidHostProfile`; what
    ///   the store throws.
    public func active() async throws -> HostProfile? {
        let connection = try await settings.snapshot()
        let (host, user) = (connection[.host], InertText.line(connection[.user]))
        guard let id = try await activeID(), var profile = try await profile(id) else {
            guard !host.isEmpty, !user.isEmpty else { return nil }
            let address = try HostAddress(host, port: connection[.port])
            let profile = HostProfile(id: Self.firstKey, address: address, user: user, keyID: Self.firstKey)
            try await save(profile)
            try await store.set(profile.id.text, for: Self.activeName)
            return profile
        }
        guard !host.isEmpty, !user.isEmpty else { return profile }
        let before = profile
        profile.address = try HostAddress(host, port: connection[.port])
        profile.user = user
        if profile.label == before.address.name { profile.label = profile.address.name }
        if profile != before { try await store.set(profile.text(), for: Self.name(id)) }
        return profile
    }

    /// Makes a host the active one. What the settings say of the one before is kept in its profile.
    ///
    /// - Throws: ``CoreError`` with `hostProfileNotFound`; what the store throws.
    public func activate(_ id: RiffIdentifier) async throws {
        if try await activeID() != id {
            do { _ = try await active() } catch let error as CoreError where error.code == .invalidHost {
                // A half-edited name of the host that is left is not worth keeping.
            }
        }
        guard let profile = try await profile(id) else {
            throw CoreError(.hostProfileNotFound, "There is no host \(id) any more. Set it up again.")
        }
        try await store.set(id.text, for: Self.activeName)
        try await writeConnection(of: profile)
    }

    private func activeID() async throws -> RiffIdentifier? {
        // A damaged id is no id.
        try await store.value(for: Self.activeName).flatMap { try? RiffIdentifier($0) }
    }

    private func writeConnection(of profile: HostProfile) async throws {
        try await settings.set(profile.address.name, for: .host)
        try await settings.set(profile.address.port, for: .port)
        try await settings.set(profile.user, for: .user)
    }

    // MARK: Names

    /// The id of the profile that settings without one become, and of its key.
    public static var firstKey: RiffIdentifier { RiffIdentifier.first }

    private static let prefix = "riff.host."
    private static let orderName = "riff.hosts"
    private static let activeName = "riff.hosts.active"

    private static func name(_ id: RiffIdentifier) -> String { prefix + id.text }

    private static func id(inName name: String) -> RiffIdentifier? {
        guard name.hasPrefix(prefix) else { return nil }
        return try? RiffIdentifier(String(name.dropFirst(prefix.count)))  // Another name that begins alike.
    }

    private func order() async throws -> [RiffIdentifier] {
        let text = try await store.value(for: Self.orderName) ?? ""
        return text.split(separator: " ").compactMap { try? RiffIdentifier(String($0)) }  // A damaged id is no id.
    }

    private func setOrder(_ order: [RiffIdentifier]) async throws {
        try await store.set(order.map(\.text).joined(separator: " "), for: Self.orderName)
    }
}

extension CoreErrorCode {
    /// There is no host profile of this id.
    public static let hostProfileNotFound = CoreError.Code(rawValue: "hostProfileNotFound")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost {
    /// The host of a profile, with the profile's own key; the hosts through which it is reached likewise.
    ///
    /// - Parameters:
    ///   - profile: The host.
    ///   - profiles: Where its key and the profiles of jump hosts are.
    ///   - key: A key that is not stored for this host yet; its own where `nil`.
    ///   - trust: Which host keys are trusted.
    ///   - conversation: The person whom the servers on the way and at its end speak to, and ask after the key.
    ///   - dialer: Who opens the connection to the host that is dialed first: this one, or its outermost jump host.
    /// - Throws: `CoreError` with `keyNotFound`, `invalidKey`, `keyUnsupported`, `passphraseNeeded`,
    ///   `hostProfileNotFound` or `jumpLoop`; what the stores throw.
    public init(
        _ profile: HostProfile,
        of profiles: HostProfiles,
        key: SSHPrivateKey? = nil,
        trust: HostTrust,
        conversation: (any SSHConversation)? = nil,
        dialer: any HostDialer = .network
    ) async throws {
        // The way to a host, from the host itself to the one that is dialed first.
        var way = [profile]
        var last = profile
        while let next = last.jump {
            guard !way.contains(where: { $0.id == next }) else {
                let message =
                    "The hosts through which \(profile.label) is reached lead in a circle. Change one of them."
                throw CoreError(.jumpLoop, message, recovery: .openSettings(.jump))
            }
            guard let hop = try await profiles.profile(next) else {
                let message = "The host through which \(last.label) is reached is not set up any more."
                throw CoreError(.hostProfileNotFound, message, recovery: .openSettings(.jump))
            }
            way.append(hop)
            last = hop
        }
        var jump: SSHHost?
        for hop in way.dropFirst().reversed() {
            let key = try await profiles.key(of: hop)
            jump = SSHHost(Self.configuration(of: hop, key: key, trust, conversation, jump, dialer))
        }
        let own: SSHPrivateKey
        if let key { own = key } else { own = try await profiles.key(of: profile) }
        self.init(Self.configuration(of: profile, key: own, trust, conversation, jump, dialer))
    }

    private static func configuration(
        of profile: HostProfile,
        key: SSHPrivateKey,
        _ trust: HostTrust,
        _ conversation: (any SSHConversation)?,
        _ jump: SSHHost?,
        _ dialer: any HostDialer
    ) -> SSHHost.Configuration {
        var configuration = SSHHost.Configuration(
            address: profile.address,
            user: profile.user,
            credentials: [.key(key)] + (conversation == nil ? [] : [.questions]),
            trust: trust,
            jump: jump
        )
        configuration.dialer = dialer
        configuration.conversation = conversation
        return configuration
    }
}

extension CoreErrorCode {
    /// Hosts that are reached through each other.
    public static let jumpLoop = CoreError.Code(rawValue: "jumpLoop")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// What a build brings along for its developer: a host, a user, a start directory, the shared secret. Builds that are
/// given to others bring nothing.
public struct BakedDefaults: Sendable {
    /// The host's name; empty for none.
    public var host: String
    /// The account; empty for none.
    public var user: String
    /// Where sessions start; empty for the home directory.
    public var startDirectory: String
    /// The shared secret of the voice server, in hexadecimal; empty for none.
    public var secret: Secret

    /// What a build brings along; nothing unless said otherwise.
    public init(host: String = "", user: String = "", startDirectory: String = "", secret: Secret = Secret("")) {
        self.host = host
        self.user = user
        self.startDirectory = startDirectory
        self.secret = secret
    }

    /// Whether the secret protects something: not empty, and not the zeros that stand for none.
    public var isRealSecret: Bool {
        secret.bytes.contains { byte in
            !(0x09...0x0D).contains(byte) && byte != UInt8(ascii: " ") && byte != UInt8(ascii: "0")
        }
    }

    /// Why a build with these must not be given to others; empty where it may. A script that publishes asks this first.
    public var publishingProblems: [CoreError] {
        var problems: [CoreError] = []
        if isRealSecret {
            let message = "This build holds a real shared secret. Empty it before the build is given to others."
            problems.append(CoreError(.bakedSecret, message))
        }
        if !host.allSatisfy(\.isWhitespace) {
            let message = "This build holds its developer's host name. Empty it before the build is given to others."
            problems.append(CoreError(.bakedHost, message))
        }
        return problems
    }
}

#if DEBUG
extension RiffSettings {
    /// Fills in the developer's host and marks onboarding as done, where no host was set up yet. Only builds for
    /// debugging have this: one that is given to others always begins with onboarding.
    ///
    /// - Parameter baked: What the build brings along; without a host and a user nothing happens.
    /// - Returns: Whether anything was filled in.
    /// - Throws: What the store throws.
    @discardableResult
    public func seed(_ baked: BakedDefaults) async throws -> Bool {
        let current = try await snapshot()
        guard !baked.host.isEmpty, !baked.user.isEmpty, current[.host].isEmpty, current[.user].isEmpty else {
            return false
        }
        try await set(baked.host, for: .host)
        try await set(baked.user, for: .user)
        if !baked.startDirectory.isEmpty {
            try await set(try StartDirectory(baked.startDirectory), for: .startDirectory)
        }
        try await set(true, for: .onboardingCompleted)
        return true
    }
}
#endif

extension CoreErrorCode {
    /// A build that is to be given to others holds a real secret.
    public static let bakedSecret = CoreError.Code(rawValue: "bakedSecret")
    /// A build that is to be given to others holds its developer's host.
    public static let bakedHost = CoreError.Code(rawValue: "bakedHost")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// What is probably wrong, told from an agent's own words: its answer, what it wrote to standard error, how it ended.
public struct ACPErrorHint: Sendable, Hashable {
    /// The open set of kinds.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        package let rawValue: String

        /// Any name, also one this version does not know.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// No key for the model's provider is set up where the agent runs.
        package static let missingCredentials = Kind(rawValue: "missingCredentials")
        /// The provider refused the key.
        package static let rejectedCredentials = Kind(rawValue: "rejectedCredentials")
        /// The agent wants the person to sign in first.
        package static let authenticationRequired = Kind(rawValue: "authenticationRequired")
        /// The agent's program, or one that it needs, is not there.
        package static let missingProgram = Kind(rawValue: "missingProgram")
        /// The provider takes no more requests for now.
        package static let rateLimit = Kind(rawValue: "rateLimit")
        /// The provider does not have the model.
        package static let modelNotFound = Kind(rawValue: "modelNotFound")
        /// The connection to the host failed.
        package static let connection = Kind(rawValue: "connection")
        /// The program ended before it answered, without saying why.
        package static let exitedEarly = Kind(rawValue: "exitedEarly")
    }

    /// What is wrong.
    package let kind: Kind
    /// One sentence for the person.
    public let text: String
    /// The recovery that can be offered.
    public let recovery: Recovery?

    private init(_ kind: Kind, _ text: String, _ recovery: Recovery? = nil) {
        self.kind = kind
        self.text = text
        self.recovery = recovery
    }

    /// Finds what is wrong.
    ///
    /// - Parameters:
    ///   - answer: The error that the agent answered with.
    ///   - words: What it wrote elsewhere: standard error, lines that are no messages.
    ///   - hasExited: Whether its program has ended, and not because it was asked to.
    /// - Returns: `nil` where nothing is recognized.
    package static func classify(
        answer: ACP.RPCError? = nil,
        words: String = "",
        hasExited: Bool = false
    ) -> ACPErrorHint? {
        if answer?.code == .authenticationRequired { return hint(.authenticationRequired) }
        // An agent may answer with megabytes; what is wrong is said at their beginning.
        let parts = [answer?.message ?? "", answer?.data?.description ?? "", words]
        let text = parts.map { String(decoding: $0.utf8.prefix(32 * 1024), as: UTF8.self) }.joined(separator: "\n")
            .lowercased()
        for (kind, signs) in signs where signs.contains(where: { text.contains($0) }) { return hint(kind) }
        return hasExited ? hint(.exitedEarly) : nil
    }

    /// The signs of each kind, most telling first: a program that reports a refused key may speak of retries as well.
    private static let signs: [(Kind, [String])] = [
        (
            .connection,
            [
                "could not resolve hostname", "connection refused", "connection timed out",
                "host key verification failed",
                "permission denied (publickey", "no route to host", "network is unreachable",
            ]
        ),
        (
            .missingProgram,
            [
                "command not found", "no such file or directory: '", "executable file not found",
                "not recognized as an internal",
                "modulenotfounderror", "cannot find module", ": not found",
            ]
        ),
        (
            .modelNotFound,
            [
                "model_not_found", "model not found", "no such model", "does not exist or you do not have access",
                "unknown model",
            ]
        ),
        (
            .rateLimit,
            ["rate limit", "rate_limit", "ratelimit", "too many requests", "error code: 429", "http 429", "status 429"]
        ),
        (
            .missingCredentials,
            [
                "no api key", "api key not found", "missing api key", "no credentials", "credentials not found",
                "api_key client option must be set", "is not set", "no inference provider",
            ]
        ),
        (
            .rejectedCredentials,
            [
                "invalid api key", "invalid_api_key", "incorrect api key", "invalid x-api-key", "authentication_error",
                "error code: 401", "http 401", "status 401", "401 unauthorized",
            ]
        ),
        (
            .authenticationRequired,
            ["auth_required", "authentication required", "please log in", "please login", "not logged in", "/login"]
        ),
    ]

    private static func hint(_ kind: Kind) -> ACPErrorHint {
        switch kind {
        case .connection:
            ACPErrorHint(kind, "The host could not be reached.", .checkNetwork)
        case .missingProgram:
            ACPErrorHint(kind, "The agent's program, or one that it needs, is not installed where it was started.")
        case .modelNotFound:
            ACPErrorHint(kind, "The provider does not have the chosen model. Choose another one.")
        case .rateLimit:
            ACPErrorHint(kind, "The provider takes no more requests for now. Wait, then try again.", .retry)
        case .missingCredentials:
            ACPErrorHint(kind, "The agent has no key for its model's provider. Set it up where the agent runs.")
        case .rejectedCredentials:
            ACPErrorHint(kind, "The provider refused the agent's key. Renew it where the agent runs.")
        case .authenticationRequired:
            ACPErrorHint(kind, "The agent wants you to sign in first.")
        default:
            ACPErrorHint(.exitedEarly, "The agent's program ended by itself. What it wrote last may say why.", .retry)
        }
    }
}

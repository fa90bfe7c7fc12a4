// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One question of a server to the person (RFC 4256 section 3.2).
public struct SSHPrompt: Sendable, Hashable {
    /// The server's words, such as `Verification code: `, without control characters but tabs and line ends.
    public let text: String
    /// Whether the answer may be shown while it is typed.
    public let echoes: Bool

    /// Creates a prompt.
    public init(text: String, echoes: Bool) {
        self.text = text
        self.echoes = echoes
    }
}

/// One round of a server's questions to the person who logs in: a collection of its prompts.
///
/// Every text is the server's, without control characters but tabs and line ends, and no longer than
/// ``longestTextBytes``; its host key was verified before. A round may have no prompt, only something to read: it is
/// answered with no answers, when the person has read it.
public struct SSHPrompts: Sendable, Hashable, RandomAccessCollection {
    /// The reason that a server asks.
    public struct Purpose: RawRepresentable, Sendable, Hashable {
        /// A stable name.
        public let rawValue: String

        /// A purpose by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// To let the user in (keyboard-interactive, RFC 4256).
        public static let login = Purpose(rawValue: "login")
        /// A new password is wanted, because the old one expired (RFC 4252 section 8): one prompt. A front end may ask
        /// the person twice, and answers once.
        public static let newPassword = Purpose(rawValue: "newPassword")
    }

    /// The most bytes that a text has; the middle of a longer one is left out.
    public static let longestTextBytes = 8_000

    /// The host that asks.
    public let host: HostPin
    /// The account that is logged in to.
    public let user: String
    /// The reason that the server asks.
    public let purpose: Purpose
    /// A name for the round, to be shown as a title; often empty.
    public let name: String
    /// The instruction to be shown above the prompts; often empty.
    public let instruction: String
    /// The questions, in the order in which they are answered.
    public let prompts: [SSHPrompt]

    /// The web addresses in all of the texts, in their order: pages to sign in on, as a rule. Nothing opens them by
    /// itself: show the whole address, and let the person decide.
    public var links: [String] {
        WebLinks.links(in: ([name, instruction] + prompts.map(\.text)).joined(separator: "\n"))
    }

    /// Creates a round, for a front end's tests.
    ///
    /// - Parameters:
    ///   - host: The host that asks.
    ///   - user: The account.
    ///   - purpose: The reason.
    ///   - name: The title.
    ///   - instruction: What to do.
    ///   - prompts: The questions.
    public init(
        host: HostPin,
        user: String,
        purpose: Purpose = .login,
        name: String = "",
        instruction: String = "",
        prompts: [SSHPrompt]
    ) {
        self.host = host
        self.user = user
        self.purpose = purpose
        self.name = name
        self.instruction = instruction
        self.prompts = prompts
    }

    /// The first prompt's place.
    public var startIndex: Int { 0 }
    /// The place after the last prompt.
    public var endIndex: Int { prompts.count }
    /// The prompt at a place.
    public subscript(position: Int) -> SSHPrompt { prompts[position] }

    init(_ request: SSHEngineRequest, purpose: Purpose, host: HostPin, user: String) {
        self.init(
            host: host,
            user: user,
            purpose: purpose,
            name: InertText.paragraph(request.name, limitBytes: Self.longestTextBytes),
            instruction: InertText.paragraph(request.instruction, limitBytes: Self.longestTextBytes),
            prompts: request.prompts.map {
                let text = InertText.paragraph($0.text, limitBytes: Self.longestTextBytes)
                return SSHPrompt(text: text, echoes: $0.echoes)
            }
        )
    }
}

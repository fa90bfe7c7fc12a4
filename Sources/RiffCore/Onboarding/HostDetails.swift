// Riff
// SPDX-License-Identifier: Apache-2.0

/// A host's address and account as a person types them.
public struct HostDetails: Sendable, Hashable {
    /// The DNS name or IP address.
    public var host: String
    /// The port; nothing is 22.
    public var port: String
    /// The account's name on the host.
    public var user: String

    /// Details, empty unless said otherwise.
    public init(host: String = "", port: String = "", user: String = "") {
        self.host = host
        self.port = port
        self.user = user
    }

    /// The details of a host that is set up.
    public init(_ profile: HostProfile) {
        self.init(
            host: profile.address.name,
            port: profile.address.port == 22 ? "" : "\(profile.address.port)",
            user: profile.user
        )
    }

    /// The problems of the host, the port and the user; empty where they can be used. White space around one does
    /// not count.
    public var problems: [SettingName: CoreError] {
        var problems: [SettingName: CoreError] = [:]
        let number = portNumber
        if number == nil {
            let message = "\"\(InertText.line(port))\" is not a port: a number from 1 to 65535, or nothing for 22."
            problems[.port] = CoreError(.invalidPort, message, recovery: .openSettings(.port))
        }
        do throws(CoreError) { _ = try HostAddress(Self.trimmed(host), port: number ?? 22) } catch {
            if Self.trimmed(host).isEmpty {
                let message = "The host's name is missing. Enter its name in your private network, or its IP address."
                problems[.host] = CoreError(.invalidHost, message, recovery: .openSettings(.host))
            } else {
                problems[.host] = error
            }
        }
        if !Self.isUser(Self.trimmed(user)) {
            let message =
                Self.trimmed(user).isEmpty
                ? "The user is missing. Enter what \"whoami\" says on the host."
                : "The user cannot be used. Enter what \"whoami\" says on the host."
            problems[.user] = CoreError(.invalidUser, message, recovery: .openSettings(.user))
        }
        return problems
    }

    /// The address and the account; `nil` while there are ``problems``.
    public var resolved: (address: HostAddress, user: String)? {
        // Why it cannot be used is told by `problems`.
        guard problems.isEmpty, let port = portNumber,
            let address = try? HostAddress(Self.trimmed(host), port: port)
        else { return nil }
        return (address, Self.trimmed(user))
    }

    private var portNumber: Int? {
        let text = Self.trimmed(port)
        guard !text.isEmpty else { return 22 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            (1...65_535).contains(number)
        else { return nil }
        return number
    }

    private static func isUser(_ user: String) -> Bool {
        // sshd has its own rules; what is refused here can be none of any system, or is a slip of the finger.
        (1...255).contains(user.utf8.count) && !user.hasPrefix("-")
            && user.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value > 0x20 && $0.value != 0x7F }
    }

    private static func trimmed(_ text: String) -> String {
        let tail = text.drop(while: \.isWhitespace)
        return String(tail.reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension CoreErrorCode {
    /// The text is not the name of an account.
    public static let invalidUser = CoreError.Code(rawValue: "invalidUser")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// A host that a person set up: where it is, as whom, and with which key.
///
/// It is written as a JSON object. Members that this version does not know are kept when it is written again, so that
/// an older and a newer version may share a store. It holds no secret: the key is in a ``SecretStore`` under ``keyID``.
public struct HostProfile: Sendable, Hashable, Identifiable {
    /// Its name in the store; never changes.
    public let id: RiffIdentifier
    /// The name that the person gave the host.
    public var label: String
    /// The address of the host's SSH server.
    public var address: HostAddress
    /// The account's name on the host.
    public var user: String
    /// Which of the stored keys is this host's; see ``HostProfiles/key(of:)``.
    public var keyID: RiffIdentifier
    /// The profile of the host through which this one is reached.
    public var jump: RiffIdentifier?

    private var unknown = JSONObject()

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - id: Its name in the store.
    ///   - label: What the person calls it; the host's name where it is empty.
    ///   - address: Where its SSH server listens.
    ///   - user: The account.
    ///   - keyID: Which of the stored keys is its own.
    ///   - jump: The profile of the host through which it is reached.
    public init(
        id: RiffIdentifier = .random(),
        label: String = "",
        address: HostAddress,
        user: String,
        keyID: RiffIdentifier,
        jump: RiffIdentifier? = nil
    ) {
        self.id = id
        self.label = label.isEmpty ? address.name : label
        self.address = address
        self.user = user
        self.keyID = keyID
        self.jump = jump
    }

    // MARK: Text

    /// Reads a profile from a store's text. What an older version did not write has a default: port 22, and the host's
    /// name as label.
    ///
    /// - Throws: ``CoreError`` with `invalidHostProfile`.
    init(id: RiffIdentifier, text: String) throws(CoreError) {
        let value: JSONValue
        do { value = try JSONValue(parsing: text) } catch { throw Self.invalid(id, "is not JSON", error) }
        guard let members = value.object else { throw Self.invalid(id, "is not a JSON object") }
        guard let host = members["host"]?.text, let user = members["user"]?.text, !user.isEmpty else {
            throw Self.invalid(id, "lacks the host or the user")
        }
        let port = members["port"]?.integer ?? 22
        do {
            address = try HostAddress(host, port: Int(clamping: port))
            keyID = try RiffIdentifier(members["key"]?.text ?? id.text)
            jump = try members["jump"]?.text.map { text throws(CoreError) in try RiffIdentifier(text) }
        } catch {
            throw Self.invalid(id, "has a member that cannot be used", error)
        }
        self.id = id
        self.user = user
        label = members["label"]?.text ?? host
        unknown = members
        for key in Self.known { unknown[key] = nil }
    }

    /// The text for a store.
    func text() -> String {
        var members = unknown
        members["label"] = .string(label)
        members["host"] = .string(address.name)
        members["port"] = .integer(Int64(address.port))
        members["user"] = .string(user)
        members["key"] = .string(keyID.text)
        members["jump"] = jump.map { .string($0.text) }
        return String(decoding: JSONValue.object(members).bytes(sortedKeys: true), as: UTF8.self)
    }

    private static let known: Set<String> = ["label", "host", "port", "user", "key", "jump"]

    private static func invalid(_ id: RiffIdentifier, _ reason: String, _ cause: (any Error)? = nil) -> CoreError {
        let message = "The stored host \(id) \(reason). Remove it and set it up again."
        return CoreError(.invalidHostProfile, message, cause: cause)
    }
}

extension CoreErrorCode {
    /// A stored host profile cannot be read.
    public static let invalidHostProfile = CoreError.Code(rawValue: "invalidHostProfile")
}

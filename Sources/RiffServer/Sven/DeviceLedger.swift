// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import RiffCore

/// The devices that a server knows: hashes of their tokens, each with a name. A token itself is kept nowhere.
///
/// It keeps what it knows in a ``KeyValueStore``: `KeyValueFile` for a JSON file that is replaced in one step and
/// readable by its owner only, `InMemoryKeyValueStore` for one that is forgotten. The store is asked at every request,
/// so that a device which was revoked by another process is refused at once.
public struct DeviceLedger: Sendable {
    /// A device that is known.
    public struct Device: Sendable, Hashable, Identifiable {
        /// The SHA-256 of its token, in hexadecimal digits. It is no secret: a token has 122 random bits.
        public let id: String
        /// What a person calls it.
        public let name: String

        /// A device; for tests and previews.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// How many bytes a token has: those of a UUID have 36.
    package static let tokenBytes = 16...256
    /// How many devices there can be.
    package static let limit = 256

    private let store: any KeyValueStore

    /// A ledger.
    ///
    /// - Parameter store: Where it is kept; nothing else may be in there.
    public init(_ store: any KeyValueStore) { self.store = store }

    /// Makes a device known, or gives one that is known another name.
    ///
    /// - Parameters:
    ///   - token: Its token; ``tokenBytes`` long.
    ///   - name: What a person calls it. Control characters are left out, and what is longer than 64 characters.
    /// - Returns: The device.
    /// - Throws: ``ServerError`` with `unusableToken` or `tooManyDevices`; what the store throws.
    @discardableResult
    public func add(_ token: Secret, name: String) async throws -> Device {
        guard Self.isUsable(token) else {
            throw ServerError(.unusableToken, "A device's token must have 16 to 256 visible ASCII characters.")
        }
        let visible = name.unicodeScalars.filter { !$0.properties.isControl }
        let short = String(String.UnicodeScalarView(visible)).prefix(64)
        let device = Device(id: Self.id(of: token), name: short.isEmpty ? "device" : String(short))
        let known = try await store.names()
        guard known.count < Self.limit || known.contains(device.id) else {
            let message = "\(Self.limit) devices are known already. Revoke one that is not used any more."
            throw ServerError(.tooManyDevices, message)
        }
        try await store.set(device.name, for: device.id)
        return device
    }

    /// The device of a token, or `nil` where it is not known. The time this takes tells nothing about known tokens.
    ///
    /// - Throws: What the store throws.
    public func device(of token: Secret) async throws -> Device? {
        let presented = Self.id(of: token)
        var found: String?
        // All are compared, to the end: which one it was, and how nearly, must not show.
        for id in try await store.names() where constantTimeEqual(id.utf8, presented.utf8) { found = id }
        guard let found, let name = try await store.value(for: found) else { return nil }
        return Device(id: found, name: name)
    }

    /// Whether a device is known.
    ///
    /// - Throws: What the store throws.
    public func contains(_ token: Secret) async throws -> Bool { try await device(of: token) != nil }

    /// All devices, by name.
    ///
    /// - Throws: What the store throws.
    public func devices() async throws -> [Device] {
        var devices: [Device] = []
        for id in try await store.names() {
            // One that was revoked in between is not there any more.
            if let name = try await store.value(for: id) { devices.append(Device(id: id, name: name)) }
        }
        return devices.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Forgets a device. Forgetting one that is not known changes nothing.
    ///
    /// - Parameter id: The device's id, from ``devices()``.
    /// - Throws: What the store throws.
    public func revoke(_ id: Device.ID) async throws { try await store.set(nil, for: id) }

    static func isUsable(_ token: Secret) -> Bool {
        tokenBytes.contains(token.bytes.count) && token.bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func id(of token: Secret) -> String { HexDigits.text(SHA256.hash(data: token.bytes)) }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        default: false
        }
    }
}

extension ServerErrorCode {
    /// A device's token cannot be used as one.
    public static let unusableToken = ServerError.Code(rawValue: "unusableToken")
    /// As many devices are known as there can be.
    public static let tooManyDevices = ServerError.Code(rawValue: "tooManyDevices")
}

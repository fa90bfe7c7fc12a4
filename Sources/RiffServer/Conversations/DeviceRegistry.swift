// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension DeviceRegistry {
    /// A device that wants to be told of answers.
    public struct Device: Sendable, Hashable {
        /// Which device.
        public let id: RiffIdentifier
        /// Its push token in hexadecimal digits, as the platform gave it.
        public let pushToken: String
        /// Which of the platform's push services the token is for, such as `production` or `sandbox`.
        public let environment: String
        /// When it was registered, in seconds since 1970.
        public let time: Double

        /// A device.
        ///
        /// - Throws: ``CoreError`` with `invalidIdentifier` where the token is not 2 to 400 hexadecimal digits, or the
        ///   environment no identifier.
        package init(id: RiffIdentifier, pushToken: String, environment: String, time: Double) throws(CoreError) {
            guard (2...400).contains(pushToken.utf8.count), pushToken.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw CoreError(.invalidIdentifier, "A push token must be 2 to 400 hexadecimal digits.")
            }
            self.environment = try RiffIdentifier(environment).text
            (self.id, self.pushToken, self.time) = (id, pushToken, time)
        }
    }
}

/// The devices that a server tells of answers, in a file `devices.json`: an object with a member for each,
/// `{"push_token_hex", "env", "ts"}`. Processes may share it.
public actor DeviceRegistry {
    /// The most devices; the one that was registered longest ago makes room.
    static let limit = 1000

    /// The file.
    package nonisolated let path: String
    private nonisolated let executor = BlockingExecutor(label: "riff.devices")
    /// A queue of its own, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A registry in a file, which is made, with its folder, for the first device.
    package init(path: String) { self.path = path }

    /// Registers a device; what was registered of it before is replaced.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`.
    package func register(_ device: DeviceRegistry.Device) async throws {
        try LockedFile(path: path).change { bytes in
            var devices = try decode(bytes)
            devices.removeAll { $0.id == device.id }
            devices.append(device)
            if devices.count > Self.limit { devices.removeFirst(devices.count - Self.limit) }
            bytes = encode(devices)
        }
    }

    /// Removes a device, unless it was registered again in the meantime.
    ///
    /// - Parameters:
    ///   - device: The device as it was registered.
    ///   - time: Since when its token is not valid, in seconds since 1970, where that is known.
    /// - Returns: Whether it was removed.
    /// - Throws: ``CoreError`` with `storeFailed`, `permissionsTooOpen` or `storeBusy`.
    package func remove(_ device: DeviceRegistry.Device, registeredBefore time: Double?) async throws -> Bool {
        guard device.time < time ?? .infinity else { return false }
        var isRemoved = false
        try LockedFile(path: path).change { bytes in
            var devices = try decode(bytes)
            let count = devices.count
            devices.removeAll { $0 == device }
            isRemoved = devices.count < count
            if isRemoved { bytes = encode(devices) }
        }
        return isRemoved
    }

    /// The device with an id, if it is registered.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    package func device(_ id: RiffIdentifier) async throws -> DeviceRegistry.Device? {
        try await devices().last { $0.id == id }
    }

    private func encode(_ devices: [DeviceRegistry.Device]) -> [UInt8] {
        let members = devices.map { device in
            (
                device.id.text,
                [
                    "push_token_hex": .string(device.pushToken), "env": .string(device.environment),
                    "ts": .number(device.time),
                ] as JSONValue
            )
        }
        return JSONValue.object(JSONObject(members)).bytes() + [0x0A]
    }

    /// The devices, the newest last.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` or `permissionsTooOpen`.
    public func devices() async throws -> [DeviceRegistry.Device] { try decode(LockedFile(path: path).read()) }

    private func decode(_ bytes: [UInt8]) throws(CoreError) -> [DeviceRegistry.Device] {
        guard !bytes.isEmpty else { return [] }
        guard let object = (try? JSONValue(parsing: bytes))?.object else {
            throw CoreError(.storeFailed, "\(path) is not a JSON object. Repair it, or remove it to begin anew.")
        }
        return object.compactMap { member in
            guard let id = try? RiffIdentifier(member.key), let token = member.value["push_token_hex"]?.text,
                let environment = member.value["env"]?.text, let time = member.value["ts"]?.double
            else { return nil }
            return try? DeviceRegistry.Device(id: id, pushToken: token, environment: environment, time: time)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// The name of a profile of a Hermes home: a folder's name of lower-case letters, digits, `-` and `_` (64 at most).
public struct HermesProfileName: RawRepresentable, Sendable, Hashable {
    /// The folder's name.
    public let rawValue: String

    /// Creates a name; `nil` for one that cannot be a profile's, and for `default`, which is no folder.
    public init?(rawValue: String) {
        let isWord = rawValue.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
        }
        guard isWord, (1...64).contains(rawValue.utf8.count), rawValue != "default", !rawValue.hasPrefix("-") else {
            return nil
        }
        self.rawValue = rawValue
    }
}

extension HermesHome {
    /// The profile that `active_profile` names; `nil` for the default one. A name that cannot be a profile's counts as
    /// none, as it does for the agent.
    package func activeProfile() async throws -> HermesProfileName? {
        let text = try await HostFile("\(rootPath)/active_profile", on: host, limitBytes: 4096).read().text
        let first = text.byteLines.first ?? ""
        return HermesProfileName(rawValue: String(first.filter { !$0.isWhitespace }))
    }

    /// Lists the profiles beside the default one, by name.
    public func profiles() async throws -> [HermesProfileName] {
        do {
            return try await host.list("\(rootPath)/profiles").filter { $0.status.kind == .directory }
                .compactMap { HermesProfileName(rawValue: $0.name) }
                .sorted { $0.rawValue < $1.rawValue }
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name of one setting: where ``Recovery/openSettings(_:)`` leads, and, for a ``Setting``, the key in the store. An
/// open set; unknown ones survive.
public struct SettingName: RawRepresentable, Sendable, Hashable {
    /// The name itself; it does not change between releases.
    public let rawValue: String

    /// Any name, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    package init(_ name: String) { rawValue = name }

    /// The host's DNS name or IP address.
    public static let host = SettingName("riff.ssh.host")
    /// The port of the host's SSH server.
    public static let port = SettingName("riff.ssh.port")
    /// The account on the host.
    public static let user = SettingName("riff.ssh.user")
    /// The folder in which new sessions start.
    public static let startDirectory = SettingName("riff.ssh.startDir")
    /// The private key with which the account is entered.
    public static let key = SettingName("key")
    /// The passphrase of that key.
    public static let passphrase = SettingName("passphrase")
    /// The host that another one is reached through.
    public static let jump = SettingName("jump")
}

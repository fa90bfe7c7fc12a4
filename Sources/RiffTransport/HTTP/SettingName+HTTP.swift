// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SettingName {
    /// The address of a server that a front end asks over HTTP or a WebSocket.
    public static let server = SettingName("server")
    /// The certificates of authorities that are trusted besides the system's.
    public static let trustRoots = SettingName("trustRoots")
    /// The proxy by which a host or a server is reached.
    public static let proxy = SettingName("proxy")
}

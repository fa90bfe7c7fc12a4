// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SettingName {
    /// The permission to record, or the device that records.
    public static let microphone = SettingName("microphone")
    /// The voice that speaks.
    public static let voice = SettingName("voice")
    /// The model that a speech service recognizes with.
    public static let speechModel = SettingName("speechModel")
    /// The model that a speech service speaks with.
    public static let voiceModel = SettingName("voiceModel")
    /// The address of a speech service.
    public static let speechServiceAddress = SettingName("speechServiceAddress")
    /// The key of a speech service.
    public static let speechServiceKey = SettingName("speechServiceKey")
    /// The address of a Riff server.
    public static let riffServer = SettingName("riffServer")
    /// The secret that is shared with a Riff server.
    public static let riffSecret = SettingName("riffSecret")
    /// The address of a Sven server.
    public static let svenServer = SettingName("svenServer")
    /// The pairing with a Sven server.
    public static let svenPairing = SettingName("svenPairing")
}

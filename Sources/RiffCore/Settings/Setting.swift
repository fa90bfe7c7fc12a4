// Riff
// SPDX-License-Identifier: Apache-2.0

/// One setting: its name in a ``KeyValueStore``, its type, and the default that it has until the person chooses another
/// value.
public struct Setting<Value: Sendable & Hashable>: Sendable {
    /// The name: its raw value is the key in the store.
    public let name: SettingName
    /// The group of a settings page that shows the setting.
    public let group: SettingGroup
    /// Whether it has no row on a settings page: front ends change it on a person's behalf.
    public let isInternal: Bool
    /// The value where nothing is stored.
    public let defaultValue: Value

    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String

    /// A setting of a front end's own.
    ///
    /// - Parameters:
    ///   - name: The name, also in the store.
    ///   - group: Where a settings page shows it.
    ///   - isInternal: Whether it has no row there.
    ///   - defaultValue: The value where nothing is stored.
    ///   - read: Reads the stored text; `nil` where that is none of this type.
    ///   - write: The text for the store.
    package init(
        _ name: SettingName,
        _ group: SettingGroup,
        isInternal: Bool = false,
        default defaultValue: Value,
        read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        self.group = group
        self.isInternal = isInternal
        self.defaultValue = defaultValue
        self.read = read
        self.write = write
    }

    /// The setting without its type, for a settings page.
    public var description: SettingDescription {
        let read = read
        return SettingDescription(
            name: name,
            group: group,
            isInternal: isInternal,
            defaultText: write(defaultValue),
            isReadable: { read($0) != nil }
        )
    }
}

/// The open set of groups of a settings page.
public struct SettingGroup: RawRepresentable, Sendable, Hashable {
    /// The name itself.
    public let rawValue: String

    /// Any name, also one this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The settings of the active host's connection.
    public static let connection = SettingGroup(rawValue: "connection")
    /// Dictation and narration.
    public static let voice = SettingGroup(rawValue: "voice")
    /// The settings of a new session's program and directory.
    public static let session = SettingGroup(rawValue: "session")
    /// The settings of `claude`'s start in a new session.
    public static let claude = SettingGroup(rawValue: "claude")
}

/// A setting without its type.
public struct SettingDescription: Sendable {
    /// The name: its raw value is the key in the store.
    public let name: SettingName
    /// The group of a settings page that shows the setting.
    public let group: SettingGroup
    /// Whether it has no row there.
    public let isInternal: Bool
    /// The text of the value that it has where nothing is stored.
    public let defaultText: String
    /// Whether a stored text can be read.
    public let isReadable: @Sendable (String) -> Bool
}

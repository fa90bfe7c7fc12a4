// Riff
// SPDX-License-Identifier: Apache-2.0

/// All settings at one moment.
public struct SettingsSnapshot: Sendable, Hashable {
    private var texts: [String: String]

    /// A snapshot of stored texts by their keys; without any, every setting has its default.
    package init(texts: [String: String] = [:]) { self.texts = texts }

    /// A setting's value: the stored one, or the default where nothing is stored or what is cannot be read.
    public subscript<Value>(setting: Setting<Value>) -> Value {
        texts[setting.name.rawValue].flatMap { setting.read($0) } ?? setting.defaultValue
    }

    /// The stored texts that cannot be read, each as an error for a person; their settings have their defaults.
    public var problems: [CoreError] {
        SettingsSchema.all.compactMap { setting in
            guard let text = texts[setting.name.rawValue], !setting.isReadable(text) else { return nil }
            return .invalidSetting(setting.name)
        }
    }
}

extension CoreError {
    static func invalidSetting(_ name: SettingName) -> CoreError {
        let message =
            "What is stored for the setting \(name.rawValue) cannot be used; the default holds. Choose a value anew."
        return CoreError(.invalidSetting, message, recovery: .openSettings(name))
    }
}

extension CoreErrorCode {
    /// A stored setting cannot be read.
    public static let invalidSetting = CoreError.Code(rawValue: "invalidSetting")
}

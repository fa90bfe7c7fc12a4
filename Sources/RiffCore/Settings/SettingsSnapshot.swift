// Riff
// SPDX-License-Identifier: Apache-2.0

/// All settings at one moment.
public struct SettingsSnapshot: Sendable, Hashable {
    private var texts: [String: String]

    /// A snapshot of stored texts by their keys; without any, every setting has its default.
    public init(texts: [String: String] = [:]) { self.texts = texts }

    /// A setting's value: the stored one, or the default where nothing is stored or what is cannot be read.
    public subscript<Value>(setting: Setting<Value>) -> Value {
        texts[setting.key].flatMap { setting.read($0) } ?? setting.defaultValue
    }

    /// The stored texts that cannot be read, each as an error for a person; their settings have their defaults.
    public var problems: [CoreError] {
        SettingsSchema.all.compactMap { setting in
            guard let text = texts[setting.key], !setting.isReadable(text) else { return nil }
            return .invalidSetting(setting.key)
        }
    }
}

extension CoreError {
    static func invalidSetting(_ key: String) -> CoreError {
        let message = "What is stored for the setting \(key) cannot be used; the default holds. Choose a value anew."
        return CoreError(.invalidSetting, message, recovery: .openSettings(key))
    }
}

extension CoreError.Code {
    /// A stored setting cannot be read.
    public static let invalidSetting = CoreError.Code(rawValue: "invalidSetting")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffCore
package import RiffHub

/// A hub's settings in words, by their names on the wire.
package enum SettingsText {
    /// All of them: those that every hub has, then the others as they came.
    package static func all(_ settings: HubSettings) -> [(name: String, value: String)] {
        var all: [(name: String, value: String)] = [
            ("model", settings.model), ("auto_record", text(settings.recordsByItself)),
            ("auto_end", text(settings.endsByItself)), ("auto_interrupt", text(settings.interruptsByItself)),
        ]
        for member in settings.json where !all.contains(where: { $0.name == member.key }) {
            all.append((member.key, member.value.bool.map(text) ?? member.value.text ?? member.value.description))
        }
        return all.map { (InertText.line($0.name), InertText.line($0.value)) }
    }

    /// A change of one of them.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: What was typed: `on` and `off`, a number, or words, as the setting wants it.
    ///   - settings: As they are.
    /// - Returns: The change, of this setting alone.
    /// - Throws: `ExampleFailure` where there is no such setting, or where it takes no such value.
    package static func change(_ name: String, to value: String, of settings: HubSettings) throws -> HubSettings.Change
    {
        var change = HubSettings.Change()
        switch name {
        case "model": change.model = value
        case "auto_record": change.recordsByItself = try isOn(value, name)
        case "auto_end": change.endsByItself = try isOn(value, name)
        case "auto_interrupt": change.interruptsByItself = try isOn(value, name)
        default:
            switch settings.json[name] {
            case .bool: change.others = [name: .bool(try isOn(value, name))]
            case .integer, .number:
                guard let number = Double(value), number.isFinite else {
                    throw ExampleFailure("\(name) takes a number.")
                }
                change.others = [name: Int64(value).map { .integer($0) } ?? .number(number)]
            case .string: change.others = [name: .string(value)]
            default: throw ExampleFailure("The hub has no setting \(name); /settings shows them.")
            }
        }
        return change
    }

    private static func isOn(_ value: String, _ name: String) throws -> Bool {
        switch value {
        case "on", "true", "yes": true
        case "off", "false", "no": false
        default: throw ExampleFailure("\(name) takes on or off.")
        }
    }

    private static func text(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}

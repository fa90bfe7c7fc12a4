// Riff
// SPDX-License-Identifier: Apache-2.0

// How the types of settings are written. What platforms' preferences make of them is read, too.

extension Setting where Value == String {
    init(_ name: SettingName, _ group: SettingGroup, isInternal: Bool = false, default text: String) {
        self.init(name, group, isInternal: isInternal, default: text, read: { $0 }, write: { $0 })
    }
}

extension Setting where Value == Bool {
    init(_ name: SettingName, _ group: SettingGroup, isInternal: Bool = false, default value: Bool) {
        self.init(
            name,
            group,
            isInternal: isInternal,
            default: value,
            read: {
                switch $0.lowercased() {
                case "true", "yes", "1": true
                case "false", "no", "0": false
                default: nil
                }
            },
            write: { $0 ? "true" : "false" }
        )
    }
}

extension Setting where Value == Int {
    init(_ name: SettingName, _ group: SettingGroup, default value: Int, in range: ClosedRange<Int>) {
        self.init(
            name,
            group,
            default: value,
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } },
            write: { "\($0)" }
        )
    }
}

extension Setting where Value == Int? {
    /// A number that may be left blank.
    init(_ name: SettingName, _ group: SettingGroup, default value: Int?, in range: ClosedRange<Int>) {
        self.init(
            name,
            group,
            default: value,
            read: { text in
                if text.allSatisfy(\.isWhitespace) { return .some(nil) }
                return Int(text).flatMap { range.contains($0) ? .some($0) : nil }
            },
            write: { $0.map { "\($0)" } ?? "" }
        )
    }
}

extension Setting where Value == Duration {
    /// A time in seconds, with or without decimals.
    init(seconds name: SettingName, _ group: SettingGroup, isInternal: Bool, default value: Duration) {
        self.init(
            name,
            group,
            isInternal: isInternal,
            default: value,
            read: { Double($0).flatMap { (0.001...86_400).contains($0) ? .seconds($0) : nil } },
            write: { duration in
                let (seconds, attoseconds) = duration.components
                return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) / 1e18)"
            }
        )
    }
}

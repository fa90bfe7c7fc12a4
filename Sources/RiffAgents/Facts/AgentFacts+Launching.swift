// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension FactsReader {
    func launch() throws(CoreError) -> LaunchFacts {
        var launch = LaunchFacts()
        launch.session = try texts("session")
        launch.resume = try texts("resume")
        launch.resumeLatest = try texts("resumeLatest")
        launch.name = try texts("name")
        launch.mode = try texts("mode")
        launch.askingMode = try optional("askingMode")
        launch.normalScreen = try texts("normalScreen")
        for (name, value) in try names("normalScreenVariables") {
            guard Self.isVariable(name.text) else { throw wrong("normalScreenVariables", "names of variables") }
            launch.normalScreenVariables[name.text] = value
        }
        if let key = json["interrupt"] {
            guard let word = key.text.flatMap(LaunchFacts.InterruptKey.init) else {
                throw wrong("interrupt", "a known key")
            }
            launch.interrupt = word
        }
        return launch
    }

    func places() throws(CoreError) -> PlaceFacts {
        var places = PlaceFacts()
        places.status = try path("status")
        places.job = try path("job")
        places.transcript = try path("transcript")
        places.rollouts = try path("rollouts")
        return places
    }

    private func optional(_ name: String) throws(CoreError) -> String {
        json[name] == nil ? "" : try text(name)
    }

    /// A path beneath the home folder.
    private func path(_ name: String) throws(CoreError) -> String {
        let path = try optional(name)
        let isBeneath = !path.hasPrefix(bytes: "/") && !path.split(byte: "/").contains { $0.isSame(bytes: "..") }
        guard isBeneath, !path.utf8.contains(where: { $0 < 0x20 }) else { throw wrong(name, "a path from home on") }
        return path
    }

    /// Whether a shell takes it as the name of a variable.
    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

/// The configuration of a home (`config.yaml`), to be read. It is changed by the agent's own command, which knows its
/// rules: see ``HermesHome/liveConfig()``.
public struct HermesConfig: Sendable, Hashable {
    /// Everything, as members and lists. What YAML has beyond JSON (dates, tags) is text; aliases are filled in.
    package let value: JSONValue
    /// The revision of the file.
    package let revision: HostFile.Revision

    /// Reads a configuration.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`: more than 4 MiB, 100 levels or 200,000 values.
    package init(yaml text: String, revision: HostFile.Revision, name: String = "config.yaml") async throws(DataError) {
        value = try await YAMLText.value(of: text, from: name)
        self.revision = revision
    }

    /// The value at a dotted path, as `hermes config get` takes it: `model.provider`, `custom_providers.0.name`.
    public subscript(_ path: String) -> JSONValue? {
        var value: JSONValue? = value
        for step in path.split(separator: ".") {
            if let list = value?.array {
                guard let place = Int(step), list.indices.contains(place) else { return Optional.none }
                value = list[place]
            } else {
                value = value?[String(step)]
            }
        }
        return value
    }

    /// The model that is used; also where `model` is its name alone.
    public var model: String? { self["model.default"]?.text ?? self["model"]?.text }
    /// The provider of the model.
    public var provider: String? { self["model.provider"]?.text }

    /// The names of the providers that the configuration itself describes (`providers`, `custom_providers`), in lower
    /// case; of the latter also as `custom:NAME`.
    package var customProviders: Set<String> {
        var names = Set((self["providers"]?.object ?? [:]).map { ModelProviderNames.normal($0.key) })
        for entry in self["custom_providers"]?.array ?? [] {
            guard let name = entry["name"]?.text.map(ModelProviderNames.normal), !name.isEmpty else { continue }
            names.formUnion([name, "custom:" + name.replacing(" ", with: "-")])
        }
        return names
    }

    /// Returns the most characters of a file of memory, as the configuration says; `nil` if it says nothing.
    public func memoryLimit(of name: MemoryFile.Name) -> Int? {
        let key = name == .user ? "memory.user_char_limit" : "memory.memory_char_limit"
        return self[key]?.integer.flatMap { Int(exactly: $0) }
    }

    /// Commands of the person's own (`quick_commands`), by name.
    package var quickCommands: [(name: String, command: String)] {
        (self["quick_commands"]?.object ?? [:]).compactMap { member in
            (member.value["command"]?.text ?? member.value.text).map { (member.key, $0) }
        }.sorted { $0.0 < $1.0 }
    }
}

extension HermesHome {
    /// The file of the configuration.
    package var configFile: HostFile { file("config.yaml", limitBytes: YAMLText.limitBytes) }

    /// Reads the configuration; a missing file is an empty one.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`; the host's own errors.
    public func config() async throws -> HermesConfig {
        let contents = try await configFile.read()
        return try await HermesConfig(yaml: contents.text, revision: contents.revision, name: configFile.path)
    }

    /// Sets a value of the configuration by `hermes config set`, which decides what kind it is, whether it may be
    /// changed, and that keys and tokens go to `.env`.
    ///
    /// - Parameters:
    ///   - key: A dotted path, or the name of an environment variable.
    ///   - value: The value as text. No message has it.
    /// - Throws: `TransportError` with `programNotFound` or `commandFailed`; the host's own errors.
    package func setConfig(_ key: String, to value: String) async throws {
        guard Self.isSecret(key) else {
            try await hermes.run(["config", "set"], operands: [key, value], secrets: [value])
            return
        }
        // Behind the dashes, which the program is given where an operand begins with one.
        guard value.utf8.first != UInt8(ascii: "-") else {
            throw DataError(
                .invalidValue,
                "A key or token that begins with a dash is set on the host, with \"hermes\"."
            )
        }
        try await hermes.run(["config", "set"], operands: [key], hidden: value, secrets: [value])
    }

    /// Returns whether a value is secret to other users of the host, by its key.
    package static func isSecret(_ key: String) -> Bool {
        let secrets: Set<String> = [
            "KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE", "PASS", "CREDENTIAL", "CREDENTIALS",
        ]
        return key.uppercased().split { !$0.isLetter }.contains { secrets.contains(String($0)) }
    }

    /// Takes a value out of the configuration.
    package func unsetConfig(_ key: String) async throws {
        try await hermes.run(["config", "unset"], operands: [key])
    }
}

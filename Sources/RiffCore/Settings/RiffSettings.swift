// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: store: some KeyValueStore
/// The settings over a store that several surfaces may share: a settings page, the sheet of a new session, an extension
/// in another process. Nothing is kept apart, so the last write wins and every surface reads it.
///
/// ```swift
/// let settings = RiffSettings(store)
/// try await settings.set(.custom("codex"), for: .harness)
/// for await snapshot in try await settings.updates() { print(snapshot[.harness]) }
/// ```
public actor RiffSettings {
    /// The store that holds the settings.
    public nonisolated let store: any KeyValueStore
    private nonisolated let source = StateSource(SettingsSnapshot())
    /// The number of changes that were made here.
    private var changes = 0

    /// Settings in a store.
    public init(_ store: any KeyValueStore) { self.store = store }

    /// All settings as they were when they were last read, told or changed here; the defaults before.
    public nonisolated var current: SettingsSnapshot { source.current }

    /// A setting's value, read from the store.
    ///
    /// - Throws: ``CoreError`` with `invalidSetting` where what is stored cannot be read; what the store throws.
    public func value<Value>(of setting: Setting<Value>) async throws -> Value {
        guard let text = try await store.value(for: setting.name.rawValue) else { return setting.defaultValue }
        guard let value = setting.read(text) else { throw CoreError.invalidSetting(setting.name) }
        return value
    }

    /// Stores a value; it is stored when this returns, and then told to who follows ``updates()``.
    ///
    /// - Throws: ``CoreError`` with `invalidSetting` for a value that could not be read back, such as port 0; what the
    ///   store throws.
    public func set<Value>(_ value: Value, for setting: Setting<Value>) async throws {
        let text = setting.write(value)
        guard setting.read(text) == value else { throw CoreError.invalidSetting(setting.name) }
        try await store.set(text, for: setting.name.rawValue)
        try await tell()
    }

    /// Goes back to a setting's default.
    ///
    /// - Throws: What the store throws.
    public func reset<Value>(_ setting: Setting<Value>) async throws {
        try await store.set(nil, for: setting.name.rawValue)
        try await tell()
    }

    /// All settings, read from the store.
    ///
    /// - Throws: What the store throws.
    public func snapshot() async throws -> SettingsSnapshot {
        var texts: [String: String] = [:]
        for setting in SettingsSchema.all {
            texts[setting.name.rawValue] = try await store.value(for: setting.name.rawValue)
        }
        return SettingsSnapshot(texts: texts)
    }

    /// The settings as they are, then after each change made here or found by ``refresh()``.
    ///
    /// - Throws: What the store throws.
    public func updates() async throws -> AsyncStream<SettingsSnapshot> {
        try await refresh()
        return source.updates()
    }

    /// Looks for changes by other processes; call it when the app comes to the foreground.
    ///
    /// - Throws: What the store throws.
    public func refresh() async throws {
        while true {
            let before = changes
            let snapshot = try await snapshot()
            // A change in the meantime may be missing in what was read; telling it would bring an old value back.
            guard changes == before else { continue }
            if source.current != snapshot { source.update(snapshot) }
            return
        }
    }

    private func tell() async throws {
        changes += 1
        try await refresh()
    }
}

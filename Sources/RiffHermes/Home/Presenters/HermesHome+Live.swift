// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesHome {
    /// Creates a presenter of the configuration.
    ///
    /// - Returns: The presenter; nothing is read before it shows something.
    public func liveConfig() -> HermesLive<Never, HermesConfig> {
        HermesLive(SettingsMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await config()) } catch { return .failed(Problem(error)) }
            case .set(let key, let value):
                do {
                    if let value { try await setConfig(key, to: value) } else { try await unsetConfig(key) }
                    return .wasSet(key)
                } catch {
                    return .failed(Problem(error), key: key)
                }
            }
        }
    }

    /// Creates a presenter of the home's health.
    ///
    /// - Returns: The presenter; nothing is looked at before it shows something.
    public func liveHealth() -> HermesLive<Never, HomeHealth> {
        HermesLive(HealthMachine()) { _ in
            do { return .found(try await health()) } catch { return .failed(Problem(error)) }
        }
    }
}

extension HermesLive where Question == Never, Value == HermesConfig {
    /// Sets a value by its dotted path, by `hermes config set`, and reads the configuration again; `nil` takes the
    /// value out.
    public func set(_ key: String, to value: String?) async { await send(.set(key, value), to: SettingsMachine.self) }
}

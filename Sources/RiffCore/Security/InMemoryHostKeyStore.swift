// Riff
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Pins that are forgotten with the process: for tests, previews, and front ends that keep nothing.
public final class InMemoryHostKeyStore: HostKeyStore {
    private let pins: Mutex<[String: [SSHPublicKey]]>

    /// A store with these pins in it.
    public init(_ pins: [HostPin: [SSHPublicKey]] = [:]) {
        self.pins = Mutex(Dictionary(uniqueKeysWithValues: pins.map { ($0.key.id, $0.value) }))
    }

    /// Judges a key, and pins it if the host has none.
    public func judge(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        pins.withLock { pins in
            let verdict = HostKeyVerdict(on: key, among: pins[pin.id] ?? [])
            guard verdict == .unknown else { return verdict }
            pins[pin.id] = [key]
            return .pinnedNow
        }
    }

    /// Judges a key and changes nothing.
    public func check(_ key: SSHPublicKey, for pin: HostPin) async throws -> HostKeyVerdict {
        pins.withLock { HostKeyVerdict(on: key, among: $0[pin.id] ?? []) }
    }

    /// The keys pinned for a host.
    public func pinnedKeys(for pin: HostPin) async throws -> [SSHPublicKey] { pins.withLock { $0[pin.id] ?? [] } }

    /// Adds a key to those pinned for a host.
    public func trust(_ key: SSHPublicKey, for pin: HostPin) async throws {
        pins.withLock { pins in
            guard pins[pin.id]?.contains(key) != true else { return }
            pins[pin.id, default: []].append(key)
        }
    }

    /// Forgets what is pinned for this host.
    public func reset(_ pin: HostPin) async throws {
        _ = pins.withLock { $0.removeValue(forKey: pin.id) }
    }
}

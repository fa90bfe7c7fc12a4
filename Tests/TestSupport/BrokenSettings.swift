// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Settings on a disk that is gone.
package struct BrokenSettings: KeyValueStore {
    private var error: CoreError { CoreError(.storeFailed, "The settings cannot be read.") }

    package init() {}

    package func value(for name: String) async throws -> String? { throw error }
    package func set(_ value: String?, for name: String) async throws { throw error }
    package func names() async throws -> Set<String> { throw error }
}

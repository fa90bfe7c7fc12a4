// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: settings that are no secret, as texts under names. A front end implements it on the platform's preferences.
///
/// There is no way to keep a ``Secret`` here: it has no text form.
///
/// To the implementer: what was set is stored when the call returns; a store that cannot be read throws, and `nil`
/// means that nothing is kept under the name.
public protocol KeyValueStore: Sendable {
    /// The text under a name, or `nil` where there is none.
    func value(for name: String) async throws -> String?

    /// Keeps a text under a name, or nothing with `nil`.
    func set(_ value: String?, for name: String) async throws

    /// All names that have a text, in no order.
    func names() async throws -> Set<String>
}

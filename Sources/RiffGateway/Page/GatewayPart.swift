// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One part of a ``GatewayPage``: the last good answer, and why it could not be asked again.
public struct GatewayPart<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The last good answer; `nil` before there is one.
    public internal(set) var value: Value?
    /// Why the newest attempt failed; `nil` as soon as one succeeds.
    public internal(set) var problem: Problem?
    /// Whether the gateway is being asked.
    public internal(set) var isLoading = false

    /// Creates a part, for previews and tests.
    package init(value: Value? = nil, problem: Problem? = nil, isLoading: Bool = false) {
        self.value = value
        self.problem = problem
        self.isLoading = isLoading
    }
}

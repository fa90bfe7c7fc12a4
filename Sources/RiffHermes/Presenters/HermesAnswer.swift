// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The state of one question to a Hermes home or database: the last good answer, and its state.
///
/// An answer that could not be read again stays, with the problem beside it; one of another question never does.
public struct HermesAnswer<Question: Sendable & Hashable, Value: Sendable>: Sendable {
    /// The question; `nil` before the first one, and for data that has none.
    public package(set) var question: Question?
    /// The last good answer to it; `nil` before there is one.
    public package(set) var value: Value?
    /// Whether something is being read, the answer again or more of it, or a command is at work on all of it.
    public package(set) var isLoading = false
    /// Whether the data is known to have changed since the answer was read.
    public package(set) var isStale = false
    /// The ids of the elements that commands are changing: jobs, paths of settings.
    public package(set) var busy: Set<String> = []
    /// The reason why the newest attempt failed; `nil` as soon as one succeeds.
    public package(set) var problem: Problem?

    /// Creates an answer from its parts, for previews and tests.
    package init(
        question: Question? = nil,
        value: Value? = nil,
        isLoading: Bool = false,
        isStale: Bool = false,
        busy: Set<String> = [],
        problem: Problem? = nil
    ) {
        self.question = question
        self.value = value
        self.isLoading = isLoading
        self.isStale = isStale
        self.busy = busy
        self.problem = problem
    }
}

extension HermesAnswer: Equatable where Value: Equatable {}

/// An answer of a database.
package protocol DatabaseAnswer: Sendable {
    /// Whether ``HermesLive/more()`` would bring more of it.
    var hasMore: Bool { get }
    /// When it is out of date although nothing changed, in seconds since 1970-01-01 UTC: a day is over. `nil` for
    /// never.
    var validUntil: Double? { get }
}

extension DatabaseAnswer {
    package var hasMore: Bool { false }
    package var validUntil: Double? { nil }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// What a front end shows of one question to a Hermes database: the last good answer, and how things stand with it.
///
/// An answer that could not be read anew stays, with the reason beside it; one of another question never does.
public struct HermesAnswer<Question: Sendable & Hashable, Value: Sendable>: Sendable {
    /// What was asked; `nil` before the first question.
    public package(set) var question: Question?
    /// The last good answer to it; `nil` before there is one.
    public package(set) var value: Value?
    /// Whether something is being read, the answer anew or more of it.
    public package(set) var isLoading = false
    /// Whether the database is known to have changed since the answer was read.
    public package(set) var isStale = false
    /// Why the newest attempt failed, or why the database cannot be looked at; `nil` as soon as it works again.
    public package(set) var problem: (any RiffError)?

    /// An answer of one's own, for previews and tests.
    package init(
        question: Question? = nil,
        value: Value? = nil,
        isLoading: Bool = false,
        isStale: Bool = false,
        problem: (any RiffError)? = nil
    ) {
        self.question = question
        self.value = value
        self.isLoading = isLoading
        self.isStale = isStale
        self.problem = problem
    }
}

extension HermesAnswer: Equatable where Value: Equatable {
    /// Problems are the same where their codes and messages are.
    public static func == (left: HermesAnswer, right: HermesAnswer) -> Bool {
        left.question == right.question && left.value == right.value && left.isLoading == right.isLoading
            && left.isStale == right.isStale && left.problem?.stableCode == right.problem?.stableCode
            && left.problem?.message == right.problem?.message
    }
}

/// An answer that a ``HermesModel`` keeps.
public protocol HermesModelValue: Sendable {
    /// Whether ``HermesModel/more()`` would bring more of it.
    var hasMore: Bool { get }
    /// When it is out of date although nothing changed, in seconds since 1970-01-01 UTC: a day is over. `nil` for never.
    var validUntil: Double? { get }
}

extension HermesModelValue {
    /// Not in parts.
    public var hasMore: Bool { false }
    /// As long as nothing changes.
    public var validUntil: Double? { nil }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The rules of one part of a home that a view follows: events in, effects out, and the answer to show. Pure, so that
/// tables test it.
package protocol HomeMachine: Sendable {
    /// What is asked; `Never` for data that is shown as it is.
    associatedtype Question: Sendable & Hashable
    associatedtype Value: Sendable
    /// Something that happened: the user did something, or an effect ended.
    associatedtype Event: Sendable
    /// Something to be done.
    associatedtype Effect: Sendable

    /// The answer to show now.
    var answer: HermesAnswer<Question, Value> { get }

    /// Changes the answer.
    ///
    /// - Returns: What is to be done now, in order.
    mutating func handle(_ event: Event) -> [Effect]

    /// Whether an event can be handled now; one that cannot waits for the end of what is being read or written.
    func accepts(_ event: Event) -> Bool
    /// Whether an event makes an earlier one, which still waits, needless.
    static func replaces(_ event: Event, _ earlier: Event) -> Bool
    /// Takes note of what a person asks for, before it is handled or waits: a command that failed before was seen.
    mutating func note(_ event: Event)

    /// The event of a question.
    static func asked(_ question: Question) -> Event
    /// The event of a refresh; `nil` for data that is read elsewhere.
    static var refreshed: Event? { get }
    /// The event of a pause, and that of its end; `nil` for data that changes by commands alone.
    static var paused: (begin: Event, end: Event)? { get }
}

extension HomeMachine {
    package func accepts(_ event: Event) -> Bool { true }
    package static func replaces(_ event: Event, _ earlier: Event) -> Bool { false }
    package mutating func note(_ event: Event) {}
    package static var paused: (begin: Event, end: Event)? { nil }
}

extension HomeMachine where Question == Never {
    package static func asked(_ question: Never) -> Event {}
}

/// The problems of a home, by who has to see them: the failure of a command stays when the data is read again, also
/// because of it.
struct HomeProblems: Sendable {
    var command: Problem?
    var reading: Problem?

    var shown: Problem? { command ?? reading }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of one screen over a home: events in, effects out, and a snapshot to show. Pure, so that tables test it.
public protocol HomeMachine: Sendable {
    /// Something that happened: a person did something, or an effect ended.
    associatedtype Event: Sendable
    /// Something to be done.
    associatedtype Effect: Sendable
    /// The state to show.
    associatedtype Snapshot: Sendable

    /// The state to show now.
    var snapshot: Snapshot { get }

    /// Takes an event, and changes the snapshot.
    ///
    /// - Returns: What is to be done now, in order.
    mutating func take(_ event: Event) -> [Effect]
}

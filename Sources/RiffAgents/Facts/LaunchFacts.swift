// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words by which a kind of agent is started, goes on with a conversation and is interrupted.
///
/// `{id}`, `{name}` and `{mode}` stand for what a start names. An empty list is an option that the agent does not have.
package struct LaunchFacts: Sendable, Hashable {
    /// A key that interrupts a turn.
    package enum InterruptKey: String, Sendable, Hashable {
        case escape
        case controlC = "ctrl-c"
    }

    /// Arguments that give a new conversation an id of the caller's.
    package var session: [String] = []
    /// Arguments that go on with a conversation.
    package var resume: [String] = []
    /// Arguments that go on with the last conversation of the folder.
    package var resumeLatest: [String] = []
    /// Arguments that name a session.
    package var name: [String] = []
    /// Arguments that choose what it may do without asking.
    package var mode: [String] = []
    /// The mode in which it asks.
    package var askingMode = ""
    /// Arguments with which it draws on the normal screen.
    package var normalScreen: [String] = []
    /// Variables with which it draws on the normal screen.
    package var normalScreenVariables: [String: String] = [:]
    /// The key that interrupts a turn; `nil` if none is known.
    package var interrupt: InterruptKey?
}

/// Where a kind of agent keeps its files, from the home folder on.
///
/// `{pid}`, `{project}` and `{id}` stand for its process, its directory's folder and its conversation. Empty if it has
/// no such files.
package struct PlaceFacts: Sendable, Hashable {
    /// The file with its state.
    package var status = ""
    /// The file of a job in the background.
    package var job = ""
    /// The record of a conversation.
    package var transcript = ""
    /// The folder of records that have a folder for each day.
    package var rollouts = ""
}

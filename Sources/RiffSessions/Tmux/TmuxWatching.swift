// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: reports the state of a host's tmux server, as it changes.
///
/// To the implementer: ``current`` never waits; ``updates()`` gives the state as it is and then each change, for any
/// number of readers. A change on the server is told within a second or the state is not
/// ``TmuxServerState/Status/live``.
public protocol TmuxWatching: Sendable {
    /// The state as it is.
    var current: TmuxServerState { get }

    /// The state as it is, then each change; ends when nothing is watched any more.
    func updates() -> AsyncStream<TmuxServerState>
}

extension StateSource: TmuxWatching where State == TmuxServerState {}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The command lines by which a terminal comes to its tmux session: the first time, and after each loss.
///
/// The first one may make the session. Those that follow never do: an agent that ended while the connection was away is
/// told to have ended, instead of another one status in its place.
struct TmuxEntryLines: Sendable {
    private let first: String
    private let again: @Sendable (SessionIdentity?) throws(CoreError) -> String

    /// - Parameters:
    ///   - first: The call that attaches the first time.
    ///   - tmux: The session.
    ///   - attaching: Makes a call that attaches one that does so in a way of its own.
    /// - Throws: What `attaching` throws; `CoreError` with `nulInArgument`.
    init(
        first: TmuxCommand,
        on tmux: TmuxAttachment,
        attaching: @escaping @Sendable (TmuxCommand) -> TmuxCommand = { $0 }
    ) throws(CoreError) {
        self.first = try attaching(first).loginCommand().line
        let (server, name) = (tmux.server, tmux.session)
        again = { identity throws(CoreError) in
            try attaching(server.reattach(name, identity)).loginCommand().line
        }
    }

    /// The line for an entry.
    func line(_ entry: TerminalEntry) -> String {
        switch entry {
        case .first: first
        // The only words that come new are tmux's own, digits and a `$`: no NUL among them.
        case .again(let identity): (try? again(identity)) ?? first
        }
    }
}

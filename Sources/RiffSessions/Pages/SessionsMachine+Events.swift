// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension SessionsMachine {
    /// The way that a page's terminal ended.
    package enum End: Sendable, Hashable {
        /// Its program ended by itself: the session on the server, or tmux's client.
        case exited
        /// The connection could not be made, or not again; whether another try may help.
        case lost(isRetryable: Bool)
    }

    /// An event of the sessions.
    package enum Event: Sendable, Hashable {
        /// The front end wants its sessions.
        case started
        /// The active session of last time was read from the settings; `nil` where there is none.
        case recalled(SessionName?)
        /// A page's terminal takes keys, for the first time.
        case opened(SessionName)
        /// A page's terminal is over.
        case ended(SessionName, End)
        /// The server listed its sessions, after everything that was done to them here.
        case listed([LiveSession])
        /// The server could not be asked.
        case listFailed
        /// A watcher of the server told its state.
        case watched(TmuxServerState)
        /// The app came to the foreground.
        case foregrounded
        /// The connection to the host came back.
        case connected
        /// A person turned to a page.
        case activated(SessionName)
        /// A session was made for a person.
        case created(SessionName)
        /// A session was ended by a person.
        case closed(SessionName)
        /// The outcome of a command is not known: it may have been carried out or not.
        case doubted
        /// A person typed into the active page.
        case typed
        /// Other pages are to be attached from now on.
        case policyChanged(AttachPolicy)
    }

    /// An effect for the caller to carry out.
    package enum Effect: Sendable, Hashable {
        /// Open a terminal to a session.
        case attach(SessionName)
        /// Leave a page's terminal, which may be over; the session continues.
        case detach(SessionName)
        /// List the server's sessions, after a wait.
        case probe(after: Duration)
        /// Keep the name of the active session in the settings.
        case remember(SessionName)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
package import RiffTransport

/// Which tmux session a terminal shows: what a ``TerminalSession`` must know to keep input out of tmux's own hands.
package struct TmuxAttachment: Sendable {
    /// The tmux server of the session.
    package let server: TmuxServer
    /// The name of the session.
    package let session: SessionName
    /// The watcher that reports whether its pane is in a mode; none if `nil`.
    package var watcher: (any TmuxWatching)?
    /// When input first leaves modes and prompts.
    package var protection: InputProtection

    /// Creates an attachment.
    package init(
        server: TmuxServer,
        session: SessionName,
        watcher: (any TmuxWatching)? = nil,
        protection: InputProtection = .always
    ) {
        self.server = server
        self.session = session
        self.watcher = watcher
        self.protection = protection
    }

    /// Whether the pane is in a mode; `nil` if that is not known at the moment.
    var isInMode: Bool? {
        guard let state = watcher?.current, state.isLive, state.sessions.contains(where: { $0.name == session }) else {
            return nil
        }
        return state.modes[session] != nil
    }
}

/// A seam: runs short lines on the host of a terminal, beside it.
package protocol TmuxErrands: Sendable {
    /// Runs a line of `sh`, unless it is no longer wanted when its turn has come.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - input: Its standard input.
    ///   - isWanted: Asked right before it is started; what is not wanted is reported as `connect` with `notConnected`.
    ///     `nil` for a line that may as well run on the next connection.
    /// - Returns: What came of it, within some seconds.
    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport

    /// Runs a line soon, if that is possible, without a result.
    func runLater(_ line: String) async

    /// Why the account's login shell does not run what it is given, where the host can tell: it is asked for some
    /// seconds.
    func loginShellProblem() async -> CoreError?
}

extension TmuxErrands {
    package func loginShellProblem() async -> CoreError? { nil }
}

/// A host's management channel.
struct HostErrands: TmuxErrands {
    let link: HostLink

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        do {
            // One at a time for all terminals of the link: each takes a channel, and servers allow few. A link that
            // nobody wants any more is not dialed for it.
            return try await link.errandTurns.take {
                await link.report(
                    of: line,
                    input: input,
                    timeout: Self.limit(for: input),
                    dials: false,
                    onlyWhile: isWanted
                )
            }
        } catch {
            return ManagementReport(outcome: .timeout(partial: []), diagnostics: "")
        }
    }

    func runLater(_ line: String) async {
        await link.runErrand { link in
            // Again where the connection is lost under it, a few times. A cancelled one is given up, as it may be. A
            // link that nobody wants any more is not dialed for it.
            for _ in 0..<5 where !Task.isCancelled {
                let report = try? await link.errandTurns.take {
                    await link.report(of: line, timeout: ManagementTiming.defaultTimeout, dials: false)
                }
                if case .output? = report?.outcome { return }
            }
        }
    }

    func loginShellProblem() async -> CoreError? { await link.loginShellProblem() }

    /// Nine seconds, and what a slow line needs for a large paste.
    static func limit(for input: [UInt8]) -> Duration {
        ManagementTiming.defaultTimeout + .milliseconds(input.count / 16)
    }
}

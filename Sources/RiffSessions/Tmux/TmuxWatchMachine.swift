// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of watching one tmux server in control mode: where to attach, when to ask, what to make of the end. Events
/// in, effects out; it does nothing itself and knows no time.
///
/// tmux tells that something changed and rarely what, so everything is read again: at once after the first change, and
/// then once for all the changes that came meanwhile.
package struct TmuxWatchMachine: Sendable {
    /// An event of the watch.
    package enum Event: Sendable {
        /// The connection to the host is up.
        case linkUp
        /// The connection is lost, and with it the channel.
        case linkDown
        /// tmux said something.
        case received(ControlModeEvent)
        /// The channel of the last ``Effect/open(_:)`` ended, or could not be opened; with what was written to standard
        /// error, or why.
        /// `isLost` where that was the connection's doing, as far as is known, and not tmux's or the host's.
        case ended(diagnostics: String, isLost: Bool = false)
        /// The timer of the last ``Effect/startTimer(_:)`` ran out.
        case timerFired
        /// A caller knows that there may be news, for example that there is a server now.
        case nudged
    }

    /// An effect for the caller to carry out.
    package enum Effect: Sendable, Hashable {
        /// Start this call on a channel of its own.
        case open(TmuxCommand)
        /// Send a line to it.
        case send(String)
        /// Close the channel; its end is reported as any other.
        case close
        /// Report ``Event/timerFired`` after this time, instead of after the time set before.
        case startTimer(Duration)
        /// The timer is no longer wanted.
        case cancelTimer
    }

    private enum Phase {
        case down
        /// A call runs, and did not say yet whether it is attached.
        case attaching(to: SessionName?, refusal: String?)
        /// Attached, and the replies are on the way.
        case reading(Reading)
        /// Attached; the next read waits a moment, so that a burst of changes costs few.
        case resting(isOutdated: Bool)
        /// Attached, and nothing changed since the last read.
        case following
        /// The channel is being closed, since it gave no usable answer.
        case closing(String)
        /// The next attempt waits.
        case waiting
    }

    private struct Reading {
        var replies: [ControlModeReply] = []
        /// Whether something changed since the question.
        var isOutdated = false
        /// Whether the answer takes so long that what was read earlier is no longer told as what is.
        var isLate = false
    }

    /// The least time between two reads.
    package static let rest = Duration.milliseconds(50)
    /// The time that a read may take before an earlier result no longer counts as current.
    package static let freshness = Duration.seconds(1)
    /// The time that an answer may take before the channel is given up.
    package static let patience = Duration.seconds(10)
    /// The time that attaching may take: the client waits for its turn among commands, and until no terminals are
    /// opened.
    package static let attachPatience = Duration.seconds(60)
    /// The waits after failures; a server that is too old is asked again after the last one only.
    package static let schedule = ReconnectPolicy(delays: [1, 2, 4, 8, 15, 30].map { .seconds($0) })
    package static let longWait = Duration.seconds(600)
    /// The longest wait after a channel that was lost: on a bad network several may be, one after another, and the next
    /// one finds the server as it was.
    package static let longestWaitAfterLoss = Duration.seconds(4)

    /// What is known now.
    package private(set) var state = TmuxServerState()
    private var phase = Phase.down
    private var failures = 0
    /// Whether a read has been completed since the channel was opened: if so, its end is the end of its session.
    private var hasRead = false
    private let server: TmuxServer
    private let base: SessionName

    /// A machine whose link is down.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - base: The session to attach to where it is there.
    package init(_ server: TmuxServer, base: SessionName) {
        self.server = server
        self.base = base
    }

    /// Takes an event.
    ///
    /// - Parameter event: What happened; one that does not fit the state changes nothing.
    /// - Returns: What to do, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .linkUp:
            guard case .down = phase else { return [] }
            failures = 0
            return open(base)
        case .linkDown:
            phase = .down
            state.status = .starting
            return [.cancelTimer]
        case .received(let event): return receive(event)
        case .ended(let diagnostics, let isLost): return end(diagnostics, isLost: isLost || diagnostics.isEmpty)
        case .timerFired: return fire()
        case .nudged: return nudge()
        }
    }

    private mutating func open(_ name: SessionName?) -> [Effect] {
        phase = .attaching(to: name, refusal: nil)
        hasRead = false
        return [.open(server.watch(name)), .startTimer(Self.attachPatience)]
    }

    private mutating func read() -> [Effect] {
        phase = .reading(Reading())
        return [.send(TmuxReading.line), .startTimer(Self.freshness)]
    }

    // MARK: What tmux says

    private mutating func receive(_ event: ControlModeEvent) -> [Effect] {
        switch (phase, event) {
        case (.attaching(let name, _), .reply(let reply)):
            guard reply.isError else { return read() }
            phase = .attaching(to: name, refusal: reply.text)
            return []
        case (.reading(let reading), .reply(let reply)) where reply.isOwn: return take(reply, in: reading)
        case (_, .notification(let name, _)) where Self.tellsChange(name):
            if name == "client-session-changed" { state.clientMoves &+= 1 }
            return noteChange()
        default: return []
        }
    }

    private mutating func take(_ reply: ControlModeReply, in reading: Reading) -> [Effect] {
        if reply.isError { return giveUp("tmux could not list its sessions: \(reply.text)") }
        var reading = reading
        reading.replies.append(reply)
        guard reading.replies.count == TmuxReading.replyCount else {
            phase = .reading(reading)
            return []
        }
        do {
            let moves = state.clientMoves
            state = try TmuxReading.state(reading.replies)
            state.clientMoves = moves
        } catch {
            return giveUp(error.message)
        }
        hasRead = true
        failures = 0
        phase = .resting(isOutdated: reading.isOutdated)
        return [.startTimer(Self.rest)]
    }

    private mutating func noteChange() -> [Effect] {
        switch phase {
        case .following: return read()
        case .resting: phase = .resting(isOutdated: true)
        case .reading(var reading):
            reading.isOutdated = true
            phase = .reading(reading)
        case .down, .attaching, .closing, .waiting: break
        }
        return []
    }

    /// Whether a notification can mean another state: those about sessions, their windows, the active ones among these,
    /// the mode of a pane, and who looks. What else there is, or will be, is about other things.
    private static func tellsChange(_ name: String) -> Bool {
        switch name {
        case "sessions-changed", "session-changed", "session-renamed", "session-window-changed", "window-add",
            "window-close", "unlinked-window-add", "unlinked-window-close", "window-pane-changed", "pane-mode-changed",
            "client-session-changed", "client-detached":
            true
        default: false
        }
    }

    // MARK: Ends and time

    private mutating func end(_ diagnostics: String, isLost: Bool) -> [Effect] {
        switch phase {
        case .down, .waiting: return []
        case .closing(let reason): return fail(reason)
        case .attaching(let name, let refusal):
            let words = [refusal, diagnostics].compactMap(\.self).joined(separator: "\n")
            let failure = TmuxFailure(diagnostics: words)
            if failure?.kind == .sessionNotFound, name != nil { return open(nil) }
            return fail(reason(words), of: failure, isLost: isLost && refusal == nil)
        case .reading, .resting, .following:
            state.status = .starting
            // Its session was ended, and others may be there.
            return hasRead ? open(base) : fail(reason(diagnostics), isLost: isLost)
        }
    }

    private mutating func fire() -> [Effect] {
        switch phase {
        case .down, .following, .closing: return []
        case .waiting: return open(base)
        case .attaching: return giveUp("The host did not attach to tmux in time.")
        case .resting(let isOutdated):
            if isOutdated { return read() }
            phase = .following
            return []
        case .reading(var reading):
            guard !reading.isLate else { return giveUp("tmux did not answer in time.") }
            reading.isLate = true
            phase = .reading(reading)
            state.status = .starting
            return [.startTimer(Self.patience - Self.freshness)]
        }
    }

    private mutating func nudge() -> [Effect] {
        if case .waiting = phase { return open(base) }
        return noteChange()
    }

    private mutating func giveUp(_ reason: String) -> [Effect] {
        phase = .closing(reason)
        state.status = .starting
        return [.cancelTimer, .close]
    }

    private mutating func fail(_ reason: String, of failure: TmuxFailure? = nil, isLost: Bool = false) -> [Effect] {
        phase = .waiting
        failures += 1
        state.status = .unavailable(reason)
        if failure?.kind == .noServer { state = TmuxServerState(status: state.status) }
        let wait = reason == Self.tooOld ? Self.longWait : Self.schedule.delay(beforeAttempt: failures)
        return [.startTimer(isLost ? min(wait, Self.longestWaitAfterLoss) : wait)]
    }

    private func reason(_ words: String) -> String {
        if TmuxFailure(diagnostics: words)?.kind == .noServer { return "There is no tmux server on the host." }
        if let shell = UnsupportedShell(in: words) { return shell.error(host: "the host").message }
        if let program = MissingProgram(status: nil, diagnostics: words) {
            return "\(program.name) is not installed on the host, or not on its PATH."
        }
        for phrase in ["usage: ", "unknown option", "invalid option", "illegal option"] where words.contains(phrase) {
            return Self.tooOld
        }
        let said = InertText.line(words)
        return said.isEmpty ? "tmux ended the watching without a word." : "tmux on the host: \(said.prefix(200))"
    }

    private static let tooOld = "tmux on the host is older than 3.2, which cannot be watched."
}

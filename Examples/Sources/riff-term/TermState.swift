// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// What the person is doing: where keys go, and what they do. Pure: bytes and results in, effects out.
package struct TermState {
    /// Ctrl-]: begins a command, as in telnet. Neither tmux nor agents use it.
    package static let prefix: UInt8 = 0x1D

    package enum Mode: Hashable {
        /// Keys go to the session.
        case session
        /// The prefix was pressed: the next key is a command.
        case command
        /// Asks whether a session is to be ended.
        case closing(SessionName)
        /// A text to look for is typed.
        case typing(String)
        /// It is looked for.
        case searching(String)
        /// It was found; the places are counted from the oldest.
        case found(String, place: Int, count: Int)
        /// One of the links on the screen is to be chosen.
        case links([String], chosen: Int)
    }

    package enum Effect: Hashable {
        case send([UInt8])
        case create
        case close(SessionName)
        /// To the next page, or back.
        case turn(Int)
        /// To the page at a place.
        case show(Int)
        case search(String)
        case findLinks
        case copy(String)
        case open(String)
        case dictate
        case takePicture
        /// Tells what happened while the person was away.
        case away
        /// Looks after the connection now, not when the next attempt is due.
        case reconnect
        case quit
    }

    package private(set) var mode = Mode.session
    /// What happened last, until the next key.
    package var notice: String?
    var input = TermInput()

    /// Whether older output is shown instead of the session.
    package private(set) var showsHistory = false
    /// Which of the places that were found is shown there.
    package private(set) var place = 0

    package init() {}

    /// The search ended. A search that was given up meanwhile changes nothing.
    package mutating func searched(_ text: String, count: Int) {
        guard mode == .searching(text) else { return }
        if count > 0 {
            become(.found(text, place: count - 1, count: count))
            showsHistory = true
        } else {
            leave()
            notice = "\(text): not found"
        }
    }

    /// The links on the screen were looked for.
    package mutating func found(links: [String], chosen: Int) {
        if links.isEmpty {
            leave()
            notice = "no link here"
        } else {
            mode = .links(links, chosen: chosen)
        }
    }

    /// Another mode of the same page.
    mutating func become(_ mode: Mode) {
        self.mode = mode
        if case .found(_, let place, _) = mode { self.place = place }
    }

    /// Back to the session.
    mutating func leave() {
        mode = .session
        showsHistory = false
    }

    /// A key was pressed that is riff-term's own.
    mutating func pressed(_ key: TerminalKey, _ active: SessionName) -> Effect? {
        if input.isPasting {
            guard case .typing = mode else { return nil }
        }
        switch mode {
        case .session: return nil
        case .command: return command(key, active)
        case .closing(let name):
            leave()
            return key == .character("y") ? .close(name) : nil
        case .typing(let text): return typing(key, text)
        case .searching:
            if key == .escape { leave() }
            return nil
        case .found(let text, let place, let count): return walk(key, text, place, count)
        case .links(let links, let chosen): return choose(key, links, chosen)
        }
    }

    private mutating func command(_ key: TerminalKey, _ active: SessionName) -> Effect? {
        mode = .session
        switch key {
        case .character("n"): return .create
        case .character("x"): mode = .closing(active)
        case .right, .character("]"): return .turn(1)
        case .left, .character("["): return .turn(-1)
        case .character("/"): mode = .typing("")
        case .character("l"): return .findLinks
        case .character("d"): return .dictate
        case .character("p"): return .takePicture
        case .character("w"): return .away
        case .character("r"): return .reconnect
        case .character("q"): return .quit
        case .character(let digit): if let place = digit.wholeNumberValue, place > 0 { return .show(place - 1) }
        default: break
        }
        return nil
    }
}

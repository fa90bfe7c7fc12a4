// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension TmuxCommand {
    /// The attach call of a front end that shares sessions with others: it comes as an observer, so that it changes no
    /// size, says who it is, and drives where it is alone or drove before its connection was lost.
    ///
    /// The last two are done by tmux in one go: of two that come at the same time one finds itself alone.
    ///
    /// - Parameter viewer: The front end, the same at every start. It has one terminal on each session.
    /// - Returns: The call; for tmux 3.2 and later (``TmuxClientFlags``), as it stands for others.
    package func viewing(as viewer: RiffIdentifier) -> TmuxCommand {
        let observed = mapCommands { words in
            if words.first == "if-shell" {
                return words.map { word in
                    word.mapText { $0.replacingPrefix("attach-session ", "attach-session -f ignore-size ") }
                }
            }
            guard let verb = words.first, verb == "attach-session" || verb == "new-session" else { return words }
            return [verb, "-f", "ignore-size"] + words.dropFirst()
        }
        let isAloneOrDriver = "#{||:#{==:#{session_attached},1},#{m:\(viewer) *,#{@riff-driver}}}"
        let drive =
            "set-option -F @riff-driver '\(viewer) #{client_pid} #{client_name}' ; refresh-client -f '!ignore-size'"
        return
            observed
            .then([
                "set-option", "-aF", ShellWord(ViewerRegistration.option(viewer)),
                ShellWord(ViewerRegistration.addition),
            ])
            .then(["if-shell", "-F", ShellWord(isAloneOrDriver), ShellWord(drive)])
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, _ other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}

extension TmuxServer {
    /// Lists all clients for ``ViewerListing``.
    package func listViewers(for viewer: RiffIdentifier) -> TmuxCommand {
        TmuxCommand(socket, ["list-clients", "-F", ShellWord(ViewerListing.format(for: viewer))])
    }

    /// Carries a decision out.
    ///
    /// - Parameters:
    ///   - decision: What to do.
    ///   - viewers: What it was decided on.
    ///   - viewer: The front end.
    /// - Returns: The call; `nil` where nothing is to be done. A client that is gone by then makes it fail, with
    ///   everything done that mattered.
    package func carryOut(
        _ decision: DriverDecision,
        on viewers: SessionViewers,
        as viewer: RiffIdentifier
    ) -> TmuxCommand? {
        guard let mine = viewers.mine, decision != .nothing else { return nil }
        let session = ShellWord("\(viewers.sessionID):")
        let lease = DriverLease(viewer: viewer, client: mine.key).text
        var commands: [[ShellWord]] = []
        if viewers.own.count > 1, viewers.own.allSatisfy(\.isPlain) {
            // Forgets those that are gone, unless another one came since the list was made.
            let option = ViewerRegistration.option(viewer)
            let known = viewers.own.map(ViewerRegistration.text).joined()
            let forget = "set-option -t '\(viewers.sessionID):' \(option) '\(ViewerRegistration.text(mine.key))'"
            commands.append([
                "if-shell", "-F", "-t", session, ShellWord("#{==:#{\(option)},\(known)}"), ShellWord(forget),
            ])
        }
        switch decision {
        case .nothing: break
        case .takeFree:
            let take =
                "set-option -t '\(viewers.sessionID):' @riff-driver '\(lease)' ; "
                + "refresh-client -t '\(mine.name)' -f '!ignore-size'"
            // Anything that is no lease holds no value that a format could compare with; nobody waits for that one.
            let isFree = DriverLease(viewers.leaseText) == nil ? "1" : "#{==:#{@riff-driver},\(viewers.leaseText)}"
            let unchanged = viewers.leaseText.isEmpty ? "#{==:#{@riff-driver},}" : isFree
            commands.append(["if-shell", "-F", "-t", session, ShellWord(unchanged), ShellWord(take)])
        case .takeOver:
            commands.append(["set-option", "-t", session, "@riff-driver", ShellWord(lease)])
            commands.append(["refresh-client", "-t", ShellWord(mine.name), "-f", "!ignore-size"])
        case .observe:
            let isOwn = ShellWord("#{m:\(viewer) *,#{@riff-driver}}")
            let free = ShellWord("set-option -u -t '\(viewers.sessionID):' @riff-driver")
            commands.append(["if-shell", "-F", "-t", session, isOwn, free])
            commands.append(["refresh-client", "-t", ShellWord(mine.name), "-f", "ignore-size"])
        }
        // Last, since tmux stops at a client that is gone.
        var quieted = viewers.leftBehind
        if case .takeOver(let old?) = decision { quieted.append(old) }
        for client in quieted {
            commands.append(["refresh-client", "-t", ShellWord(client.name), "-f", "ignore-size"])
        }
        return TmuxCommand(socket, commands: commands)
    }
}

/// Whether a tmux knows clients that observe, and so the policy of one driver: 3.2 and later.
package enum TmuxClientFlags {
    /// Reads what `tmux -V` says, such as `tmux 3.3a`, or `next-3.5`.
    package static func areKnown(to version: String) -> Bool {
        guard let start = version.firstIndex(where: { ("0"..."9").contains($0) }) else { return false }
        let numbers = version[start...].split(separator: ".", maxSplits: 1)
        guard let major = numbers.first.flatMap({ Int($0) }) else { return false }
        let minor = numbers.dropFirst().first?.prefix { ("0"..."9").contains($0) }
        return (major, minor.flatMap { Int($0) } ?? 0) >= (3, 2)
    }
}

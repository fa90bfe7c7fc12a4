// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: SSHHost
/// The raw bytes of tmux panes, with the sequences that no attached client gets: program states (OSC 7501), progress
/// and notifications.
///
/// ```swift
/// let tap = PaneTap(on: host, kit: try await HostKit(on: host).status())
/// for try await chunk in try await tap.bytes(of: "%3") { print(chunk.bytes.count) }
/// ```
///
/// A pane has one pipe. It is opened for the first reader of all clients, closed with the last one, and never taken
/// from somebody else. The host keeps the last 3 to 6 MiB in files; a client that was cut off goes on where it was.
/// What nobody fetches is dropped, and the pane never waits.
public actor PaneTap {
    private let host: any HostSession
    private let script: String?
    /// Whether the script is one that knows more than to be followed.
    private let canResume: Bool
    private let server: TmuxServer
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Double
    private var feeds: [String: PaneFeed] = [:]
    private var resumedCount = 0
    private var isOver = false

    /// Creates the tap of a host's tmux server; nothing is asked or changed there yet.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - kit: The kit there, which has to have ``RiffCore/HostKitPart/tap``.
    ///   - server: The tmux server.
    ///   - clock: Measures the waits between attempts.
    public init(
        on host: any HostSession,
        kit: HostKitStatus,
        server: TmuxServer = TmuxServer(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(on: host, kit: kit, server: server, clock: clock, wallClock: WallClock.now)
    }

    package init(
        on host: any HostSession,
        kit: HostKitStatus,
        server: TmuxServer,
        clock: any Clock<Duration>,
        wallClock: @escaping @Sendable () -> Double
    ) {
        self.host = host
        script = kit.path(of: .tap)
        canResume = kit.parts.contains { $0.name.isSame(bytes: HostKitPart.tap.name) && $0.version >= 2 }
        self.server = server
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Reads a pane's bytes, from the oldest that the host still keeps of its tap. Readers of one pane share a channel;
    /// each later one begins with what comes next.
    ///
    /// - Parameters:
    ///   - pane: tmux's id of the pane, such as `%3`.
    ///   - bufferedBytes: How much is held for this reader before the oldest is dropped.
    /// - Returns: The bytes, once the host has begun to tell them.
    /// - Throws: ``KitError`` with `notInstalled`, `noPane`, `paneTaken`, `tmuxTooOld` or `failed`; why the host cannot
    ///   be reached at all; `CancellationError`.
    public func bytes(of pane: String, bufferedBytes: Int = 4 << 20) async throws -> PaneBytes {
        try await read(pane, as: pane, bufferedBytes: bufferedBytes)
    }

    /// Reads a pane's bytes from a place on, by a channel of its own: what was missed since, and then what comes.
    ///
    /// - Parameters:
    ///   - pane: tmux's id of the pane, such as `%3`.
    ///   - start: The first byte. From a place, what the host does not keep any more is told as the first chunk's gap.
    ///   - isCompressed: Whether what was missed comes compressed (gzip), if the host can.
    ///   - bufferedBytes: How much is held for this reader before the oldest is dropped.
    /// - Returns: The bytes, once the host has begun to tell them.
    /// - Throws: As ``bytes(of:bufferedBytes:)``; ``KitError`` with `outdated` if the kit is older than this.
    public func resume(
        _ pane: String,
        from start: PaneStart,
        isCompressed: Bool = false,
        bufferedBytes: Int = 8 << 20
    ) async throws -> PaneBytes {
        guard script == nil || canResume else { throw KitError.refused("old kit", pane: pane) }
        resumedCount += 1
        return try await read(
            pane,
            as: "\(pane) \(resumedCount)",
            bufferedBytes: bufferedBytes,
            from: start,
            isCompressed: isCompressed
        )
    }

    private func read(
        _ pane: String,
        as key: String,
        bufferedBytes: Int,
        from start: PaneStart = .oldest,
        isCompressed: Bool = false
    ) async throws -> PaneBytes {
        guard let script, !isOver else { throw KitError.refused("no kit", pane: pane) }
        guard pane.utf8.first == UInt8(ascii: "%"), pane.utf8.count <= 12,
            pane.utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw KitError.refused("no pane", pane: pane) }
        while true {
            let feed = feeds[key] ?? makeFeed(pane, as: key, script: script, from: start, isCompressed: isCompressed)
            guard let reader = feed.makeReader(limitBytes: bufferedBytes) else {
                // The one before is on its way out, and takes its pipe with it.
                await feed.ended.value()
                if feeds[key] === feed { feeds[key] = nil }
                try Task.checkCancellation()
                guard !isOver else { throw CancellationError() }
                continue
            }
            do {
                try await feed.opened.cancellableValue().get()
                return PaneBytes(reader)
            } catch {
                reader.close()
                throw error
            }
        }
    }

    private func makeFeed(
        _ pane: String,
        as key: String,
        script: String,
        from start: PaneStart,
        isCompressed: Bool
    ) -> PaneFeed {
        let line = TapLine(script: script, server: server, pane: pane, canResume: canResume)
        feeds = feeds.filter { $0.value.ended.current == nil }
        let feed = PaneFeed(
            on: host,
            line,
            from: start,
            isCompressed: isCompressed,
            clock: clock,
            wallClock: wallClock
        )
        feeds[key] = feed
        return feed
    }

    // MARK: Without a reader

    /// Keeps the bytes of a session's active pane on the host from now on, whether they are read or not: the last 3 to
    /// 6 MiB, in a folder of the account alone, until the pane ends. Nothing changes if they are kept already.
    ///
    /// - Parameter session: The session's name.
    /// - Throws: As ``resume(_:from:isCompressed:bufferedBytes:)``.
    public func keep(_ session: String) async throws { try await act("keep", session, answer: "kept ") }

    /// Erases what the host keeps of a session's active pane, and of panes that have ended. If it was to be kept, it is
    /// from now on.
    ///
    /// - Parameter session: The session's name.
    /// - Throws: As ``resume(_:from:isCompressed:bufferedBytes:)``.
    public func erase(_ session: String) async throws { try await act("erase", session, answer: "erased") }

    private func act(_ verb: String, _ session: String, answer: String) async throws {
        let pane = try SessionName(session).paneTarget.resolved(in: [:])
        guard let script, !isOver else { throw KitError.refused("no kit", pane: pane) }
        guard canResume else { throw KitError.refused("old kit", pane: pane) }
        let marker = TapLine.marker()
        let line = TapLine(script: script, server: server, pane: pane, canResume: true)
        let result = try await host.run(line.act(verb, marker: marker))
        let lines = String(decoding: result.output, as: UTF8.self).byteLines
        guard let place = lines.firstIndex(where: { $0.isSame(bytes: marker) }), place + 1 < lines.endIndex else {
            throw KitError.refused("it does not answer", pane: pane)
        }
        let words = lines[place + 1]
        if words.hasPrefix(bytes: "refused ") { throw KitError.refused(String(words.dropFirst(8)), pane: pane) }
        guard words.hasPrefix(bytes: answer) else { throw KitError.refused("it does not answer", pane: pane) }
    }

    /// Ends all readers, and returns when their channels are closed.
    public func shutdown() async {
        isOver = true
        let all = feeds.values
        feeds = [:]
        for feed in all { await feed.shutdown() }
    }
}

extension KitErrorCode {
    /// There is no such pane.
    public static let noPane = KitError.Code(rawValue: "noPane")
    /// Another program's command has the pane's one pipe.
    public static let paneTaken = KitError.Code(rawValue: "paneTaken")
    /// The pipe of the pane was closed by another client.
    public static let paneClosed = KitError.Code(rawValue: "paneClosed")
    /// The kit on the host is older than what was asked for.
    public static let outdated = KitError.Code(rawValue: "outdated")
    /// The host's disk is full.
    public static let hostFull = KitError.Code(rawValue: "hostFull")
    /// This tmux does not say whether a pane has a pipe.
    public static let tmuxTooOld = KitError.Code(rawValue: "tmuxTooOld")
}

extension KitError {
    /// Makes an error of the reason that the host's script gave.
    static func refused(_ reason: String, pane: String) -> KitError {
        let name = InertText.quote(pane)
        switch reason {
        case "no kit":
            return KitError(
                .notInstalled,
                "The host has no tap for panes. Install Riff's files there.",
                recovery: .retry
            )
        case "no pane": return KitError(.noPane, "There is no pane \(name) on the host.")
        case "taken":
            let message = "The output of pane \(name) is piped to another command already, which is left alone."
            return KitError(.paneTaken, message, recovery: .retry)
        case "closed":
            let message = "Somebody closed the pipe of pane \(name). Read it again to open it again."
            return KitError(.paneClosed, message, recovery: .retry)
        case "old kit":
            let message = "Riff's files on the host are older than what pane \(name) needs. Bring them up to date."
            return KitError(.outdated, message, recovery: .retry)
        case "full":
            let message = "The host's disk is full: the output of pane \(name) is no longer kept."
            return KitError(.hostFull, message, recovery: .retry)
        case "old tmux":
            let message = "tmux on the host does not tell whether pane \(name) is piped already; it is too old."
            return KitError(.tmuxTooOld, message, recovery: .updateProgram("tmux"))
        case "no tmux":
            let message = "tmux is not installed on the host, or not on its PATH."
            return KitError(.failed, message, recovery: .installProgram("tmux"))
        default:
            let message = "Pane \(name) could not be read: \(InertText.line(String(reason.prefix(200))))."
            return KitError(.failed, message, recovery: .retry)
        }
    }
}

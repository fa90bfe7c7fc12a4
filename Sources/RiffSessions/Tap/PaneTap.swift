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
    private let server: TmuxServer
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Double
    private var feeds: [String: PaneFeed] = [:]
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
        guard let script, !isOver else { throw KitError.refused("no kit", pane: pane) }
        guard pane.utf8.first == UInt8(ascii: "%"), pane.utf8.count <= 12,
            pane.utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw KitError.refused("no pane", pane: pane) }
        while true {
            let feed = feeds[pane] ?? makeFeed(pane, script: script)
            guard let reader = feed.makeReader(limitBytes: bufferedBytes) else {
                // The one before is on its way out, and takes its pipe with it.
                await feed.ended.value()
                if feeds[pane] === feed { feeds[pane] = nil }
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

    private func makeFeed(_ pane: String, script: String) -> PaneFeed {
        let line = TapLine(script: script, server: server, pane: pane)
        feeds = feeds.filter { $0.value.ended.current == nil }
        let feed = PaneFeed(on: host, line, clock: clock, wallClock: wallClock)
        feeds[pane] = feed
        return feed
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
    /// Somebody else's command has the pane's one pipe.
    public static let paneTaken = KitError.Code(rawValue: "paneTaken")
    /// Somebody closed the pipe of the pane.
    public static let paneClosed = KitError.Code(rawValue: "paneClosed")
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

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffScreen
public import RiffTransport
internal import Synchronization

// sample: bytes: [UInt8]
/// A terminal that plays a recorded session, for previews and demonstrations: what the program drew comes when it came
/// then. What is written to it, and its size, change nothing.
///
/// ```swift
/// let terminal = PlayedTerminal(try Cast(bytes))
/// try await terminal.connect(size: terminal.cast.header.size)
/// for await bytes in terminal.output { view.feed(byteArray: bytes[...]) }
/// ```
public final class PlayedTerminal: TerminalTransport {
    /// What is done when the recording is over.
    public enum Ending: Sendable, Hashable {
        /// The terminal ends, with the status that was recorded.
        case exit
        /// It stays as it is, until it is disconnected.
        case stay
        /// The cast begins again, on a blank screen.
        case restart
    }

    /// What is played.
    public let cast: Cast

    private let ending: Ending
    private let speed: Double
    private let clock: any Clock<Duration>
    private let terminal = InMemoryTerminal()
    private let player = Mutex<Task<Void, Never>?>(nil)

    /// A player, not connected yet.
    ///
    /// - Parameters:
    ///   - cast: What is played, with pauses no longer than its header says.
    ///   - speed: How many times as fast; more than 0.
    ///   - ending: What is done when it is over.
    ///   - clock: Measures the time in between.
    public init(
        _ cast: Cast,
        speed: Double = 1,
        ending: Ending = .exit,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.cast = cast
        self.speed = speed > 0 ? speed : 1
        self.ending = ending
        self.clock = clock
    }

    deinit { player.withLock { $0 }?.cancel() }

    /// The output that the program drew.
    public var output: TerminalOutput { terminal.output }

    /// Begins to play, once.
    public func connect(size: TerminalSize) async throws {
        try await terminal.connect(size: size)
        player.withLock { player in
            player = Task { [cast, speed, ending, clock, program = terminal.program] in
                await withTaskGroup { group in
                    // It would fill up, and whoever writes be made to wait. Its error is the terminal's end.
                    group.addTask { do { for try await _ in program.input {} } catch {} }
                    // It ends early only where the terminal did.
                    try? await Self.play(cast, speed, ending, clock, program)
                    group.cancelAll()
                }
            }
        }
    }

    /// Takes keys, and does nothing about them.
    public func write(_ bytes: [UInt8]) async throws { try await terminal.write(bytes) }

    /// Takes a size; what was recorded stays as it was.
    public func resize(to size: TerminalSize) async throws { try await terminal.resize(to: size) }

    /// Ends it on purpose.
    public func disconnect() async {
        await terminal.disconnect()
        let player = player.withLock { $0 }
        player?.cancel()
        await player?.value
    }

    /// Suspends until the end.
    public func closure() async -> TerminalClosure { await terminal.closure() }

    private static func play(
        _ cast: Cast,
        _ speed: Double,
        _ ending: Ending,
        _ clock: any Clock<Duration>,
        _ program: InMemoryTerminal.Program
    ) async throws {
        var status: Int32?
        repeat {
            var time = Duration.zero
            for event in cast.events {
                let pause = min(event.time - time, cast.header.idleTimeLimit ?? .seconds(1 << 40))
                time = event.time
                if pause > .zero { try await clock.sleep(for: pause / speed) }
                if event.code == .output, !event.data.isEmpty { try await program.send(Array(event.data.utf8)) }
                if let exit = event.exitStatus { status = exit }
            }
            guard ending == .restart, !cast.events.isEmpty else { break }
            // A recording without any pause lets others have their turn, too.
            await Task.yield()
            try await program.send(Array("\u{1B}c".utf8))
        } while !Task.isCancelled
        if ending == .exit { program.end(TerminalClosure(.exited, exit: status.map { .exited($0) })) }
    }
}

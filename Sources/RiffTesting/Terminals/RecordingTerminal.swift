// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

/// Passes everything on to another terminal, and keeps what was written, drawn and resized, and when.
public final class RecordingTerminal: TerminalTransport {
    /// An event that was recorded.
    public enum Event: Sendable, Hashable {
        /// The front end wrote, and the terminal took it.
        case wrote([UInt8])
        /// The front end set a size, or connected at it.
        case resized(TerminalSize)
        /// The program drew.
        case drew([UInt8])
    }

    /// An event, and its time since the recorder was made.
    public struct Entry: Sendable, Hashable {
        /// Time since the recorder was made, by its clock.
        public let time: Duration
        /// The event that was recorded.
        public let event: Event

        /// Creates an entry.
        public init(time: Duration, event: Event) {
            self.time = time
            self.event = event
        }
    }

    /// The output that the program drew.
    public let output: TerminalOutput

    private let inner: any TerminalTransport
    private let stopwatch: Stopwatch
    private let entries = Mutex<[Entry]>([])
    private let pipe = BytePipe(highWater: 64 * 1024)
    private let pump = Mutex<Task<Void, Never>?>(nil)

    /// A recorder around a terminal that is not connected yet.
    ///
    /// - Parameters:
    ///   - inner: The terminal; its `output` belongs to the recorder from now on.
    ///   - clock: Tells the times.
    public init(_ inner: any TerminalTransport, clock: any Clock<Duration> = ContinuousClock()) {
        self.inner = inner
        stopwatch = Stopwatch(clock)
        output = TerminalOutput(pipe)
    }

    /// Everything so far, in order. It grows for as long as the terminal lives: made for tests and demonstrations.
    public var recording: [Entry] { entries.withLock { $0 } }

    /// Connects the terminal, and starts to record its output.
    public func connect(size: TerminalSize) async throws {
        do {
            try await inner.connect(size: size)
        } catch {
            // A refused second connect leaves the first one running.
            if pump.withLock({ $0 == nil }) { pipe.finish() }
            throw error
        }
        note(.resized(size))
        pump.withLock { pump in
            pump = Task {
                for await bytes in inner.output {
                    note(.drew(bytes))
                    // It ends only by this recorder, when nobody wants the rest.
                    do { try await pipe.send(bytes) } catch { break }
                }
                pipe.finish()
            }
        }
    }

    /// Passes keys on.
    public func write(_ bytes: [UInt8]) async throws {
        try await inner.write(bytes)
        note(.wrote(bytes))
    }

    /// Passes a size on; one that is not usable is not recorded.
    public func resize(to size: TerminalSize) async throws {
        try await inner.resize(to: size)
        if size.isUsable { note(.resized(size)) }
    }

    /// Disconnects the terminal; output that was not read by then is dropped.
    public func disconnect() async {
        await inner.disconnect()
        pipe.finish()
        await pump.withLock({ $0 })?.value
    }

    /// Suspends until the terminal has ended and its output was passed on.
    public func closure() async -> TerminalClosure {
        let closure = await inner.closure()
        await pump.withLock({ $0 })?.value
        return closure
    }

    private func note(_ event: Event) {
        entries.withLock { $0.append(Entry(time: stopwatch.now.offset, event: event)) }
    }
}

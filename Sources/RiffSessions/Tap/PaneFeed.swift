// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffDeflate
internal import RiffTransport
internal import Synchronization

/// The one client of a pane's tap in this process, which gives its bytes to all readers here.
final class PaneFeed: Sendable {
    private struct State {
        var readers: [UInt64: Weak] = [:]
        var nextID: UInt64 = 0
        /// The tap that is read, and the byte to go on at.
        var tap: String?
        var next: UInt64 = 0
        /// What is missing before the next byte: also over channels that brought a header and no bytes.
        var gap: PaneChunk.Gap?
        /// The contents that the host kept when the channel was opened.
        var kept: TapContents?
        var isEnded = false
        var task: Task<Void, Never>?
        var channel: (any ByteChannel)?
    }

    /// A weak reference to a reader, which lives as long as it is read.
    private struct Weak: Sendable {
        weak let reader: PaneReader?
    }

    private let state = Mutex(State())
    private let host: any HostSession
    private let line: TapLine
    private let start: PaneStart
    private let isCompressed: Bool
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Double
    /// Resolved by the first header.
    let opened = EventualValue<Result<Void, any Error>>()
    let ended = EventualValue<Void>()

    init(
        on host: any HostSession,
        _ line: TapLine,
        from start: PaneStart = .oldest,
        isCompressed: Bool = false,
        clock: any Clock<Duration>,
        wallClock: @escaping @Sendable () -> Double
    ) {
        self.host = host
        self.line = line
        self.start = start
        self.isCompressed = isCompressed
        self.clock = clock
        self.wallClock = wallClock
        guard case .position(let position) = start else { return }
        state.withLock { state in
            state.tap = position.tap
            state.next = position.offset
        }
    }

    /// Adds a reader; `nil` after the end.
    func makeReader(limitBytes: Int) -> PaneReader? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            state.nextID += 1
            let id = state.nextID
            let reader = PaneReader(limitBytes: limitBytes) { [weak self] in self?.remove(id) }
            state.readers[id] = Weak(reader: reader)
            if state.task == nil { state.task = Task { await self.run() } }
            return reader
        }
    }

    private func remove(_ id: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.readers[id] = nil
            guard state.readers.isEmpty, !state.isEnded else { return nil }
            state.isEnded = true
            return state.task
        }
        task?.cancel()
    }

    /// Ends it for all readers.
    func shutdown() async {
        let (task, readers) = state.withLock { state in
            state.isEnded = true
            return (state.task, state.readers.values.compactMap(\.reader))
        }
        task?.cancel()
        for reader in readers { reader.finish(.success(())) }
        await task?.value
    }

    // MARK: The channel

    private func run() async {
        let ending: Result<Void, any Error>
        do { ending = .success(try await follow()) } catch { ending = .failure(error) }
        let readers = state.withLock { state in
            state.isEnded = true
            return state.readers.values.compactMap(\.reader)
        }
        opened.resolve(ending)
        for reader in readers { reader.finish(ending) }
        ended.resolve(())
    }

    /// Reads until the pane's end. A channel ends when the connection is lost, and when the host's files change.
    private func follow() async throws {
        var pause = TapPause()
        var opens = true
        var wasLive = false
        // What comes after what is kept is not worth it, and the channel ends with what is.
        var compresses = isCompressed
        while true {
            let marker = TapLine.marker()
            let (tap, next) = state.withLock { ($0.tap, $0.next) }
            let oldest = start == .newest && opened.current == nil ? "newest" : "oldest"
            let text = try line.follow(
                marker: marker,
                tap: tap,
                from: tap == nil ? oldest : String(next),
                opens: opens,
                isCompressed: compresses
            )
            let outcome: Outcome
            do {
                outcome = try await read(text, marker: marker)
            } catch let error as TransportError where HostLink.isRetryable(error) && error.code != .closed {
                compresses = isCompressed
                try await clock.sleep(for: pause.next(cameFar: false))
                continue
            }
            switch outcome {
            case .header(let header, let received):
                try take(header, &opens, &wasLive)
                compresses = false
                if case .refused = header { return }
                try await clock.sleep(for: pause.next(cameFar: received))
            case .nothing(let words):
                let wait = try pause.failed(words)
                try await clock.sleep(for: wait)
            }
        }
    }

    private enum Outcome {
        case header(TapHeader, received: Bool)
        case nothing(words: String)
    }

    /// Handles the end of a channel, by its header.
    private func take(_ header: TapHeader, _ opens: inout Bool, _ wasLive: inout Bool) throws {
        switch header {
        case .bytes(.live, _, _, _):
            wasLive = true
            opens = true
        case .bytes(.ended, _, _, _):
            // The pane ended, or somebody closed the pipe: then it is not opened again, or their next key would close
            // it again instead of opening theirs. One that had ended before this reader came tells nothing of that.
            opens = !wasLive
            leaveTap()
        case .bytes(.full, _, _, _): throw KitError.refused("full", pane: line.pane)
        case .bytes(.broken, _, _, _): leaveTap()
        // It was read before: this is its end.
        case .refused("no pane") where opened.current != nil: return
        case .refused(let words): throw KitError.refused(words, pane: line.pane)
        }
    }

    private func leaveTap() {
        state.withLock { state in
            state.tap = nil
            state.gap = .unknown
        }
    }

    private func read(_ text: String, marker: String) async throws -> Outcome {
        let channel = try await host.openChannel(text)
        do {
            let outcome = try await read(channel, marker: marker)
            await channel.close()
            return outcome
        } catch {
            if error is CancellationError { await leave(channel) } else { await channel.close() }
            throw error
        }
    }

    private func read(_ channel: any ByteChannel, marker: String) async throws -> Outcome {
        var parser = TapHeaderParser(marker: marker)
        var header: TapHeader?
        var received = false
        var inflater: Inflater?
        for try await chunk in channel.output {
            var bytes = chunk[...]
            if header == nil {
                header = try parser.next(in: &bytes)
                guard let header else { continue }
                if begin(header) { inflater = try Inflater(.gzip, limits: Self.limits) }
            }
            guard !bytes.isEmpty else { continue }
            received = true
            guard let inflater else {
                give(Array(bytes))
                continue
            }
            inflater.feed(Array(bytes))
            while let part = try inflater.next() { give(part) }
        }
        // What a file that went would have held is asked for again, and then told to be missing.
        if let header { return .header(header, received: received) }
        let words = try await channel.diagnostics.collect(upTo: 1 << 20)
        return .nothing(words: InertText.line(String(decoding: words.suffix(500), as: UTF8.self)))
    }

    /// The limits of unpacking: the bytes that the host keeps, and more.
    private static let limits = DeflateLimits(outputBytes: 64 << 20)

    /// Takes a header, and notes what is missing before the next byte.
    ///
    /// - Returns: Whether compressed bytes follow.
    private func begin(_ header: TapHeader) -> Bool {
        guard case .bytes(_, let tap, let from, let kept) = header else { return false }
        state.withLock { state in
            if state.tap == tap {
                if from > state.next { state.gap = .adding(state.gap, .bytes(from - state.next)) }
            } else if state.tap != nil {
                state.gap = .unknown
            }
            state.tap = tap
            state.next = from
            state.kept = kept
        }
        opened.resolve(.success(()))
        return kept?.isCompressed == true
    }

    private func give(_ bytes: [UInt8]) {
        let now = wallClock()
        var rest = bytes[...]
        while !rest.isEmpty {
            let (chunk, readers) = state.withLock { state in
                // Parts that were written at times of their own.
                let time = state.kept?.time(of: state.next)
                let count = min(time.map { $0.until - state.next } ?? .max, UInt64(rest.count))
                let part = rest.prefix(Int(count))
                rest = rest.dropFirst(part.count)
                let chunk = PaneChunk(
                    bytes: Array(part),
                    gap: state.gap,
                    offset: state.next,
                    receivedAt: now,
                    writtenAt: time?.seconds,
                    tap: state.tap ?? ""
                )
                state.next = state.next.addingReportingOverflow(count).partialValue
                state.gap = nil
                return (chunk, state.readers.values.compactMap(\.reader))
            }
            for reader in readers { reader.add(chunk) }
        }
    }

    /// Says goodbye, so that the last client closes the pipe at once; what was cut off is closed by the host later.
    private func leave(_ channel: any ByteChannel) async {
        let clock = clock
        await Task {
            // A connection that is gone takes no goodbye.
            try? await withDeadline(.seconds(2), clock: clock) {
                try await channel.write(Array("bye\n".utf8))
                try await channel.finishWriting()
                _ = try await channel.exitStatus()
            }
            await channel.close()
        }.value
    }
}

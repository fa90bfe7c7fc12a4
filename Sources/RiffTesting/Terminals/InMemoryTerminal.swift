// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

/// A terminal whose program is Swift code: what is written arrives at ``program``, and what that sends is the output.
public final class InMemoryTerminal: TerminalTransport {
    /// The output that the program sent.
    public let output: TerminalOutput
    /// The other side.
    public let program: Program

    /// The side of the program that runs on the terminal.
    public struct Program: Sendable {
        fileprivate let core: InMemoryTerminalCore

        /// The keys that were written; ends with the terminal. Single-consumer.
        public var input: ByteStream { ByteStream(core.input) }

        /// Every usable size so far, the one given to `connect` first; newer ones come as they are set.
        /// Single-consumer; sizes that nobody reads are kept, since a test sets few.
        public var sizes: AsyncStream<TerminalSize> { core.sizes }

        /// The size now; `nil` before `connect`.
        public var size: TerminalSize? { core.size.withLock { $0 } }

        /// Draws bytes; suspends while the front end does not read. Throws `closed` after the end.
        public func send(_ bytes: [UInt8]) async throws { try await core.output.send(bytes) }

        /// Ends the terminal from this side: the output ends after what was sent. Only the first end counts.
        public func end(_ closure: TerminalClosure) { core.end(closure) }

        /// Ends the terminal as a program that ended by itself.
        public func exit(_ status: ExitStatus) { core.end(TerminalClosure(.exited, exit: status)) }
    }

    private let core: InMemoryTerminalCore
    private let isConnected = Mutex(false)
    private let onConnect: @Sendable (Program) async throws -> Void

    /// A terminal, not connected yet.
    ///
    /// - Parameters:
    ///   - bufferedBytes: How much may wait on either way before the writer suspends.
    ///   - onConnect: Called by `connect` before it returns; what it throws, `connect` throws, and the terminal is
    ///     lost.
    public init(
        bufferedBytes: Int = 64 * 1024,
        onConnect: @escaping @Sendable (Program) async throws -> Void = { _ in }
    ) {
        core = InMemoryTerminalCore(bufferedBytes: bufferedBytes)
        program = Program(core: core)
        output = TerminalOutput(core.output)
        self.onConnect = onConnect
    }

    /// Connects, once.
    public func connect(size: TerminalSize) async throws {
        let isFirst = isConnected.withLock { isConnected in
            defer { isConnected = true }
            return !isConnected
        }
        guard isFirst, core.ended.current == nil else {
            throw TransportError(.closed, "A terminal is connected once; make a new one.")
        }
        core.resize(to: size.isUsable ? size : .standard)
        do {
            try await onConnect(program)
        } catch {
            core.end(TerminalClosure(failing: error))
            throw error
        }
    }

    /// Sends keys to the program; suspends while it does not take them.
    public func write(_ bytes: [UInt8]) async throws {
        try requireOpen()
        try await core.input.send(bytes)
    }

    /// Sets a usable size.
    public func resize(to size: TerminalSize) async throws {
        try requireOpen()
        if size.isUsable { core.resize(to: size) }
    }

    /// Ends it on purpose.
    public func disconnect() async { core.end(TerminalClosure(.disconnected)) }

    /// Suspends until the end.
    public func closure() async -> TerminalClosure { await core.ended.value() }

    private func requireOpen() throws {
        guard isConnected.withLock({ $0 }), core.ended.current == nil else {
            throw TransportError(.closed, "The terminal in memory is not connected.")
        }
    }
}

/// The state that both sides of an in-memory terminal share.
private final class InMemoryTerminalCore: Sendable {
    let input: BytePipe
    let output: BytePipe
    let size = Mutex<TerminalSize?>(nil)
    let sizes: AsyncStream<TerminalSize>
    let ended = EventualValue<TerminalClosure>()
    private let sizesEntry: AsyncStream<TerminalSize>.Continuation

    init(bufferedBytes: Int) {
        input = BytePipe(highWater: bufferedBytes)
        output = BytePipe(highWater: bufferedBytes)
        // Unbounded: it grows by one for each resize of a test.
        (sizes, sizesEntry) = AsyncStream.makeStream()
    }

    func resize(to newSize: TerminalSize) {
        size.withLock { $0 = newSize }
        sizesEntry.yield(newSize)
    }

    func end(_ closure: TerminalClosure) {
        guard ended.current == nil else { return }
        // The output first: it is over when the end is told.
        output.finish()
        input.finish(throwing: TransportError(.closed, "The terminal in memory has ended."))
        sizesEntry.finish()
        ended.resolve(closure)
    }
}

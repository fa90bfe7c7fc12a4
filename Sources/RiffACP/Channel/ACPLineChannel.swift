// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport
internal import Synchronization

/// Lines over any channel of bytes: a process, an SSH command, a pair in memory.
public final class ACPLineChannel: ACPChannel {
    private struct State {
        var framer: LineFramer
        /// The marker that the program's output must begin with; `nil` when it has come.
        var marker: String?
        var hasEnded = false
    }

    private let bytes: any ByteChannel
    private let state: Mutex<State>

    /// Standard error of the command, where it has one.
    public var diagnostics: ByteStream { bytes.diagnostics }

    /// Lines over bytes.
    ///
    /// - Parameters:
    ///   - bytes: The channel; closed with this one.
    ///   - lineLimit: The most bytes of one line.
    ///   - beginMarker: A line of its own that comes before the first message. What is written before it is dropped: a
    ///     login shell's profile may print something.
    public init(_ bytes: any ByteChannel, lineLimit: Int = 64 * 1024 * 1024, beginMarker: String? = nil) {
        self.bytes = bytes
        state = Mutex(State(framer: LineFramer(limit: lineLimit), marker: beginMarker))
    }

    /// The next lines, at least one, in order; `nil` at the end.
    public func receive() async throws -> [ACPFrame]? {
        var chunks = bytes.output.makeAsyncIterator()
        while !state.withLock(\.hasEnded) {
            let chunk = try await chunks.next()
            let frames = state.withLock { state in
                guard let chunk else {
                    state.hasEnded = true
                    return state.framer.finish().map { [$0] } ?? []
                }
                return Self.afterMarker(state.framer.push(chunk), &state)
            }
            if !frames.isEmpty { return frames }
        }
        return nil
    }

    private static func afterMarker(_ frames: [ACPFrame], _ state: inout State) -> [ACPFrame] {
        guard let marker = state.marker else { return frames }
        let place = frames.firstIndex { frame in
            guard case .line(let line) = frame else { return false }
            return line.elementsEqual(marker.utf8)
        }
        guard let place else { return [] }
        state.marker = nil
        return Array(frames[(place + 1)...])
    }

    /// Sends whole lines.
    public func send(_ lines: [UInt8]) async throws { try await bytes.write(lines) }

    /// Closes the other side's standard input.
    public func finishSending() async throws { try await bytes.finishWriting() }

    /// Closes the channel beneath.
    public func close() async { await bytes.close() }

    /// Returns the way that the command ended.
    public func exitStatus() async throws -> ExitStatus? { try await bytes.exitStatus() }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// One command of an agent's, with what it wrote last.
final class ACPHostTerminal: Sendable {
    private struct State {
        var output: [UInt8] = []
        var isTruncated = false
    }

    private let channel: any ByteChannel
    private let limit: Int
    private let state = Mutex(State())
    private let ended = EventualValue<ACP.TerminalExitStatus>()
    private let reading = Mutex<Task<Void, Never>?>(nil)

    init(_ channel: any ByteChannel, limit: Int) {
        self.channel = channel
        self.limit = limit
        // Ends with the channel, which `close` ends and then waits for this.
        reading.withLock { $0 = Task { await read() } }
    }

    private func read() async {
        do {
            // It has no input; one that reads it sees its end.
            try await channel.finishWriting()
            for try await chunk in channel.output { keep(chunk) }
        } catch {
            // The connection broke, or the command was ended: what it wrote until then stays.
        }
        // Where the connection broke nobody knows how it ended.
        let status = (try? await channel.exitStatus()) ?? nil
        switch status {
        case .exited(let code): ended.resolve(ACP.TerminalExitStatus(exitCode: Int(code)))
        case .signaled(let signal): ended.resolve(ACP.TerminalExitStatus(signal: signal))
        case nil: ended.resolve(ACP.TerminalExitStatus())
        }
    }

    private func keep(_ chunk: [UInt8]) {
        state.withLock { state in
            state.output += chunk
            // Twice the limit, so that not every chunk moves all of it.
            if state.output.count > 2 * limit + 64 * 1024 { cut(&state) }
        }
    }

    /// Drops what is beyond the limit from the front, at a character's boundary.
    private func cut(_ state: inout State) {
        guard state.output.count > limit else { return }
        state.isTruncated = true
        var start = state.output.count - limit
        while start < state.output.count, state.output[start] & 0xC0 == 0x80 { start += 1 }
        state.output.removeFirst(start)
    }

    var output: ACP.TerminalOutputResponse {
        state.withLock { state in
            cut(&state)
            return ACP.TerminalOutputResponse(
                output: String(decoding: state.output, as: UTF8.self),
                truncated: state.isTruncated,
                exitStatus: ended.current
            )
        }
    }

    func exit() async throws -> ACP.TerminalExitStatus { try await ended.cancellableValue() }

    /// Ends the command, and waits until all that it wrote is kept.
    func close() async {
        await channel.close()
        await reading.withLock(\.self)?.value
    }
}

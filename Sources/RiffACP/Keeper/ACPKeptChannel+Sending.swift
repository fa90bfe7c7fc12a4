// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport
internal import Synchronization

extension ACPKeptChannel {
    /// The number of bytes that may wait to arrive before ``send(_:)`` waits.
    private static let outboundLimit = 64 * 1024 * 1024

    /// Sends whole lines, now or when there is a connection again; each arrives once.
    public func send(_ lines: [UInt8]) async throws {
        var version: UInt64? = nil
        while state.withLock({ $0.outbound.bytes > Self.outboundLimit && !$0.isClosed }) {
            version = try await room.wait(after: version)
        }
        try state.withLock { state in
            guard !state.isClosed else { throw TransportError(.closed, "The channel to \(agent) is closed.") }
            for line in lines.split(separator: 0x0A) {
                // Written by this side a moment ago.
                let json = try? JSONValue(parsing: line)
                var purpose = KeptOutbound.Purpose.message
                if case .response(let id, _)? = json.flatMap(ACPMessage.init(json:)), let key = KeptOutbound.key(of: id)
                {
                    purpose = .answer(key: key)
                } else if let key = json.flatMap({ OtherTurn.key(of: $0, from: clientID) }) {
                    purpose = .prompt(key: key)
                }
                state.outbound.add(line + [0x0A], for: purpose)
            }
        }
        await write()
    }

    /// Writes what was not written yet to the open attachment; one at a time does.
    func write() async {
        let mayWrite = state.withLock { state in
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard mayWrite else { return }
        while let (attachment, bytes) = nextMessage() {
            do { try await attachment.bytes.write(bytes) } catch {
                // The reader meets the same; it attaches again, and all of it is sent again.
                await attachment.bytes.close()
            }
        }
    }

    /// Returns the next message and the attachment to write it to; `nil`, which stops the writer, if there is none.
    private func nextMessage() -> (Attachment, [UInt8])? {
        state.withLock { state in
            guard let attachment = state.attachment, state.inbound.header != nil, let bytes = state.outbound.next()
            else {
                state.isWriting = false
                return nil
            }
            return (attachment, bytes)
        }
    }

    // MARK: The end

    /// Waits no longer than until everything sent has arrived; the agent's input stays open.
    public func finishSending() async throws {
        let isDone = state.withLock { state in
            state.isFinishing = true
            return state.outbound.isEmpty
        }
        if isDone { ended.resolve(nil) }
    }

    /// Detaches from the agent, which continues to run.
    public func close() async {
        let attachment = state.withLock { state in
            state.isClosed = true
            state.onAnswered = nil
            state.onTurn = nil
            defer { state.attachment = nil }
            return state.attachment
        }
        await attachment?.bytes.close()
        await tasks.end()
        words.finish()
        room.signal()
        ended.resolve(nil)
    }

    /// Returns the way that the agent ended; `nil` when everything sent after ``finishSending()`` has arrived.
    public func exitStatus() async throws -> ExitStatus? { try await ended.cancellableValue() }
}

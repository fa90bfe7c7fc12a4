// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffTransport
import Synchronization

/// One WebSocket whose messages are given to it in batches.
final class Feed: WebSocketTransport, WebSocketConnection {
    private struct State {
        var frames: [String] = []
        var next = 0
        var bytes: UInt64 = 0
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
        /// The task that waits until a batch was read.
        var giver: CheckedContinuation<Void, Never>?
        var enders: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func connect(_ request: WebSocketRequest) async throws -> any WebSocketConnection { self }

    var subprotocol: String? { nil }
    var receivedBytes: UInt64 { state.withLock(\.bytes) }
    var ended: WebSocketEnding? { nil }

    /// Gives messages, and returns when the reader has come back after the last one.
    func give(_ frames: [String]) async {
        await withCheckedContinuation { giver in
            let reader = state.withLock { state in
                state.frames = frames
                state.next = 0
                state.giver = giver
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume()
        }
    }

    func receive() async throws -> WebSocketMessage? {
        while true {
            let (message, giver, isClosed) = state.withLock { state in
                guard state.next < state.frames.count else {
                    defer { state.giver = nil }
                    return (nil as String?, state.giver, state.isClosed)
                }
                let message = state.frames[state.next]
                state.next += 1
                state.bytes += UInt64(message.utf8.count)
                return (message, nil, false)
            }
            if let message { return .text(message) }
            giver?.resume()
            if isClosed { return nil }
            await withCheckedContinuation { reader in
                let isMine = state.withLock { state in
                    if state.next < state.frames.count || state.isClosed { return true }
                    state.reader = reader
                    return false
                }
                if isMine { reader.resume() }
            }
        }
    }

    func send(_ message: WebSocketMessage) async throws {}
    func ping() async throws {}

    func close(_ code: WebSocketEnding.Code, reason: String) async {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer {
                state.reader = nil
                state.enders = []
            }
            return state.enders + [state.reader].compactMap(\.self)
        }
        for continuation in waiting { continuation.resume() }
    }

    func ending() async throws -> WebSocketEnding {
        await withCheckedContinuation { ender in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.enders.append(ender) }
                return state.isClosed
            }
            if isClosed { ender.resume() }
        }
        throw CancellationError()
    }
}

/// A hub whose REST interface says nothing: a question that is cancelled has no answer and no error.
struct NoServer: HTTPTransport {
    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        throw CancellationError()
    }
}

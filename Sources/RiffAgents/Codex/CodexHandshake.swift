// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// The beginning of a connection to Codex's app-server through its proxy, a command that carries bytes to the server's
/// socket: the server takes nothing before its 101, and the proxy says nothing else.
enum CodexHandshake {
    /// How long the server may take to answer.
    private static let limit = Duration.seconds(20)
    /// How much the command may say about its failure.
    private static let diagnosisLimit = 4_096

    /// Opens the WebSocket; `nil` if the command ended without a byte.
    static func open(_ channel: any ByteChannel, clock: any Clock<Duration>) async throws -> ChannelWebSocket? {
        // The name is nobody's: the socket is a file.
        let request = WebSocketRequest(try WebSocketURL("ws://localhost/"), connectDeadline: nil)
        do {
            return try await withDeadline(limit, clock: clock) {
                try await ChannelWebSocket.open(over: channel, request)
            }
        } catch is DeadlineExceeded {
            throw TransportError(.timeout, "Codex's server did not answer within 20 seconds.", recovery: .retry)
        } catch let error as TransportError where error.code == .webSocketHandshake || error.code == .webSocketRefused {
            throw AgentError(.serverFailed, "What answers is no server of Codex's: \(error.message)", cause: error)
        }
    }

    /// The reason for which the command ended without a byte.
    static func refusal(of channel: any ByteChannel, clock: any Clock<Duration>) async -> any Error {
        do {
            let (words, exit) = try await withDeadline(limit, clock: clock) {
                var words: [UInt8] = []
                for try await bytes in channel.diagnostics where words.count < diagnosisLimit { words += bytes }
                return (String(decoding: words.prefix(diagnosisLimit), as: UTF8.self), try await channel.exitStatus())
            }
            let said = InertText.quote(words)
            switch exit {
            case .exited(1): return AgentError(.noServer, "No server of Codex's runs on the host. It said: “\(said)”")
            case nil, .exited(0): return lost("The command that leads to Codex's server ended.")
            case .exited(let status):
                let text = "The command that leads to Codex's server ended with status \(status): “\(said)”"
                return AgentError(.serverFailed, text)
            case .signaled(let name): return lost("Signal \(name) ended the command that leads to Codex's server.")
            }
        } catch is DeadlineExceeded {
            return lost("The command that leads to Codex's server did not end.")
        } catch {
            return error
        }
    }

    private static func lost(_ text: String) -> TransportError {
        TransportError(.connectionLost, text, recovery: .retry)
    }
}

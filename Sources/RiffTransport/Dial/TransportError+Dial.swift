// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

extension TransportErrorCode {
    /// The proxy itself was not reached; the message has the reason.
    public static let proxyUnreachable = TransportError.Code(rawValue: "proxyUnreachable")
    /// The proxy wants a login, or another one.
    public static let proxyNotAuthorized = TransportError.Code(rawValue: "proxyNotAuthorized")
    /// The proxy answered and would not connect.
    public static let proxyRefused = TransportError.Code(rawValue: "proxyRefused")
    /// The server that answered is no proxy of this kind, or it hung up before its answer.
    public static let proxyFailed = TransportError.Code(rawValue: "proxyFailed")
    /// The command, a login or an address cannot be used for this kind of dialer.
    public static let dialerUnusable = TransportError.Code(rawValue: "dialerUnusable")
}

extension ByteChannel {
    /// Why a connection that is over ended, where its way has words for it: the status and the last of the standard
    /// error of the command that carried it.
    ///
    /// - Parameters:
    ///   - way: What the connection was, as the subject of a sentence.
    ///   - error: What reading it threw; `nil` where it ended in order.
    /// - Returns: The reason; `nil` where it ended in order and no command failed.
    func endReason(of way: String, after error: (any Error)?) async -> TransportError? {
        // A command may close its output and run on, and its children may hold its standard error open.
        let status = try? await withDeadline(
            .seconds(1),
            clock: ContinuousClock(),
            abandoning: { [self] in
                try await exitStatus()
            }
        )
        if let status = status ?? nil, !status.isSuccess {
            let words = await lastWords()
            let said = words.isEmpty ? "." : ": \(words)"
            let message = "\(way) ended with \(status.phrase)\(said)"
            return TransportError(.connectionLost, message, recovery: .retry, cause: error)
        }
        guard let error else { return nil }
        if let error = error as? TransportError { return error }
        return TransportError(.connectionLost, "\(way) was lost: \(InertText.quote("\(error)")).", cause: error)
    }

    /// The last of what was said apart from the output, as far as it comes at once.
    private func lastWords() async -> String {
        let words = Mutex<[UInt8]>([])
        // Late or broken: what was said until then counts.
        _ = try? await withDeadline(.milliseconds(500), clock: ContinuousClock()) { [self] in
            for try await bytes in diagnostics { words.withLock { $0 = ($0 + bytes).suffix(2048) } }
        }
        let lines = words.withLock(\.self).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            .map { InertText.line(String(decoding: $0, as: UTF8.self)) }.filter { !$0.isEmpty }
        // What is wrong stands at the end of what a program says.
        return InertText.quote(lines.suffix(4).joined(separator: " / "))
    }
}

extension ExitStatus {
    /// The status as the end of a sentence.
    fileprivate var phrase: String {
        switch self {
        case .exited(let status): "status \(status)"
        case .signaled(let name): "signal \(InertText.quote(name))"
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// One channel to the script on a host: a request and its answer at a time.
actor BoardChannel {
    /// The time limit for an answer.
    private static let patience = Duration.seconds(20)
    /// The most bytes of one answer.
    private static let limitBytes = 8 << 20

    private let channel: any ByteChannel
    private let mark: String
    private let host: String
    private let clock: any Clock<Duration>
    private var splitter = LineSplitter(limitBytes: 1 << 18, overflow: .drops, stripsCR: false)

    init(_ channel: any ByteChannel, mark: String, host: String, clock: any Clock<Duration>) {
        self.channel = channel
        self.mark = mark
        self.host = host
        self.clock = clock
    }

    /// Asks, and waits for the whole answer.
    ///
    /// - Throws: `TransportError` with `agentsUnseen` if the script ends or says too much; `timeout` if it says
    ///   nothing; what breaks the channel; `CancellationError`. The channel is of no use then.
    func ask(_ request: BoardRequest) async throws -> [BoardRow] {
        do {
            return try await withDeadline(Self.patience, clock: clock) { try await self.answer(to: request) }
        } catch is DeadlineExceeded {
            let message = "\(host) did not tell its agents in time."
            throw TransportError(.timeout, message, recovery: .retry)
        }
    }

    func close() async { await channel.close() }

    private func answer(to request: BoardRequest) async throws -> [BoardRow] {
        try await channel.write(Array((request.line + "\n").utf8))
        let end = Array((mark + " .").utf8)
        var rows: [BoardRow] = []
        var count = 0
        for try await chunk in channel.output {
            count += chunk.count
            guard count <= Self.limitBytes else {
                throw TransportError(.agentsUnseen, "\(host) told more of its agents than is read.", recovery: .retry)
            }
            var rest = chunk[...]
            var isOver = false
            while let line = splitter.next(in: &rest) {
                guard !line.isCut else {
                    rows.append(.text([]))
                    continue
                }
                if line.bytes.elementsEqual(end) { isOver = true }
                if let row = BoardRow(line: line.bytes, mark: mark) { rows.append(row) }
            }
            if isOver { return rows }
        }
        let words = try await channel.diagnostics.collect(upTo: 1 << 16)
        let line = InertText.quote(String(decoding: words.suffix(300), as: UTF8.self), limitBytes: 300)
        let reason = line.isEmpty ? "the shell ended" : line
        throw TransportError(.agentsUnseen, "\(host) cannot tell its agents: \(reason)", recovery: .retry)
    }
}

extension TransportErrorCode {
    /// The shell script that looks for agents on a host ended, or made no sense.
    public static let agentsUnseen = TransportError.Code(rawValue: "agentsUnseen")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Types into anything that takes bytes: the text through a filter, then Return (0x0D) as a separate write.
public struct WritingTextInjector: TextInjecting {
    private let submitDelay: Duration
    private let clock: any Clock<Duration>
    private let filter: @Sendable (String) -> String
    private let write: @Sendable ([UInt8]) async throws -> Void

    /// An injector.
    ///
    /// - Parameters:
    ///   - submitDelay: Between the text and Return.
    ///   - clock: What measures the delay.
    ///   - filter: Takes out what must not reach a terminal; it is not optional, because spoken text is data.
    ///   - write: Where the bytes go.
    public init(
        submitDelay: Duration = .milliseconds(300),
        clock: any Clock<Duration> = ContinuousClock(),
        filter: @escaping @Sendable (String) -> String,
        write: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.submitDelay = submitDelay
        self.clock = clock
        self.filter = filter
        self.write = write
    }

    /// Writes the filtered text as UTF-8, then Return if asked. Text of which the filter leaves only white space writes nothing,
    /// and submits nothing.
    public func type(_ text: String, submit: Bool) async throws {
        let filtered = filter(text)
        guard !filtered.allSatisfy(\.isWhitespace) else { return }
        try await write(Array(filtered.utf8))
        guard submit else { return }
        try await clock.sleep(for: submitDelay)
        try await write([0x0D])
    }
}

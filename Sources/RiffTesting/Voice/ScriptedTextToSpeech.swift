// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice
internal import Synchronization

/// A voice in memory: a tone for each text, as long as the text, that comes in pieces of a tenth of a second.
public final class ScriptedTextToSpeech: TextToSpeech {
    /// The format that it speaks in.
    public let format: AudioFormat

    private let perCharacter: Duration
    private let failure: (any Error)?
    private let spoken = Mutex<[String]>([])

    /// Creates a voice.
    ///
    /// - Parameters:
    ///   - format: What it speaks in: 16 bits.
    ///   - perCharacter: How long each character lasts.
    ///   - failure: What it throws after the first piece of any text.
    public init(
        format: AudioFormat = .speech,
        perCharacter: Duration = .milliseconds(50),
        failure: (any Error)? = nil
    ) {
        precondition(format.sample == .int16 && format.sampleRate >= 1_000, "The tone has 16 bits and a pitch.")
        (self.format, self.perCharacter, self.failure) = (format, perCharacter, failure)
    }

    /// The texts that it was asked to speak, also those that were not spoken to their end.
    public var texts: [String] { spoken.withLock { $0 } }

    /// Delivers the tone.
    public func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        spoken.withLock { $0.append(text) }
        guard !text.allSatisfy(\.isWhitespace) else { return }
        var left = Int(perCharacter * text.count / .microseconds(1)) * format.sampleRate / 1_000_000
        while left > 0 {
            let count = min(left, format.sampleRate / 10)
            try await deliver(tone(count), format)
            left -= count
            if let failure { throw failure }
            try Task.checkCancellation()
        }
    }

    /// A square wave of some 200 Hz at -12 dBFS.
    private func tone(_ frames: Int) -> [UInt8] {
        (0..<frames).flatMap { index -> [UInt8] in
            let value: Int16 = index * 400 / format.sampleRate % 2 == 0 ? 8_000 : -8_000
            let bits = UInt16(bitPattern: value)
            let sample = [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
            return Array(repeating: sample, count: format.channels).flatMap { $0 }
        }
    }
}

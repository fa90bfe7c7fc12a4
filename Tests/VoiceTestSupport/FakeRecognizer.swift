// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// A recognizer that says what it is told.
package struct FakeRecognizer: SpeechToText {
    package let body: @Sendable (AudioClip) async throws -> Transcript

    package init(body: @escaping @Sendable (AudioClip) async throws -> Transcript) { self.body = body }

    package func transcribe(_ clip: AudioClip) async throws -> Transcript { try await body(clip) }

    /// Reads `TEXT:...` out of a clip.
    package static let reading = FakeRecognizer {
        Transcript(text: String(decoding: $0.bytes.dropFirst(5), as: UTF8.self))
    }
}

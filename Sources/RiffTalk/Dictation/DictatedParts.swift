// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// The parts of one recording and what was recognized of them: a value. The sound of a part is kept until it is.
struct DictatedParts: Sendable {
    private struct Entry: Sendable {
        var clip: AudioClip?
        var transcript: Transcript?
    }

    /// How many parts are kept that a recognizer has not taken.
    static let mostHeld = 4

    private var entries: [Entry] = []
    /// Why the first part that was not recognized could not be.
    private(set) var failure: (any Error)?

    /// A part without speech is not worth a request.
    mutating func append(_ part: Recording.Part) {
        let isSilent = !part.hasSpeech || part.clip.bytes.isEmpty
        entries.append(Entry(clip: isSilent ? nil : part.clip, transcript: isSilent ? Transcript(text: "") : nil))
    }

    /// The bytes of all parts that are not recognized.
    var heldBytes: Int { entries.reduce(0) { $0 + ($1.clip?.bytes.count ?? 0) } }

    /// The next part to recognize; `nil` where there is none, or one has failed.
    var next: (number: Int, clip: AudioClip)? {
        guard failure == nil, let number = entries.firstIndex(where: { $0.transcript == nil }) else { return nil }
        return entries[number].clip.map { (number, $0) }
    }

    mutating func recognized(_ number: Int, _ transcript: Transcript) {
        entries[number] = Entry(clip: nil, transcript: transcript)
    }

    mutating func failed(_ number: Int, _ error: any Error) { failure = error }

    mutating func forgetFailure() { failure = nil }

    /// All that was said.
    var transcript: Transcript {
        let said = entries.compactMap(\.transcript)
        guard said.count > 1 else { return said.first ?? Transcript(text: "") }
        let texts = said.map(\.text).filter { !$0.allSatisfy(\.isWhitespace) }
        return Transcript(text: texts.joined(separator: " "), language: said.lazy.compactMap(\.language).first)
    }
}

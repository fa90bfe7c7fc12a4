// Riff
// SPDX-License-Identifier: Apache-2.0

/// A recorded piece of speech, as a file's bytes or as raw samples.
public struct AudioClip: Sendable, Hashable {
    /// How the bytes are to be read.
    public enum Encoding: Sendable, Hashable {
        /// A whole WAV file.
        case wav
        /// An AAC file in an MPEG-4 container (`.m4a`).
        case m4a
        /// Raw interleaved little-endian samples.
        case pcm(AudioFormat)
    }

    /// The file's bytes, or the samples.
    public let bytes: [UInt8]
    /// How to read them.
    public let encoding: Encoding

    /// A clip of these bytes.
    public init(_ bytes: [UInt8], encoding: Encoding) {
        self.bytes = bytes
        self.encoding = encoding
    }
}

/// What a recogniser made of a clip. An empty text is a result: nothing was recognised.
public struct Transcript: Sendable, Hashable {
    /// What was said, as heard.
    public var text: String
    /// BCP 47 tag of the language, where the engine told it.
    public var language: String?

    /// A transcript of this text.
    public init(text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }

    /// Whether nothing was recognised (empty or white space only).
    public var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }
}

/// A seam: turns one recorded clip into text.
///
/// To the implementer: return an empty transcript where nothing was said; throw a ``RiffError`` where the engine, the
/// network or the clip failed, saying in its `recovery` whether a retry can help; throw `CancellationError` on
/// cancellation, having released the engine or closed the connection. Text is returned as heard: what is typed from it
/// is the injector's business.
public protocol SpeechToText: Sendable {
    func transcribe(_ clip: AudioClip) async throws -> Transcript
}

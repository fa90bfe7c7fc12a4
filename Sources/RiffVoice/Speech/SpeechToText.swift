// Riff
// SPDX-License-Identifier: Apache-2.0

/// A recorded piece of speech, as a file's bytes or as raw samples.
public struct AudioClip: Sendable, Hashable {
    /// The encoding of a clip's bytes.
    public enum Encoding: Sendable, Hashable {
        /// A whole WAV file.
        case wav
        /// An AAC file in an MPEG-4 container (`.m4a`).
        case m4a
        /// A whole FLAC file, as ``FLACEncoder`` makes it.
        case flac
        /// A whole MP3 file.
        case mp3
        /// Raw interleaved little-endian samples.
        case pcm(AudioFormat)
    }

    /// The file's bytes, or the samples.
    public let bytes: [UInt8]
    /// The encoding of the bytes.
    public let encoding: Encoding

    /// A clip of these bytes.
    public init(_ bytes: [UInt8], encoding: Encoding) {
        self.bytes = bytes
        self.encoding = encoding
    }

    /// A clip of a file whose kind its first bytes tell; `nil` where they tell none of those above.
    ///
    /// - Parameter file: All of its bytes.
    public init?(file: [UInt8]) {
        let encoding: Encoding
        switch file.prefix(4) {
        case [0x52, 0x49, 0x46, 0x46]: encoding = .wav  // RIFF
        case [0x66, 0x4C, 0x61, 0x43]: encoding = .flac  // fLaC
        case let head where head.starts(with: [0x49, 0x44, 0x33]): encoding = .mp3  // ID3
        // A frame's first eleven bits are set (ISO 11172-3, 2.4.1.3).
        case let head where head.count == 4 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0: encoding = .mp3
        default:
            guard file.dropFirst(4).starts(with: [0x66, 0x74, 0x79, 0x70]) else { return nil }  // ftyp
            encoding = .m4a
        }
        self.init(file, encoding: encoding)
    }
}

/// The text that a recognizer made of a clip. An empty text is a result: nothing was recognized.
public struct Transcript: Sendable, Hashable {
    /// The words as they were heard.
    public var text: String
    /// BCP 47 tag of the language, where the engine told it.
    public var language: String?

    /// Creates a transcript of this text.
    public init(text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }

    /// Whether nothing was recognized (empty or white space only).
    public var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }
}

/// A seam: turns one recorded clip into text.
///
/// To the implementer: return an empty transcript where nothing was said; throw a ``RiffError`` where the engine, the
/// network or the clip failed, saying in its `recovery` whether a retry can help; throw `CancellationError` on
/// cancellation, having released the engine or closed the connection. Text is returned as heard: what is typed from it
/// is the injector's business.
public protocol SpeechToText: Sendable {
    /// Recognizes a clip.
    func transcribe(_ clip: AudioClip) async throws -> Transcript

    /// Recognizes a clip in which these words are to be expected, such as names; an engine that takes none ignores
    /// them.
    ///
    /// - Parameters:
    ///   - clip: The clip.
    ///   - keyTerms: Words and short phrases, in addition to those that the engine was made with.
    /// - Returns: What was said.
    /// - Throws: What ``transcribe(_:)`` throws.
    func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript

    /// Makes the first clip as quick as the others: loads what there is to load and runs it once. An engine that is
    /// ready says so and does nothing again; one over HTTP has nothing to load.
    ///
    /// - Parameter report: Told of each step, in order; the last one is `EnginePreparation.ready`.
    /// - Throws: A ``RiffError`` where it cannot be made ready; `CancellationError`.
    func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws
}

extension SpeechToText {
    /// Ignores the terms: for engines that take none.
    public func transcribe(_ clip: AudioClip, expecting keyTerms: [String]) async throws -> Transcript {
        try await transcribe(clip)
    }

    /// Ready at once: for engines that load nothing.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws { report(.ready) }

    /// Prepares the engine without reporting progress, so that the first clip is as quick as the others.
    public func prepare() async throws { try await prepare { _ in } }
}

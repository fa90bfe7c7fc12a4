// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension AudioClip {
    /// The clip's samples in a format.
    ///
    /// - Parameter format: The wanted format; 16 kHz, mono, 16-bit unless said otherwise.
    /// - Returns: Whole frames, interleaved and little-endian.
    /// - Throws: ``CoreError`` with `audioUnsupported` for AAC, FLAC and MP3, which are not decoded here,
    ///   `audioTooLarge` above 512 MiB of samples, and what ``WAVReader`` throws.
    public func samples(as format: AudioFormat = .speech) throws(CoreError) -> [UInt8] {
        switch encoding {
        case .wav: return try WAVReader.read(bytes, as: format).samples
        case .pcm(let own):
            var converter = try PCMConverter(from: PCMConverter.Layout(own), to: format)
            var samples: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: PCMConverter.pieceBytes) {
                samples += converter.convert(bytes[start..<min(start + PCMConverter.pieceBytes, bytes.count)])
                try PCMConverter.check(samples.count, limit: PCMConverter.mostBytes)
            }
            samples += converter.finish()
            return samples
        case .m4a, .flac, .mp3:
            let message = "AAC, FLAC and MP3 are not decoded here; give it WAV or raw samples instead."
            throw CoreError(.audioUnsupported, message)
        }
    }

    /// The clip's samples as numbers of one channel, nominally -1 to 1: what voice activity detection takes.
    ///
    /// - Parameter sampleRate: The wanted rate, in hertz.
    /// - Returns: One number for each frame.
    /// - Throws: ``CoreError`` as ``samples(as:)`` throws.
    public func floats(sampleRate: Int = 16_000) throws(CoreError) -> [Float] {
        let bytes = try samples(as: AudioFormat(sampleRate: sampleRate, sample: .float32))
        return bytes.withUnsafeBytes { bytes in
            (0..<(bytes.count / 4)).map { PCMConverter.value(of: .float32, in: bytes, at: $0 * 4) }
        }
    }

    /// The clip as a whole file: what it is already, or a WAV file around its samples.
    ///
    /// - Throws: ``CoreError`` with `audioTooLarge` or `audioInvalidFormat`.
    public func asFile() throws(CoreError) -> AudioClip {
        guard case .pcm(let format) = encoding else { return self }
        return AudioClip(try WAVWriter.file(bytes, format: format), encoding: .wav)
    }

    /// Returns the duration of the clip; `nil` if only a decoder could tell.
    ///
    /// - Throws: ``CoreError`` where a WAV file cannot be read.
    public func duration() throws(CoreError) -> Duration? {
        switch encoding {
        case .m4a, .flac, .mp3: return nil
        case .pcm(let format):
            guard format.bytesPerFrame > 0, format.sampleRate > 0 else {
                throw CoreError(.audioInvalidFormat, "A clip of 0 Hz or 0 channels has no length.")
            }
            return .seconds(1) * (bytes.count / format.bytesPerFrame) / format.sampleRate
        case .wav:
            let (samples, format) = try WAVReader.read(bytes)
            return .seconds(1) * (samples.count / format.bytesPerFrame) / format.sampleRate
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Unpacks clips of any kind with the ffmpeg of this machine; WAV and raw samples need none.
public struct FFmpegClipDecoder: AudioClipDecoder {
    private let format: AudioFormat
    private let limit: Int

    /// Creates a decoder.
    ///
    /// - Parameter format: What it makes.
    public init(to format: AudioFormat = AudioFormat(sampleRate: 24_000)) {
        self.init(to: format, limit: PCMConverter.mostBytes)
    }

    /// A decoder that makes so many bytes at most, however large the clip is.
    package init(to format: AudioFormat, limit: Int) { (self.format, self.limit) = (format, limit) }

    /// The most bytes that a clip of a size is made into. Speech at 6 kbit/s, about the least that a codec does,
    /// becomes sixty-four times as large; silence can become a thousand times as large, and so can a file made for
    /// that.
    package static func mostBytes(of size: Int) -> Int { (4 << 20) + size * 256 }

    /// Unpacks a clip, by a file that no other user can read and that is gone afterwards. It is read as what its
    /// encoding says, whatever its bytes look like.
    ///
    /// - Throws: ``VoiceError`` with `audioSourceFailed` where ffmpeg is not there or cannot read it; `CoreError` with
    ///   `audioTooLarge` where it becomes more than 4 MiB and 256 times as large; `CancellationError`.
    public func decode(_ clip: AudioClip) async throws -> AudioClip {
        let container: String
        switch clip.encoding {
        case .wav, .pcm: return clip
        case .m4a: container = "mov"
        case .flac: container = "flac"
        // AAC without a container begins as MP3 does, and FLAC may have the tags of one.
        case .mp3: container = "mp3,aac,flac"
        }
        let most = min(limit, FFmpegClipDecoder.mostBytes(of: clip.bytes.count))
        let file = FileManager.default.temporaryDirectory.appending(path: "riff-clip-\(UUID().uuidString)")
        let path = file.path(percentEncoded: false)
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw VoiceError(.audioSourceFailed, "No file for a clip can be made in \(path).")
        }
        // It may be gone already; there is nothing else to do about it.
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(clip.bytes).write(to: file)
        let source = CommandAudioSource(.ffmpeg(decoding: path, containers: container, to: format))
        do {
            let format = try await source.start()
            var samples: [UInt8] = []
            for try await frames in source.frames {
                samples += frames
                try PCMConverter.check(samples.count, limit: most)
            }
            await source.stop()
            return AudioClip(samples, encoding: .pcm(format))
        } catch {
            await source.stop()
            throw error
        }
    }
}

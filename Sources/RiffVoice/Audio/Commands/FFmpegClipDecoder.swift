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

    /// A decoder.
    ///
    /// - Parameter format: What it makes.
    public init(to format: AudioFormat = AudioFormat(sampleRate: 24_000)) { self.format = format }

    /// Unpacks a clip, by a file that nobody else can read and that is gone afterwards.
    ///
    /// - Throws: ``VoiceError`` with `audioSourceFailed` where ffmpeg is not there or cannot read it;
    ///   `CancellationError`.
    public func decode(_ clip: AudioClip) async throws -> AudioClip {
        switch clip.encoding {
        case .wav, .pcm: return clip
        case .m4a, .flac, .mp3: break
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "riff-clip-\(UUID().uuidString)")
        let path = file.path(percentEncoded: false)
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw VoiceError(.audioSourceFailed, "No file for a clip can be made in \(path).")
        }
        // It may be gone already; there is nothing else to do about it.
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(clip.bytes).write(to: file)
        let source = CommandAudioSource(.ffmpeg(decoding: path, to: format))
        do {
            let format = try await source.start()
            var samples: [UInt8] = []
            for try await frames in source.frames { samples += frames }
            await source.stop()
            return AudioClip(samples, encoding: .pcm(format))
        } catch {
            await source.stop()
            throw error
        }
    }
}

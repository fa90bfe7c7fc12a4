// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

/// Packs raw samples and WAV files as MP3 with the ffmpeg of this machine: speech to a sixth of its size, in the kind
/// of file that every client plays.
public struct FFmpegClipEncoder: AudioClipEncoder {
    private let program: String
    private let bitRate: Int

    /// Creates an encoder.
    ///
    /// - Parameter bitRate: Bits a second of the file, for all channels together.
    public init(bitRate: Int = 64_000) { self.init(bitRate: bitRate, program: "ffmpeg") }

    /// An encoder that runs another program, for tests of one that is missing.
    package init(bitRate: Int, program: String) { (self.bitRate, self.program) = (bitRate, program) }

    /// Packs a clip; AAC, FLAC and MP3 come back as they are.
    ///
    /// - Throws: ``VoiceError`` with `audioEncoderFailed` if ffmpeg is missing or fails; `CoreError` for a clip that
    ///   cannot be read; `CancellationError`.
    @concurrent
    public func encode(_ clip: AudioClip) async throws -> AudioClip {
        switch clip.encoding {
        case .m4a, .flac, .mp3: return clip
        case .wav, .pcm: break
        }
        let file = try clip.asFile()
        let arguments =
            ["-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist", "pipe", "-f", "wav", "-i", "pipe:0"]
            + ["-vn", "-map_metadata", "-1", "-f", "mp3", "-b:a", "\(bitRate)", "pipe:1"]
        let process: LocalProcess
        do {
            let command = LocalCommand(program, arguments).withoutSecrets()
            process = try await LocalProcess.start(command, closeGrace: .milliseconds(200))
        } catch let error as TransportError where error.code == .programNotFound {
            throw VoiceError(
                .audioEncoderFailed,
                "There is no program \(program) on this machine to make MP3 with; install it.",
                recovery: .installProgram("ffmpeg"),
                cause: error
            )
        }
        let result: Result<[UInt8], any Error>
        do { result = .success(try await converse(with: process, file.bytes)) } catch { result = .failure(error) }
        await process.close()
        return AudioClip(try result.get(), encoding: .mp3)
    }

    private func converse(with process: LocalProcess, _ bytes: [UInt8]) async throws -> [UInt8] {
        // Both ways at once: ffmpeg writes while it reads, and stops reading while nobody takes what it writes.
        async let written: Void = Self.write(bytes, to: process)
        var packed: [UInt8] = []
        for try await piece in process.output {
            packed += piece
            // A file that is packed is smaller: what is larger than four times the clip is no MP3 of it.
            guard packed.count <= bytes.count * 4 + 65_536 else { throw failure("made far too much of a clip") }
        }
        try await written
        if let exit = try await process.exitStatus(), !exit.isSuccess {
            throw failure(await process.account(of: exit))
        }
        guard !packed.isEmpty else { throw failure("made nothing of a clip") }
        return packed
    }

    private static func write(_ bytes: [UInt8], to process: LocalProcess) async throws {
        do {
            for start in stride(from: 0, to: bytes.count, by: 65_536) {
                try await process.write(Array(bytes[start..<min(start + 65_536, bytes.count)]))
            }
            try await process.finishWriting()
        } catch let error as TransportError where error.code == .closed {
            // It ended without reading all; its exit status says why.
        }
    }

    private func failure(_ words: String) -> VoiceError { VoiceError(.audioEncoderFailed, "\(program) \(words).") }
}

extension VoiceErrorCode {
    /// The program that packs sound is missing or has failed.
    public static let audioEncoderFailed = VoiceError.Code(rawValue: "audioEncoderFailed")
}

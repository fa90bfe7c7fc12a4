// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A program of this machine that records, plays, reads or writes audio on a pipe: its name and its arguments, each of
/// which arrives as it is. No shell is involved.
public struct AudioCommand: Sendable, Hashable {
    /// The form of the bytes that the program reads or writes on the pipe.
    public enum Form: Sendable, Hashable {
        /// The samples alone.
        case raw
        /// A WAV file whose header does not know how long it is.
        case wav
    }

    /// The program: a name that is looked up in `PATH`, or a path.
    public var program: String
    /// The arguments after the program's name.
    public var arguments: [String]
    /// The samples on the pipe.
    public var format: AudioFormat
    /// The form in which the samples are wrapped.
    public var form: Form
    /// Whether a microphone or a loudspeaker is behind it, which a person can check when it fails.
    public var usesDevice: Bool

    /// Creates a command.
    public init(
        _ program: String,
        _ arguments: [String],
        format: AudioFormat = .speech,
        form: Form = .raw,
        usesDevice: Bool = false
    ) {
        self.program = program
        self.arguments = arguments
        self.format = format
        self.form = form
        self.usesDevice = usesDevice
    }
}

// MARK: Programs that give audio

extension AudioCommand {
    /// ALSA's recorder (package alsa-utils).
    ///
    /// - Parameters:
    ///   - format: What to record.
    ///   - device: An ALSA name such as `hw:1`; `nil` is the system's choice.
    /// - Returns: The command, for a ``CommandAudioSource``.
    public static func arecord(_ format: AudioFormat = .speech, device: String? = nil) -> AudioCommand {
        AudioCommand("arecord", alsa(format, device), format: format, usesDevice: true)
    }

    /// A sound or film of the usual kinds, decoded by ffmpeg, its first audio stream alone. Only that file is read: a
    /// kind of file that names others, such as a playlist, is refused, and no network is reached.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: What to make of it.
    /// - Returns: The command, for a ``CommandAudioSource``.
    public static func ffmpeg(decoding path: String, to format: AudioFormat = .speech) -> AudioCommand {
        ffmpeg(decoding: path, containers: containers, to: format)
    }

    /// As ``ffmpeg(decoding:to:)``, of these kinds of file alone.
    static func ffmpeg(decoding path: String, containers: String, to format: AudioFormat) -> AudioCommand {
        // No block of memory of more than 64 MiB, which a header may ask for.
        let bounds = ["-nostdin", "-v", "error", "-max_alloc", "67108864", "-threads", "1"]
        let input = ["-protocol_whitelist", "file", "-format_whitelist", containers]
        // One kind is not guessed, but said.
        let kind = containers.contains(",") ? [] : ["-f", containers]
        let arguments =
            bounds + input + kind + ["-i", "file:\(path)", "-map", "0:a:0", "-vn", "-sn", "-dn"]
            + ["-f", format.sample == .int16 ? "s16le" : "f32le"]
            + ["-ar", "\(format.sampleRate)", "-ac", "\(format.channels)", "pipe:1"]
        return AudioCommand("ffmpeg", arguments, format: format)
    }

    /// ffmpeg's names of containers that hold all that they play.
    private static let containers = """
        aac,ac3,aiff,amr,ape,asf,au,avi,caf,eac3,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,tta,w64,wav,webm,wv
        """

    /// Any file that sox knows, decoded; a playlist is refused, since it names other files, and addresses.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: What to make of it.
    /// - Returns: The command, for a ``CommandAudioSource``.
    public static func sox(decoding path: String, to format: AudioFormat = .speech) -> AudioCommand {
        // What ends like a playlist is one to sox, whatever else it is told; this is no name of a file.
        let isPlaylist = [".m3u", ".pls"].contains { path.lowercased().utf8.suffix(4).elementsEqual($0.utf8) }
        let file = isPlaylist ? soxFile(path) + "/." : soxFile(path)
        let arguments = ["--no-glob", "-V1", "-D", file] + soxRaw(format) + ["-"]
        return AudioCommand("sox", arguments, format: format)
    }
}

// MARK: Programs that take audio

extension AudioCommand {
    /// ALSA's player (package alsa-utils).
    ///
    /// - Parameters:
    ///   - format: What is played.
    ///   - device: An ALSA name such as `hw:1`; `nil` is the system's choice.
    /// - Returns: The command, for a ``CommandAudioSink``.
    public static func aplay(_ format: AudioFormat, device: String? = nil) -> AudioCommand {
        AudioCommand("aplay", alsa(format, device), format: format, usesDevice: true)
    }

    /// ffmpeg's player.
    public static func ffplay(_ format: AudioFormat) -> AudioCommand {
        let arguments = [
            "-v", "error", "-nodisp", "-autoexit", "-protocol_whitelist", "pipe", "-f", "wav", "-i", "pipe:0",
        ]
        return AudioCommand("ffplay", arguments, format: format, form: .wav, usesDevice: true)
    }

    /// Any file that ffmpeg writes, by its name's ending; one that is there already is an error.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: What comes in.
    /// - Returns: The command, for a ``CommandAudioSink``.
    public static func ffmpeg(encodingTo path: String, from format: AudioFormat) -> AudioCommand {
        let arguments = [
            "-v", "error", "-n", "-protocol_whitelist", "pipe", "-f", "wav", "-i", "pipe:0", "file:\(path)",
        ]
        return AudioCommand("ffmpeg", arguments, format: format, form: .wav)
    }

    /// Any file that sox writes, by its name's ending.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: What comes in.
    /// - Returns: The command, for a ``CommandAudioSink``.
    public static func sox(encodingTo path: String, from format: AudioFormat) -> AudioCommand {
        AudioCommand("sox", ["-V1", "-D"] + soxRaw(format) + ["-", soxFile(path)], format: format)
    }

    private static func alsa(_ format: AudioFormat, _ device: String?) -> [String] {
        ["-q", "-t", "raw", "-f", format.sample == .int16 ? "S16_LE" : "FLOAT_LE"]
            + ["-r", "\(format.sampleRate)", "-c", "\(format.channels)"] + (device.map { ["-D", $0] } ?? [])
    }

    private static func soxRaw(_ format: AudioFormat) -> [String] {
        ["-t", "raw", "-L", "-e", format.sample == .int16 ? "signed" : "float"]
            + ["-b", format.sample == .int16 ? "16" : "32", "-r", "\(format.sampleRate)", "-c", "\(format.channels)"]
    }

    /// sox takes `-` for a pipe, `|` for a command and `http:` for the network; none of them begins with a slash or a
    /// dot.
    private static func soxFile(_ path: String) -> String { path.hasPrefix(bytes: "/") ? path : "./\(path)" }
}

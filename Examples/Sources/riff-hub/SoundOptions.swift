// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffHub
import RiffVoice
import Synchronization

/// What the voices are heard with, and what hears the person.
struct SoundOptions: ParsableArguments {
    @Option(help: "A folder in which what is said is written as WAV files, instead of playing it with aplay.")
    var speakTo: String?
    @Flag(help: "Play nothing: what is said counts as heard.")
    var silent = false
    @Option(
        help: "What records, as a shell runs it: raw samples, 16 kHz, mono, 16 bits. arecord unless said otherwise."
    )
    var microphone: String?

    func validate() throws {
        if silent, speakTo != nil { throw ValidationError("--silent and --speak-to exclude each other.") }
    }

    /// What the hub's client hears and speaks with, and the files where it speaks into files.
    func devices() throws -> (HubDevices, SpokenFiles?) {
        let command = microphone
        let files = speakTo.map { SpokenFiles(folder: absolutePath($0)) }
        let makeSource: @Sendable () async throws -> any AudioSource = {
            // The person's own line, which only they have written.
            guard let command else { return CommandAudioSource(.arecord()) }
            return CommandAudioSource(AudioCommand("sh", ["-c", command], usesDevice: true))
        }
        let makeSink: (@Sendable (HubDevices.Speaker) async throws -> any AudioSink)?
        if let files {
            makeSink = { files.next(of: $0.voice) }
        } else if silent {
            makeSink = nil
        } else {
            makeSink = { _ in CommandAudioSink { AudioCommand.aplay($0) } }
        }
        let devices = HubDevices(
            makeSource: makeSource,
            makeSink: makeSink,
            decoder: FFmpegClipDecoder(),
            detector: try NeuralVoiceDetector()
        )
        return (devices, files)
    }
}

/// A WAV file for each thing that is said, named after who says it.
final class SpokenFiles: Sendable {
    /// The files that are complete.
    let written: AsyncStream<(voice: HubVoice, path: String)>
    private let report: AsyncStream<(voice: HubVoice, path: String)>.Continuation
    private let folder: String
    private let count = Mutex(0)

    init(folder: String) {
        self.folder = folder
        // As many as there are files, whose reader only writes a line for each.
        (written, report) = AsyncStream.makeStream()
    }

    /// Makes the folder.
    func begin() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func end() { report.finish() }

    /// What writes the next file.
    func next(of voice: HubVoice) -> any AudioSink {
        let name = voice.name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let path = count.withLock { count in
            repeat { count += 1 } while FileManager.default.fileExists(atPath: file(name, count))
            return file(name, count)
        }
        return ReportedFile(AudioFileSink(path)) { [report] in report.yield((voice, path)) }
    }

    private func file(_ name: String, _ number: Int) -> String {
        "\(folder)/\(name.isEmpty ? "voice" : name)-\(number).wav"
    }
}

/// Tells when its file is complete.
private struct ReportedFile: AudioSink {
    private let file: AudioFileSink
    private let report: @Sendable () -> Void

    init(_ file: AudioFileSink, report: @escaping @Sendable () -> Void) { (self.file, self.report) = (file, report) }

    func start(_ format: AudioFormat) async throws { try await file.start(format) }
    func write(_ frames: [UInt8]) async throws { try await file.write(frames) }
    func cancel() async { await file.cancel() }

    func finish() async throws {
        try await file.finish()
        report()
    }
}

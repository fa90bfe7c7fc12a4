// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport

/// A program that reads a text on its input and writes a WAV file on its output; started for each text.
struct SpeechProgram: Sendable {
    /// The most bytes of a text: some hours of speech, and less than what may wait in the program's input.
    static let longestText = 64 * 1024

    /// The command that starts the program; the text is never among its arguments.
    let command: LocalCommand
    /// What is to be installed where it is missing.
    let package: String
    /// The most bytes of audio taken from it.
    let limitBytes: Int

    /// Speaks a text that has something in it.
    func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        guard text.utf8.count <= SpeechProgram.longestText else {
            let message = "The text has \(text.utf8.count) bytes; \(command.program) gets \(SpeechProgram.longestText)."
            throw VoiceError(.synthesisTooLarge, message)
        }
        let process = try await start()
        do {
            try await converse(with: process, text, deliver)
        } catch {
            await process.close()
            throw error
        }
        await process.close()
    }

    private func start() async throws -> LocalProcess {
        do {
            return try await LocalProcess.start(command.withoutSecrets(), closeGrace: .milliseconds(200))
        } catch let error as TransportError where error.code == .programNotFound {
            throw VoiceError(
                .speechProgramMissing,
                "There is no program \(command.program) on this machine to speak with; install it.",
                recovery: .installProgram(package),
                cause: error
            )
        }
    }

    private func converse(
        with process: LocalProcess,
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        do {
            try await process.write(Array(text.utf8))
            try await process.finishWriting()
        } catch let error as TransportError where error.code == .closed {
            // It ended without reading; what it says of that comes below.
        }
        var reader = WAVReader()
        var taken = 0
        for try await bytes in process.output {
            taken += bytes.count
            guard taken <= limitBytes else {
                let message = "\(command.program) made more than \(limitBytes) bytes of audio; say less at a time."
                throw VoiceError(.synthesisTooLarge, message)
            }
            let frames = try reader.feed(bytes)
            if let format = reader.format, !frames.isEmpty { try await deliver(frames, format) }
        }
        let exit = try await process.exitStatus()
        if let exit, !exit.isSuccess {
            let account = await process.account(of: exit)
            let message = "\(command.program) \(account). Check its voice and its model."
            throw VoiceError(.speechProgramFailed, message)
        }
        let rest = try reader.finish()
        if let format = reader.format, !rest.isEmpty { try await deliver(rest, format) }
    }

    /// Returns a text as such a program should read it: control characters, which some obey, are spaces, and so is
    /// everything between two opening brackets, which begin phoneme codes; `nil` if nothing is left to say.
    static func plain(_ text: String, keepsLines: Bool) -> String? {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            if scalar == "\n", keepsLines { return scalar }
            let kind = scalar.properties.generalCategory
            let isControl = kind == .control || kind == .lineSeparator || kind == .paragraphSeparator
            return isControl ? " " : scalar
        }
        var plain = String.UnicodeScalarView()
        for scalar in scalars {
            if scalar == "[", plain.last == "[" { plain.append(" ") }
            plain.append(scalar)
        }
        let string = String(plain)
        return string.allSatisfy(\.isWhitespace) ? nil : string
    }

    /// A name that is an argument of its own and cannot be an option.
    static func argument(_ name: String, what: String) throws(VoiceError) -> String {
        guard let first = name.utf8.first, first != UInt8(ascii: "-"), !name.utf8.contains(0) else {
            throw VoiceError(.synthesisRejected, "\"\(InertText.line(name))\" is no name of a \(what).")
        }
        return name
    }
}

extension VoiceErrorCode {
    /// The program that speaks is not installed.
    public static let speechProgramMissing = VoiceError.Code(rawValue: "speechProgramMissing")
    /// The program that speaks has failed.
    public static let speechProgramFailed = VoiceError.Code(rawValue: "speechProgramFailed")
    /// The text, or what it sounds like, is larger than may be.
    public static let synthesisTooLarge = VoiceError.Code(rawValue: "synthesisTooLarge")
    /// The service, or the program, does not accept the text, the voice, the model or a setting.
    public static let synthesisRejected = VoiceError.Code(rawValue: "synthesisRejected")
}

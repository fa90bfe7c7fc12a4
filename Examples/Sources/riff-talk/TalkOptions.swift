// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffCore
import RiffTransport
import RiffVoice

/// What the person chose on the command line.
struct TalkOptions: ParsableArguments {
    @OptionGroup var host: HostOptions

    @OptionGroup var speech: SpeechOptions

    @Option(help: "Say this recording instead of listening with arecord; once for each turn.")
    var say: [String] = []

    @Option(help: "A folder in which the answers are written as WAV files, instead of playing them with aplay.")
    var speakTo: String?

    @Option(
        help: "Speak with ElevenLabs' voice of this id, with the key in ELEVENLABS_API_KEY, instead of espeak-ng's."
    )
    var elevenLabs: String?

    @Option(help: "Hear only sessions that were started in this directory of the host; an absolute path.")
    var project: String?

    @Option(help: "Where the transcripts are on the host, from the home folder on or from the root.")
    var transcripts = ".claude/projects"

    @Flag(help: "Let your voice break an answer off; needs a headset, or it breaks itself off.")
    var bargeIn = false

    @Flag(help: "Type what you say into whatever program is in front, also where Riff does not know its prompt.")
    var sayAnywhere = false

    @Option(help: "End after so many turns.")
    var turns: Int?

    func voice(over http: () throws -> any HTTPTransport) throws -> any TextToSpeech {
        guard let elevenLabs else { return try EspeakTextToSpeech() }
        guard let key = ProcessInfo.processInfo.environment["ELEVENLABS_API_KEY"] else {
            throw ExampleFailure("--eleven-labs needs the account's key in ELEVENLABS_API_KEY.")
        }
        var options = ElevenLabsTextToSpeech.Options()
        options.voice = elevenLabs
        return try ElevenLabsTextToSpeech(key: Secret(key), options: options, transport: try http())
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal

/// What the person chose on the command line.
struct TermOptions: ParsableArguments {
    @OptionGroup var host: HostOptions

    @OptionGroup var speech: SpeechOptions

    @Option(help: "Dictate this recording instead of what arecord hears.")
    var wav: String?

    @Flag(help: "Type spoken words into whatever program is in front, also into its questions.")
    var dictateAnywhere = false

    @Option(help: "Where a picture of the screen is written to.")
    var picture = "riff-term.svg"

    @Option(help: "Keep what sessions show in this file, with secrets as dots, to tell what happened meanwhile.")
    var record: String?

    var recordPath: String? { record.map(absolutePath) }
    var picturePath: String { absolutePath(picture) }
}

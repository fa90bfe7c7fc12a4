// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RiffServer
import RiffVoice

/// How long things may take.
struct TimeLimits: ParsableArguments {
    @Option(help: "Seconds that the agent may take for an answer.")
    var replyTimeout = RiffContract.replyTimeout.components.seconds

    @Option(help: "Seconds that the recognizer may take for a clip.")
    var recognizerTimeout: Int64 = 30

    @Option(help: "Seconds that a client may take to send its body.")
    var bodyTimeout: Int64 = 120

    func validate() throws {
        guard replyTimeout > 0, recognizerTimeout > 0, bodyTimeout > 0 else {
            throw ValidationError("A time limit is at least one second.")
        }
    }

    func apply(to configuration: inout ServerConfiguration) {
        configuration.recognizerTimeout = .seconds(recognizerTimeout)
        configuration.bodyTimeout = .seconds(bodyTimeout)
    }

    var sven: SvenConfiguration {
        var configuration = SvenConfiguration()
        configuration.bodyTimeout = min(configuration.bodyTimeout, .seconds(bodyTimeout))
        return configuration
    }
}

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

    @Option(help: "Seconds after which a connection is closed that says nothing, or has not sent a whole head.")
    var idleTimeout: Int64 = 30

    @Option(help: "The most connections at a time; further ones wait until one ends.")
    var connections = 512

    func validate() throws {
        guard replyTimeout > 0, recognizerTimeout > 0, bodyTimeout > 0, idleTimeout > 0 else {
            throw ValidationError("A time limit is at least one second.")
        }
        guard connections > 0 else { throw ValidationError("A server takes at least one connection.") }
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

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The numbers and names on which a Sven server and its clients agree.
///
/// Facts of the public server at commits 055d8c3 and 2dba590, where nothing else is said.
package enum SvenContract {
    /// The port on which the first versions listen; later ones use 9091.
    package static let port = 8080
    /// Text in, to the agent.
    package static let promptPath = "/prompt"
    /// The path for the messages of both sides, since 2dba590.
    package static let messagesPath = "/messages"
    /// Replies as speech, each under its message's id, since 2dba590.
    package static let audioPath = "/audio"
    /// The path that starts the agent's session again, since 2dba590.
    package static let restartPath = "/restart-session"
    /// Makes a device known.
    package static let registerPath = "/register"
    /// Says that the server is there.
    package static let healthPath = "/health"
    /// The number of prompts of one device that a server takes in ``rateWindow``.
    package static let rateLimit = 30
    /// The time in which prompts are counted.
    package static let rateWindow = Duration.seconds(60)
    /// The time that a server may take to hand a prompt to its agent, during which it says nothing.
    package static let handOver = Duration.seconds(30)
    /// Under which name a front end keeps the device's token in its secret store.
    package static let tokenName = "mark.sven.device-token"

    package static let unknownDevice = "Unknown device token"
    package static let invalidAttestation = "Invalid attestation"
    package static let audioNotFound = "Audio not found"
    package static let deduplicated = "Prompt already received (deduplicated)."
}

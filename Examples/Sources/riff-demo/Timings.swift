// Riff
// SPDX-License-Identifier: Apache-2.0

/// What took how long, as the steps measured it.
struct Timings {
    /// From nothing to an authenticated connection.
    var connect: Duration?
    /// From a connection to the agent's prompt on the terminal.
    var attach: Duration?
    /// From the upload to the transcript, and how long the recording is.
    var recognition: (time: Duration, audio: Duration)?
    /// From the network's return to the session's.
    var reconnect: Duration?
    /// A further session on a connection that is there, to its first output.
    var furtherSession: Duration?

    /// One line.
    ///
    /// - Throws: ``Failure`` where a step left its time out.
    func summary(isSpeechShown: Bool) throws -> String {
        guard let connect, let attach, let reconnect, let furtherSession else {
            throw Failure("A step did not measure its time.")
        }
        var parts = ["connect \(connect.short)", "attach \(attach.short)"]
        if let recognition {
            parts.append("recognition \(recognition.time.short) for \(recognition.audio.short) of speech")
        } else if isSpeechShown {
            throw Failure("The recognition was not measured.")
        }
        parts.append("reconnect \(reconnect.short) (of which 1 s is the schedule)")
        parts.append("second session \(furtherSession.short)")
        return parts.joined(separator: ", ")
    }
}

/// Measures what `body` takes.
func measured<Value>(_ body: () async throws -> Value) async throws -> (value: Value, time: Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    let value = try await body()
    return (value, clock.now - start)
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffHTTP
import RiffTalk
import RiffTransport
import RiffVoice

/// Speech typed into the session on show.
extension Term {
    /// The one button: starts to listen, or has done so.
    func dictate() async throws {
        if dictation == nil { start(try makeDictation()) }
        await dictation?.toggle()
    }

    private func makeDictation() throws -> Dictation {
        let recognizer = try options.speech.recognizer {
            let new = try AsyncHTTPTransport()
            http = new
            return new
        }
        let sink: any TextInjecting = options.dictateAnywhere ? sessions.typingAnywhere : sessions
        // Without a Return: the person reads what was understood first.
        return Dictation(recognizer: recognizer, sink: sink) { [wav = options.wav] in
            if let wav { return WAVFileSource(wav) }
            return CommandAudioSource(.arecord())
        }
    }

    private func start(_ new: Dictation) {
        dictation = new
        listening = Task {
            for await snapshot in new.updates() {
                switch snapshot.state {
                case .idle: if state.notice?.hasPrefix("● ") == true { state.notice = nil }
                case .recording(let isLive, _): state.notice = isLive ? "● listening; Ctrl-] d ends" : "● starting"
                case .transcribing: state.notice = "● recognizing"
                case .error(let failure): state.notice = failure.problem.message
                }
                wake.yield()
            }
        }
    }
}

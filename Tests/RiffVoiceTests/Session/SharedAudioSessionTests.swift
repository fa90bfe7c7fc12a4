// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import Testing

struct SharedAudioSessionTests {
    actor Platform: AudioSessionOwner {
        private(set) var calls: [String] = []
        private var failures = 0

        func fail(_ times: Int) { failures = times }

        func activate() async throws {
            calls.append("+")
            guard failures > 0 else { return }
            failures -= 1
            throw VoiceError(.audioSessionFailed, "busy")
        }

        func deactivate() async throws { calls.append("-") }
    }

    @Test func `it is active while anybody needs it, and given back behind the last`() async throws {
        let platform = Platform()
        let audio = SharedAudioSession(platform)
        try await audio.withActiveSession {
            try await audio.withActiveSession {}
            #expect(await platform.calls == ["+"])
        }
        #expect(await platform.calls == ["+", "-"])
        await platform.fail(1)
        try await audio.withActiveSession {}
        #expect(await platform.calls == ["+", "-", "+", "-", "+", "-"], "tried once more, given back in between")
    }

    /// N13.
    @Test func `while a call owns it nobody activates or deactivates it`() async throws {
        let platform = Platform()
        let audio = SharedAudioSession(platform)
        try await audio.activate()
        let call = await audio.claimForCall()
        #expect(audio.current.isOwnedByCall)
        try await audio.deactivate()
        try await audio.withActiveSession {}
        let second = await audio.claimForCall()
        try await call.release()
        try await call.release()
        try await audio.withActiveSession {}
        #expect(await platform.calls == ["+"], "no foreign call")
        try await second.release()
        #expect(await platform.calls == ["+"], "nobody needs it any more")
        try await audio.withActiveSession {}
        #expect(await platform.calls == ["+", "+", "-"])
    }

    @Test func `who still needs it when the call ends gets it activated`() async throws {
        let platform = Platform()
        let audio = SharedAudioSession(platform)
        let call = await audio.claimForCall()
        try await audio.activate()
        #expect(await platform.calls.isEmpty)
        try await call.release()
        #expect(await platform.calls == ["+"])
    }
}

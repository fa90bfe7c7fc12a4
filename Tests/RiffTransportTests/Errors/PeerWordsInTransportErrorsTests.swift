// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

/// What a server, its file service and its programs say, on the way into the errors of this library.
@Suite struct PeerWordsInTransportErrorsTests {
    @Test(arguments: PeerWords.hostile.indices) func `no message has what a host says as it said it`(index: Int)
        async throws
    {
        let words = PeerWords.hostile[index]
        var errors: [any RiffError] = [TransportError(.connectionLost, words)]
        var offer = SSHKexInit()
        offer.keyExchange = [words, words]
        let ours = SSHAlgorithms(libssh2: 0x01_0A_00)
        if let mismatch = ours.mismatch(with: offer, on: words) { errors.append(mismatch) }
        offer.compressionToClient = [words]
        if let mismatch = ours.mismatch(with: offer, on: words) { errors.append(mismatch) }
        let agreed = SSHHandshake(
            hostKey: try #require(SSHPrivateKey.makeEd25519().publicKey),
            serverVersion: words,
            keyExchange: words,
            hostKeyAlgorithm: words,
            cipher: words,
            mac: words
        )
        if let weakness = ours.weakness(of: agreed) { errors.append(weakness) }
        for exit: RiffTransport.ExitStatus in [.exited(1), .exited(127), .exited(93), .signaled(words)] {
            let result = CommandResult(output: [], diagnostics: Array(words.utf8), exit: exit)
            if let failure = result.failure(of: words, on: words) { errors.append(failure) }
            for output in [words, "__RIFF_UNSUPPORTED_SHELL__ \(words)", "sh: 1: \(words): not found"] {
                if let reason = exit.reasonNotToStart(output: output, host: words) { errors.append(reason) }
            }
        }
        #expect(errors.count > 5)
        for error in errors {
            #expect(PeerWords.fault(in: error.message) == nil, "\(error.stableCode)")
            #expect(PeerWords.fault(in: error.recovery?.detail ?? "") == nil, "\(error.stableCode)")
        }
    }

    @Test(arguments: PeerWords.hostile.indices) func `nor what its file service says`(index: Int) async throws {
        let words = PeerWords.hostile[index]
        let (client, channel, requests) = try await ScriptedSFTPChannel.opened()
        for code: UInt32 in [2, 3, 4, 5, 6, 8, 77] {
            let removal = Task { try await client.removeFile("/a") }
            let request = try #require(try await requests.next())
            try await channel.answerStatus(code, words, to: request)
            let error = await transportError { try await removal.value }
            #expect(PeerWords.fault(in: error?.message ?? "\u{1B}") == nil, "status \(code)")
        }
        await client.close()
    }
}

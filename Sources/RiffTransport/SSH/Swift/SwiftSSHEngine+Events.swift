// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

extension SwiftSSHEngine {
    func handle(_ event: SSHClientEvent) {
        switch event {
        case .hostKey(let key): finishHandshake(with: key)
        case .banner(let text): if login.hear(banner: text) { fail(SSHLoginLimits.bannersDoNotEnd) }
        case .authenticated: login.succeed()
        case .refused(let methods, let isPartial): login.refuse(methods, isPartialSuccess: isPartial)
        case .questions(let questions): ask(questions)
        case .passwordExpired(let prompt): askForNewPassword(prompt)
        case .signatureNeeded(let data, let algorithm): askForSignature(of: data, by: algorithm)
        case .channelOpened(let number): finishOpening(number)
        case .channelRefused(let number, let reason, let message): refuseOpening(number, reason: reason, message)
        // Nothing is forwarded to here, so no server is right to offer one.
        case .channelOffered(let number, _): tell { (client) throws(SSHError) in try client.close(number) }
        case .data(let number, let bytes): channels[number]?.output += bytes
        case .diagnostics(let number, let bytes): channels[number]?.addDiagnostics(bytes)
        case .endOfData(let number): channels[number]?.outputHasEnded = true
        case .exited(let number, let exit): channels[number]?.exit = ExitStatus(exit)
        case .requestAnswered(let number, let request, let isGranted):
            channels[number]?.answer(request, isGranted: isGranted)
        // Sending is tried in each pump.
        case .writable, .rekeyed: break
        case .channelClosed(let number):
            openings.removeValue(forKey: number)?.done(.failure(.channelClosed))
            channels[number]?.peerHasClosed = true
        case .probeAnswered(let number): probes.removeValue(forKey: number)?(.success(()))
        case .serverAnswered, .hostKeysAnnounced, .hostKeysProved: break
        case .ended(let error): fail(endingError(error))
        }
    }
}

extension ExitStatus {
    init(_ exit: SSHChannelExit) {
        switch exit {
        case .status(let status): self = .exited(Int32(truncatingIfNeeded: status))
        case .signal(let name, _, _): self = .signaled(InertText.quote(name, limitBytes: 64))
        }
    }
}
#endif

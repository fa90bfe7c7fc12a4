// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHClient {
    mutating func handleServiceAccept(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHServiceAcceptMessage(payload: payload)
        guard authentication.service == .requested, message.service == SSHService.authentication else {
            throw .violation("a service came that was not asked for")
        }
        authentication.service = .accepted
        do throws(SSHError) {
            try beginAttempt()
        } catch  where error.code == .unusableKey {
            // The caller is gone by now: a key that cannot sign is one that was refused.
            emit(.refused(methods: [], isPartialSuccess: false))
        }
    }

    mutating func handleAuthentication(_ number: UInt8, _ payload: [UInt8]) throws(SSHError) {
        guard !authentication.isDone, authentication.service != .none else {
            throw .violation("a message of authentication came at the wrong time")
        }
        if number == SSHAuthenticationBanner.number { return try handleBanner(payload) }
        guard authentication.service == .accepted, let attempt = authentication.attempt else {
            throw .violation("an answer came to no attempt to log in")
        }
        switch (number, attempt.stage) {
        case (SSHAuthenticationSuccess.number, .sent):
            _ = try SSHAuthenticationSuccess(payload: payload)
            authentication = SSHAuthenticationState()
            authentication.isDone = true
            opener.startCompression()
            sealer.startCompression()
            emit(.authenticated)
        case (SSHAuthenticationFailure.number, .sent), (SSHAuthenticationFailure.number, .asked),
            (SSHAuthenticationFailure.number, .answering), (SSHAuthenticationFailure.number, .changing):
            let message = try SSHAuthenticationFailure(payload: payload)
            authentication.attempt = nil
            emit(.refused(methods: message.methods, isPartialSuccess: message.isPartialSuccess))
        case (60, .sent), (60, .asked): try handleSixty(payload, attempt)
        default: throw .violation("a message of type \(number) does not answer the attempt to log in")
        }
    }

    private mutating func handleBanner(_ payload: [UInt8]) throws(SSHError) {
        let message = try SSHAuthenticationBanner(payload: payload)
        authentication.bannerBytes += payload.count
        guard authentication.bannerBytes <= Limits.bannerBytes else {
            throw .limit("so long a banner", .endlessBanners)
        }
        emit(.banner(message.text))
    }

    /// The number of three messages; the attempt says which one it is.
    private mutating func handleSixty(
        _ payload: [UInt8],
        _ attempt: SSHAuthenticationState.Attempt
    ) throws(SSHError) {
        switch (attempt.login, attempt.stage) {
        case (.password, .sent):
            let message = try SSHPasswordChangeRequest(payload: payload)
            authentication.attempt?.stage = .changing
            emit(.passwordExpired(prompt: message.prompt))
        case (.questions, .sent):
            guard let message = try? SSHQuestions(payload: payload) else {
                throw SSHError(.malformedQuestion, "The server asked something malformed, or too much at once.")
            }
            authentication.questionRounds += 1
            guard authentication.questionRounds <= Limits.questionRounds else {
                throw .limit("so many questions", .endlessQuestions)
            }
            authentication.attempt?.stage = .answering(message.prompts.count)
            emit(.questions(message))
        case (.outsideKey(let key, _), .asked):
            let message = try SSHKeyAcceptable(payload: payload)
            guard let algorithm = attempt.algorithm, message.algorithm == algorithm.rawValue,
                message.blob == key.blob
            else { throw .violation("the server accepts another key than it was asked about") }
            askForSignature(attempt.user, key, algorithm)
        default: throw .violation("a message of type 60 does not answer the attempt to log in")
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSSH

/// Known answers first, in the release build that this is: an optimizer can be wrong where no debug build shows it.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    do {
        let derived = try BcryptKeyDerivation.key(
            passphrase: Array("correct horse".utf8),
            salt: Array(0..<16),
            rounds: 24,
            count: 48
        )
        precondition(
            derived?.prefix(8) == [0xE7, 0x62, 0x08, 0x18, 0xCC, 0x5C, 0xDD, 0x02],
            "The derivation is wrong."
        )
        precondition(derived?.last == 0x3B, "The derivation is wrong.")
        for fixture in PrivateKeyFixtures.all {
            let opened = try OpenedPrivateKey(fixture.key())
            let published = try SSHPublicKey(line: fixture.publicLine)
            precondition(opened.plain.publicKey == published, "A key is opened as another one.")
            let algorithm = opened.signingKey.algorithms[0]
            let signature = try opened.signingKey.signature(of: [1], by: algorithm)
            precondition(published.isValid(signature, by: algorithm, for: [1]), "A signature is wrong.")
        }
    } catch {
        preconditionFailure("\(error)")
    }
    return 0
}

/// The function that libFuzzer calls with each input; the first byte of one says what the others are.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count > 2 else { return 0 }
    let body = Array(bytes[2...])
    do {
        switch bytes[0] % 6 {
        case 0: openKey(PEMBlock(label: labels[Int(bytes[1]) % labels.count], body: body).text)
        case 1: openKey(Secret(body))
        case 2: greet(body, pieceBytes: Int(bytes[1]) + 1)
        case 3: converse(Stage.loggedIn.conversation, body)
        case 4: converse(Stage.waiting.conversation, body)
        default: converse(try Conversation.loggedIn(compresses: true), body)
        }
    } catch {
        preconditionFailure("\(error)")
    }
    return 0
}

private let labels = [
    PEMBlock.openSSH, "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY",
]

/// A file as a private key. A derivation is given up early: what matters is before it and behind it.
private func openKey(_ pem: Secret) {
    do {
        let key = try SSHPrivateKey(pem: pem, passphrase: PrivateKeyFixtures.passphrase)
        var rounds = 0
        let opened = try OpenedPrivateKey(key) {
            rounds += 1
            return rounds > 1
        }
        let again = try OpenedPrivateKey(SSHPrivateKey(pem: opened.plain.pem))
        precondition(again.plain.publicKey?.line == opened.plain.publicKey?.line, "A written key is read as another.")
    } catch let error as CoreError {
        let codes: [CoreError.Code] = [.invalidKey, .keyUnsupported, .passphraseNeeded, .passphraseWrong]
        precondition(codes.contains(error.code), "\(error)")
    } catch {
        precondition(error is CancellationError, "\(error)")
    }
}

/// Bytes of a server before the first keys, whole and in pieces: the same comes of both.
private func greet(_ bytes: [UInt8], pieceBytes: Int) {
    var whole = SSHClient()
    var cut = whole
    whole.receive(bytes)
    var rest = bytes[...]
    while !rest.isEmpty {
        cut.receive(rest.prefix(pieceBytes))
        rest = rest.dropFirst(pieceBytes)
    }
    precondition(whole.failure?.code == cut.failure?.code, "What is refused depends on how the bytes are cut.")
    precondition(whole.takeOutput().count < 1 << 20, "A greeting is answered with too much.")
}

/// Messages of a server, each with its length before it; compressed ones where that was agreed on.
private func converse(_ begun: Conversation, _ bytes: [UInt8]) {
    var conversation = begun
    var rest = bytes[...]
    while let length = rest.popFirst(), conversation.client.failure == nil {
        let payload = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(payload.count)
        // An input that plays with the exchange of keys takes the scripted server out of step: it sees what it cannot
        // read, and the input is over.
        do {
            if !payload.isEmpty { try conversation.server.send(payload) }
            try conversation.run()
        } catch { return }
    }
    // Whatever came, a caller can go on or is told why not.
    do throws(SSHError) {
        let channel = try conversation.client.open(.session, window: 1 << 16)
        try conversation.client.close(channel)
        try conversation.client.probe()
    } catch {
        precondition(!error.message.isEmpty)
    }
    conversation.client.disconnect()
    precondition(conversation.client.failure != nil)
}

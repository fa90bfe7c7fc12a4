// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import Testing

struct SSHPublicKeyTests {
    private static func made(_ comment: String = "") throws -> SSHPublicKey {
        try #require(SSHPrivateKey.makeEd25519(comment: comment).publicKey)
    }

    @Test func `a key comes back from its line and from JSON`() throws {
        let key = try Self.made("me@phone and more")
        let again = try SSHPublicKey(line: "  \(key.line)\r\n")
        #expect(again == key)
        #expect(again.comment == "me@phone and more")
        let decoded = try JSONDecoder().decode([SSHPublicKey].self, from: JSONEncoder().encode([key]))
        #expect(decoded == [key])
        #expect(decoded[0].comment == key.comment)
    }

    @Test func `the comment does not make another key`() throws {
        let key = try Self.made("one")
        let other = try SSHPublicKey(blob: key.blob, comment: "two")
        #expect(key == other)
        #expect(Set([key, other]).count == 1)
        #expect(key != (try Self.made("one")))
    }

    @Test func `a comment cannot break the line or steer a terminal`() throws {
        let key = try SSHPublicKey(blob: Self.made().blob, comment: " a\nssh-rsa b\u{1B}[2J\u{202E}\u{2028}c \r\n")
        #expect(key.comment == "assh-rsa b[2Jc")
        #expect(!key.line.contains { $0.isNewline })
        #expect(try SSHPublicKey(blob: key.blob, comment: " \n ").line == SSHPublicKey(blob: key.blob).line)
    }

    @Test(arguments: [
        "", "   ", "# comment", "ssh-ed25519", "ssh-ed25519 !!!!", "ssh-ed25519 AAAA",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==", "-----BEGIN OPENSSH PRIVATE KEY-----",
        "restrict ssh-ed25519 AAAA",
    ])
    func `what is no key is refused`(line: String) {
        let error = #expect(throws: CoreError.self) { try SSHPublicKey(line: line) }
        #expect(error?.code == .invalidKey)
    }

    @Test func `a line that names another type than the key is refused`() throws {
        let line = try Self.made().line.replacingOccurrences(of: "ssh-ed25519 ", with: "ssh-rsa ")
        #expect(throws: CoreError.self) { try SSHPublicKey(line: line) }
    }

    @Test func `a key cut off or made longer anywhere is refused`() throws {
        let blob = try Self.made().blob
        for length in blob.indices {
            let error = #expect(throws: CoreError.self) { try SSHPublicKey(blob: Array(blob[..<length])) }
            #expect(error?.code == .invalidKey)
        }
        #expect(throws: CoreError.self) { try SSHPublicKey(blob: blob + [0]) }
    }

    @Test func `a point off its curve is refused`() throws {
        var writer = SSHWireWriter()
        writer.write(text: "ecdsa-sha2-nistp256")
        writer.write(text: "nistp256")
        writer.write(string: [4] + [UInt8](repeating: 1, count: 64))
        #expect(throws: CoreError.self) { try SSHPublicKey(blob: writer.bytes) }
    }

    @Test func `a key of a type that is not known here survives`() throws {
        var writer = SSHWireWriter()
        writer.write(text: "sk-ssh-ed25519@openssh.com")
        writer.write(string: [1, 2, 3])
        let key = try SSHPublicKey(blob: writer.bytes, comment: "token")
        #expect(key.algorithm.rawValue == "sk-ssh-ed25519@openssh.com")
        #expect(try SSHPublicKey(line: key.line) == key)
    }
}

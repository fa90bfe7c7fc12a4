// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTransport
import Testing

/// Addresses as the documentation of services gives them.
@Suite struct InterfacePathsTests {
    @Test(arguments: [
        ("http://h", "/v1/chat/completions", "/api/models"), ("http://h/v1", "/v1/chat/completions", "/api/models"),
        ("http://h/v1/", "/v1/chat/completions", "/api/models"),
        ("http://h/v1//", "/v1/chat/completions", "/api/models"),
        ("http://h/v1/chat/completions", "/v1/chat/completions", "/api/models"),
        ("http://h/v1/audio/transcriptions/", "/v1/chat/completions", "/api/models"),
        ("https://h/openai/v1", "/openai/v1/chat/completions", "/openai/api/models"),
        ("https://h/mac", "/mac/v1/chat/completions", "/mac/api/models"),
        ("https://h/api/paas/v4/", "/api/paas/v4/chat/completions", "/api/paas/api/models"),
        ("https://h/v1beta/openai/", "/v1beta/openai/chat/completions", "/api/models"),
        // An interface without a version.
        ("https://h/chat/completions", "/chat/completions", "/api/models"),
        ("https://h/api/chat/completions", "/api/chat/completions", "/api/api/models"),
        // No version: a folder's, or a word.
        ("https://h/v2/gateway", "/v2/gateway/v1/chat/completions", "/v2/gateway/api/models"),
        ("https://h/openai", "/openai/v1/chat/completions", "/openai/api/models"),
        ("https://h/vault", "/vault/v1/chat/completions", "/vault/api/models"),
        ("https://h/v", "/v/v1/chat/completions", "/v/api/models"),
    ])
    func `an address may end with the version or not`(text: String, chat: String, beside: String) throws {
        let url = try HTTPBaseURL(text)
        #expect(url.interfaceRequest(.post, "/v1/chat/completions").path == chat)
        #expect(url.interfaceRequest(.get, "/api/models").path == beside)
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.6\r\n", "an SSH server (\u{201C}SSH-2.0-OpenSSH_9.6\u{201D})"),
        ("220 mail.example ESMTP\r\n", "a mail or file server (\u{201C}220 mail.example ESMTP\u{201D})"),
        ("-ERR unknown command", "a Redis server (\u{201C}-ERR unknown command\u{201D})"),
        ("hello", "something that does not speak HTTP (\u{201C}hello\u{201D})"),
        // What is no plain text is not shown.
        ("hello \u{1B}]52;c;aGk=\u{7}", "something that does not speak HTTP"),
        ("\u{202E}x", "something that does not speak HTTP"),
    ])
    func `what is no HTTP says what it is`(text: String, phrase: String) {
        #expect(PeerGreeting(text.utf8)?.phrase == phrase)
    }

    @Test func `TLS is known by its first bytes, and HTTP is no stranger`() throws {
        #expect(PeerGreeting([0x15, 3, 3, 0, 2, 2, 70])?.phrase == "a server that wants TLS (https)")
        #expect(PeerGreeting([0, 0, 18, 4, 0, 0])?.phrase == "a server that speaks HTTP/2 alone")
        for text in ["", "HT", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 zz"] { #expect(PeerGreeting(text.utf8) == nil) }
        let long = PeerGreeting(String(repeating: "x", count: 10_000).utf8)
        #expect(try #require(long).phrase.count < 120)
    }
}

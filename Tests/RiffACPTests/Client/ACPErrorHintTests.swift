// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import Testing

/// What agents and the programs around them write, and what it means.
struct ACPErrorHintTests {
    @Test(arguments: [
        ("ssh: Could not resolve hostname mac: Name or service not known", ACPErrorHint.Kind.connection),
        ("me@mac: Permission denied (publickey).", .connection),
        ("sh: 1: hermes: not found", .missingProgram),
        ("zsh: command not found: claude-code-acp", .missingProgram),
        ("Error: Cannot find module '@agentclientprotocol/sdk'", .missingProgram),
        ("ModuleNotFoundError: No module named 'acp'", .missingProgram),
        ("{\"error\":{\"code\":\"model_not_found\"}}", .modelNotFound),
        ("The model `x` does not exist or you do not have access to it.", .modelNotFound),
        ("openai.RateLimitError: Error code: 429", .rateLimit),
        ("HTTP 429 Too Many Requests, retrying", .rateLimit),
        ("No API key found. Set ANTHROPIC_API_KEY.", .missingCredentials),
        ("OPENAI_API_KEY is not set", .missingCredentials),
        ("Error code: 401 - {'error': {'message': 'Incorrect API key provided'}}", .rejectedCredentials),
        ("{\"type\":\"authentication_error\",\"message\":\"invalid x-api-key\"}", .rejectedCredentials),
        ("Not logged in. Please run /login", .authenticationRequired),
    ])
    func `the words tell what is wrong`(words: String, kind: ACPErrorHint.Kind) {
        for hint in [
            ACPErrorHint.classify(words: words),
            ACPErrorHint.classify(words: "started\n\(words)\nbye", hasExited: true),
            ACPErrorHint.classify(answer: ACP.RPCError(code: .internalError, message: words)),
        ] {
            #expect(hint?.kind == kind)
            #expect(hint?.text.isEmpty == false)
        }
    }

    @Test func `what is not recognized is not guessed`() {
        #expect(ACPErrorHint.classify(words: "warming up the cache\n401 files indexed") == nil)
        #expect(ACPErrorHint.classify(words: "panic: index out of range", hasExited: true)?.kind == .exitedEarly)
        let answer = ACP.RPCError(code: .authenticationRequired, message: "")
        #expect(ACPErrorHint.classify(answer: answer)?.kind == .authenticationRequired)
    }
}

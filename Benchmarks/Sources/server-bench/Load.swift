// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffHTTP
import RiffTransport
import RiffVoice

/// What is asked.
enum Load: String {
    /// The library's own answer to an unsigned request.
    case hello
    /// A signed request without a body.
    case health
    /// A signed request with a body of 1 KB; it is answered with 503 by a server without an agent, after the signature
    /// was checked and the body read.
    case message

    /// Asks from several clients at a time.
    ///
    /// - Returns: How many were answered as they should.
    func run(_ server: HTTPBaseURL, requests: Int, clients: Int) async throws -> Int {
        let http = try AsyncHTTPTransport()
        let answered = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    var count = 0
                    for _ in 0..<requests / clients where await ask(server, http) { count += 1 }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        await http.shutdown()
        return answered + requests % clients
    }

    private func ask(_ server: HTTPBaseURL, _ http: AsyncHTTPTransport) async -> Bool {
        let path = self == .message ? RiffContract.messagePath : RiffContract.healthPath
        let body = self == .message ? Self.body : []
        var request = server.request(self == .message ? .post : .get, path)
        if self != .hello {
            let field = SignedRequestField(
                signing: request,
                target: path,
                body: body,
                with: Self.key,
                at: Date().timeIntervalSince1970
            )
            request.headerFields[.riffSignedRequest] = field.value
        }
        do {
            let content: HTTPBody = body.isEmpty ? .none : .bytes(body)
            let reply = try await http.send(request, body: content, deadlines: HTTPDeadlines(total: .seconds(30)))
            _ = try await reply.body.collect(upTo: 1 << 16)
            return reply.head.status == (self == .message ? .serviceUnavailable : .ok)
        } catch {
            // Counted as lost.
            return false
        }
    }

    private static let key = RiffSigningKey(
        // 64 digits, so that it cannot fail.
        (try? RiffSecret(hex: BenchServer.secret)) ?? .random()
    )
    private static let body = Array(#"{"text":"\#(String(repeating: "a", count: 1000))"}"#.utf8)
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import Testing

/// Apple's push service as another program plays it: Node's HTTP/2 server, over TLS and by ALPN alone. It verifies each
/// token's signature, answers by the first letters of a device's token, and counts; it prints nothing of a payload.
struct PushStandIn: Sendable {
    static let node = SystemProgram.path("node")
    static let openssl = SystemProgram.path("openssl")
    static var isInstalled: Bool { node != nil && openssl != nil }

    let port: Int
    let folder: String
    let keyPEM: Secret
    let http: AsyncHTTPTransport
    private let process: LocalProcess

    var address: HTTPBaseURL { get throws { try HTTPBaseURL("https://localhost:\(port)") } }

    /// Runs it for the time of `body`.
    static func with<Value: Sendable>(
        allowsHTTP2: Bool = true,
        _ body: @Sendable (PushStandIn) async throws -> Value
    ) async throws -> Value {
        let folder = "\(NSTemporaryDirectory())/riff-push-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Nothing else to clean up with.
        let openssl = try #require(openssl)
        try await run(
            openssl,
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
                + ["-keyout", "\(folder)/tls.key", "-out", "\(folder)/tls.pem"]
        )
        try await run(
            openssl,
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", "\(folder)/push.p8"]
        )
        try await run(openssl, ["pkey", "-in", "\(folder)/push.p8", "-pubout", "-out", "\(folder)/push.pub"])
        try script.write(toFile: "\(folder)/service.js", atomically: true, encoding: .utf8)
        let process = try await LocalProcess.start(
            LocalCommand(try #require(node), ["\(folder)/service.js", folder])
        )
        let result: Result<Value, any Error>
        do {
            var output = process.output.makeAsyncIterator()
            let line = String(decoding: try #require(try await output.next()), as: UTF8.self)
            let port = try #require(Int(line.trimmingCharacters(in: .newlines)), "\(line)")
            let key = Secret([UInt8](try Data(contentsOf: URL(filePath: "\(folder)/push.p8"))))
            let configuration = AsyncHTTPTransport.Configuration(
                additionalTrustRoots: ["\(folder)/tls.pem"],
                allowsHTTP2: allowsHTTP2
            )
            result = .success(
                try await AsyncHTTPTransport.withTransport(configuration) { http in
                    try await body(
                        PushStandIn(port: port, folder: folder, keyPEM: key, http: http, process: process)
                    )
                }
            )
        } catch {
            result = .failure(error)
        }
        await process.close()
        return try result.get()
    }

    /// The service's counts so far.
    func counts() async throws -> JSONValue {
        let answer = try await http.answer(to: address.request(.get, "/counts"), upTo: 1 << 20)
        return try JSONValue(parsing: answer.body)
    }

    private static func run(_ program: String, _ arguments: [String]) async throws {
        let process = try await LocalProcess.start(LocalCommand(program, arguments))
        for try await _ in process.output {}
        let exit = try await process.exitStatus()
        await process.close()
        try #require(exit?.isSuccess == true, "\(program) \(arguments)")
    }

    private static let script = #"""
        const http2 = require("node:http2"), fs = require("node:fs"), crypto = require("node:crypto")
        const folder = process.argv[2]
        const key = crypto.createPublicKey(fs.readFileSync(folder + "/push.pub"))
        const counts = { requests: 0, sent: 0, bad: 0, sessions: 0, tokens: 0, busy: 0, faults: [], last: null }
        const tokens = new Map(), tries = new Map()
        const server = http2.createSecureServer({
          key: fs.readFileSync(folder + "/tls.key"), cert: fs.readFileSync(folder + "/tls.pem"), allowHTTP1: false,
          settings: { maxConcurrentStreams: 100 },
        })
        const fault = (word) => { counts.bad++; if (counts.faults.length < 20) counts.faults.push(word) }
        function verify(token) {
          if (tokens.has(token)) return tokens.get(token)
          counts.tokens++
          const [head, claims, mac] = token.split(".")
          const right = mac && crypto.verify("sha256", Buffer.from(head + "." + claims),
            { key, dsaEncoding: "ieee-p1363" }, Buffer.from(mac, "base64url"))
          const h = JSON.parse(Buffer.from(head, "base64url")), c = JSON.parse(Buffer.from(claims, "base64url"))
          let verdict = right && h.alg === "ES256" && h.kid === "KEY1234567" && c.iss === "TEAM123456"
            && Number.isInteger(c.iat) ? "ok" : "InvalidProviderToken"
          if (verdict === "ok" && c.iat < 1000000) verdict = "ExpiredProviderToken"
          tokens.set(token, verdict)
          return verdict
        }
        function answer(stream, status, reason, more) {
          const body = reason ? JSON.stringify({ reason, ...more }) : ""
          stream.respond({ ":status": status, ...(reason ? { "content-type": "application/json" } : {}) })
          stream.end(body)
        }
        server.on("session", () => counts.sessions++)
        server.on("stream", (stream, headers) => {
          if (headers[":path"] === "/counts") {
            stream.respond({ ":status": 200, "content-type": "application/json" })
            return stream.end(JSON.stringify(counts))
          }
          const parts = []
          stream.on("error", () => {})
          stream.on("data", (piece) => parts.push(piece))
          stream.on("end", () => {
            counts.requests++
            const device = headers[":path"].replace("/3/device/", "")
            for (const name of Object.keys(headers)) if (name.startsWith("riff")) fault("a field of the transport's")
            if (headers[":method"] !== "POST") fault("method")
            if (headers["apns-topic"] !== "org.example.riff") fault("topic")
            if (headers["apns-push-type"] !== "alert" || headers["apns-priority"] !== "10") fault("kind")
            if (!/^[0-9a-f-]{36}$/.test(headers["apns-id"] || "")) fault("id")
            if (!/^.{1,64}$/.test(headers["apns-collapse-id"] || "")) fault("collapse id")
            const body = Buffer.concat(parts)
            if (body.length > 4096) return answer(stream, 413, "PayloadTooLarge")
            let payload
            try { payload = JSON.parse(body) } catch { fault("JSON") }
            if (!payload?.aps?.alert?.body) fault("payload")
            counts.last = { title: payload?.aps?.alert?.title, length: payload?.aps?.alert?.body?.length,
              conversation: payload?.conversation_id, collapse: headers["apns-collapse-id"] }
            const verdict = verify((headers["authorization"] || "").replace("bearer ", ""))
            if (verdict !== "ok") return answer(stream, 403, verdict)
            const count = (tries.get(headers["apns-collapse-id"]) || 0) + 1
            tries.set(headers["apns-collapse-id"], count)
            if (device.startsWith("dead")) return answer(stream, 410, "Unregistered", { timestamp: 1700000000000 })
            if (device.startsWith("bad")) return answer(stream, 400, "BadDeviceToken")
            if (device.startsWith("cafe") && count < 3) {
              counts.busy++
              return answer(stream, 503, "ServiceUnavailable")
            }
            if (device.startsWith("f00d")) return answer(stream, 429, "TooManyRequests")
            if (device.startsWith("feed")) return answer(stream, 400, "\u001b[31m" + "x".repeat(4000))
            if (device.startsWith("ace") && count < 2) {
              counts.busy++
              return stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
            }
            counts.sent++
            answer(stream, 200)
          })
        })
        server.listen(0, "127.0.0.1", () => console.log(server.address().port))
        """#
}

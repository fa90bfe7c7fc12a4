// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Logging
import RiffServer
import RiffVoice

/// A server to be measured; it prints its port.
enum BenchServer {
    static let secret = String(repeating: "5a", count: 32)

    static func run(_ kind: String) async throws {
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        switch kind {
        case "hello":
            let hello = CallbackResponder { (_: Request, _: BasicRequestContext) in
                Response(
                    status: .ok,
                    headers: [.contentType: "text/plain"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: "hello"))
                )
            }
            try await serve(hello, logger)
        case "riff":
            let configuration = ServerConfiguration(secret: try RiffSecret(hex: secret), exposure: .loopback)
            try await serve(VoiceResponder(server: try VoiceServer(configuration, recognizer: nil)), logger)
        default: throw BenchError("serve hello or riff")
        }
    }

    private static func serve(_ responder: some HTTPResponder<BasicRequestContext>, _ logger: Logger) async throws {
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "bench"),
            onServerRunning: { channel in
                print(channel.localAddress?.port ?? 0)
                fflush(nil)
            },
            logger: logger
        )
        try await application.runService()
    }
}

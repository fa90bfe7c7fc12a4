// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffServer
import RiffTransport
import RiffVoice
import Synchronization
import VoiceTestSupport

/// A voice server with a folder for uploads on a real socket, and what sends to it.
struct UploadLab: Sendable {
    let server: SocketServer
    let folder: String
    let http: AsyncHTTPTransport
    let key: RiffSigningKey
    let reports: Reports

    /// What the server reported.
    final class Reports: Sendable {
        private let state = Mutex<[ServerError]>([])
        var all: [ServerError] { state.withLock(\.self) }
        func add(_ error: ServerError) { state.withLock { $0.append(error) } }
    }

    static func with<Value: Sendable>(
        limitBytes: Int64 = 200 * 1_048_576,
        folderLimitBytes: Int64 = 1 << 40,
        concurrentUploads: Int = 4,
        idleTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(),
        takesUploads: Bool = true,
        _ body: @Sendable (UploadLab) async throws -> Value
    ) async throws -> Value {
        let folder = "\(NSTemporaryDirectory())/riff-uploads-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Nothing else to clean up with.
        var configuration = ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network)
        configuration.allowsV1 = true
        let uploads = UploadService(
            folder: folder,
            limitBytes: limitBytes,
            folderLimitBytes: folderLimitBytes,
            concurrentUploads: concurrentUploads,
            idleTimeout: idleTimeout
        )
        let reports = Reports()
        let handler = try VoiceServer(
            configuration,
            recognizer: nil,
            uploads: takesUploads ? uploads : nil,
            clock: clock
        ) { reports.add($0) }
        let key = RiffSigningKey(try RiffFixtures.secret())
        return try await SocketServer.withServer({ try await handler.respond(to: $0) }) { server in
            try await AsyncHTTPTransport.withTransport { http in
                try await body(UploadLab(server: server, folder: folder, http: http, key: key, reports: reports))
            }
        }
    }

    /// A signed request, with what is to be wrong about it.
    func request(_ bytes: [UInt8], name: String? = "a.png", signs: [UInt8]? = nil) throws -> HTTPRequest {
        var request = try HTTPBaseURL("http://127.0.0.1:\(server.port)").request(.post, "/riff/upload")
        request.headerFields[.contentType] = "application/octet-stream"
        request.headerFields[.riffFileName] = name
        let field = SignedRequestField(
            signing: request,
            target: "/riff/upload",
            body: signs ?? bytes,
            with: key,
            at: WallClock.now()
        )
        request.headerFields[.riffSignedRequest] = field.value
        return request
    }

    /// What was answered.
    struct Answer: Hashable, Sendable {
        let status: Int
        let path: String?
    }

    /// Sends bytes, and gives the status and what was answered.
    func send(_ bytes: [UInt8], name: String? = "a.png", signs: [UInt8]? = nil) async throws -> Answer {
        let request = try request(bytes, name: name, signs: signs)
        let answer = try await http.answer(to: request, body: .bytes(bytes), upTo: 65_536)
        return Answer(status: answer.head.status.code, path: try JSONValue(parsing: answer.body)["path"]?.text)
    }

    /// The names in the folder, those of files that are being written too.
    func names() -> [String] {
        // There is no folder before the first file.
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    func contents(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

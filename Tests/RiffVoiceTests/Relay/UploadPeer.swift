// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTransport
import Testing

/// A server that takes uploads, in a process of its own and written in another language from the contract alone: it
/// checks the signature, and keeps what it is sent in a folder.
struct UploadPeer {
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let port: Int

    /// Runs it for the time of `body`.
    static func with<Value>(
        folder: String,
        secret: String,
        limit: Int = 200 * 1_048_576,
        _ body: (UploadPeer) async throws -> Value
    ) async throws -> Value {
        let arguments = ["-u", "-c", script, folder, secret, String(limit)]
        let process = try await LocalProcess.start(LocalCommand(try #require(python), arguments))
        let result: Result<Value, any Error>
        do {
            var output = process.output.makeAsyncIterator()
            let line = String(decoding: try #require(try await output.next()), as: UTF8.self)
            let port = try #require(Int(line.trimmingCharacters(in: .newlines)), "\(line)")
            result = .success(try await body(UploadPeer(port: port)))
        } catch {
            result = .failure(error)
        }
        await process.close()
        return try result.get()
    }

    private static let script = """
        import hashlib, hmac, http.server, json, os, sys
        folder, secret, limit = sys.argv[1], bytes.fromhex(sys.argv[2]), int(sys.argv[3])
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def answer(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_POST(self):
                length = int(self.headers["Content-Length"])
                if length > limit:
                    self.close_connection = True
                    return self.answer(413, {"error": "body too large"})
                name = os.path.basename(self.headers["X-Riff-File-Name"])
                code, path = hmac.new(secret, digestmod=hashlib.sha256), os.path.join(folder, name)
                with open(path + ".part", "wb") as file:
                    while length > 0:
                        piece = self.rfile.read(min(length, 65536))
                        if not piece: return
                        length -= len(piece)
                        code.update(piece)
                        file.write(piece)
                if not hmac.compare_digest(code.hexdigest(), self.headers["X-Riff-Secret"]):
                    os.unlink(path + ".part")
                    return self.answer(401, {"error": "unauthorized"})
                if self.path != "/riff/upload": return self.answer(404, {"error": "not found"})
                os.rename(path + ".part", path)
                with open(path + ".type", "w") as file: file.write(self.headers["Content-Type"])
                self.answer(200, {"path": path, "more": 1})
            def log_message(self, *_): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port)
        server.serve_forever()
        """
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport
import Testing

struct MultipartBodyTests {
    @Test func `fields come before the file, and the length is exact`() async throws {
        var generator = FixedGenerator(number: 0xAB)
        let form = MultipartBody(
            fields: [.init(name: "model_id", value: "scribe_v1")],
            file: .init(name: "file", filename: "clip.wav", type: "audio/wav", bytes: [1, 2, 3]),
            using: &generator
        )
        let boundary = "RiffFormBoundary00000000000000ab00000000000000ab"
        #expect(form.contentType == "multipart/form-data; boundary=\(boundary)")
        let expected =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"model_id\"\r\n\r\nscribe_v1\r\n"
            + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"clip.wav\"\r\n"
            + "Content-Type: audio/wav\r\n\r\n\u{1}\u{2}\u{3}\r\n--\(boundary)--\r\n"
        let sent = try await bytes(of: form)
        #expect(String(decoding: sent, as: UTF8.self) == expected)
        #expect(form.length == sent.count)
    }

    /// WHATWG HTML, "multipart/form-data encoding algorithm": a name's line breaks become CR LF first, a filename's
    /// not.
    @Test(arguments: [
        ("plain", "plain", "plain"), ("a\"b", "a%22b", "a%22b"), ("a\nb", "a%0D%0Ab", "a%0Ab"),
        ("a\rb", "a%0D%0Ab", "a%0Db"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"), ("é☃", "é☃", "é☃"),
        ("100%", "100%", "100%"), ("back\\slash", "back\\slash", "back\\slash"),
    ])
    func `names are quoted as browsers quote them`(raw: String, name: String, filename: String) async throws {
        let form = MultipartBody(
            fields: [.init(name: raw, value: "one\ntwo\r\nthree\rfour")],
            file: .init(name: raw, filename: raw, type: "audio/wav\r\nX-Evil: 1", bytes: [])
        )
        let text = String(decoding: try await bytes(of: form), as: UTF8.self)
        #expect(text.contains("form-data; name=\"\(name)\"\r\n\r\none\r\ntwo\r\nthree\r\nfour\r\n--"))
        #expect(text.contains("form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n"))
        #expect(text.contains("Content-Type: audio/wavX-Evil: 1\r\n\r\n"))
    }

    @Test func `a large file goes out in bounded chunks`() async throws {
        let file = [UInt8](repeating: 9, count: 1_000_000)
        let form = MultipartBody(file: .init(name: "f", filename: "f", type: "a/b", bytes: file))
        guard case .stream(let stream, let length) = form.body else { return #expect(Bool(false), "not a stream") }
        var count = 0
        for try await chunk in stream {
            #expect(chunk.count <= 64 * 1024)
            count += chunk.count
        }
        #expect(count == length)
        #expect(count == form.length)
    }

    private func bytes(of form: MultipartBody) async throws -> [UInt8] {
        guard case .stream(let stream, _) = form.body else { return [] }
        var all: [UInt8] = []
        for try await chunk in stream { all += chunk }
        return all
    }
}

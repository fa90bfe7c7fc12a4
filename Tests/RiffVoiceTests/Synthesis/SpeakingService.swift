// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport

/// A service of OpenAI's kind that speaks each text as a tone, in chunks cut anywhere, with a header that was written before
/// its end was known.
struct SpeakingService: HTTPTransport {
    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try Task.checkCancellation()
        guard case .bytes(let bytes) = body, let text = try JSONValue(parsing: bytes)["input"]?.text else {
            throw TransportError(.httpInvalidRequest, "There is no text.")
        }
        let voice = ScriptedTextToSpeech(format: AudioFormat(sampleRate: 24_000))
        guard let clip = try await voice.clip(of: text) else {
            throw TransportError(.httpInvalidRequest, "There is nothing to say.")
        }
        var wav = try WAVWriter.file(clip.bytes, format: voice.format)
        wav.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        wav.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
        for start in stride(from: 0, to: wav.count, by: 3_001) {
            try await writer.write(Array(wav[start..<min(start + 3_001, wav.count)]))
        }
        writer.finish()
        return HTTPReply(head: HTTPResponse(status: .ok, headerFields: [.contentType: "audio/wav"]), body: stream)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice

/// A service of OpenAI's or ElevenLabs' kind that speaks each text as a tone, in chunks cut anywhere; a WAV header is
/// written before the end is known.
struct SpeakingService: HTTPTransport {
    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try Task.checkCancellation()
        guard case .bytes(let bytes) = body, let json = try? JSONValue(parsing: bytes),
            let text = json["input"]?.text ?? json["text"]?.text
        else { throw TransportError(.httpInvalidRequest, "There is no text.") }
        let voice = ScriptedTextToSpeech(format: AudioFormat(sampleRate: 24_000))
        guard let clip = try await voice.clip(of: text) else {
            throw TransportError(.httpInvalidRequest, "There is nothing to say.")
        }
        let isRaw = request.path?.contains("output_format=pcm_24000") == true
        var audio = isRaw ? clip.bytes : try WAVWriter.file(clip.bytes, format: voice.format)
        if !isRaw {
            audio.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
            audio.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
        }
        let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
        for start in stride(from: 0, to: audio.count, by: 3_001) {
            try await writer.write(Array(audio[start..<min(start + 3_001, audio.count)]))
        }
        writer.finish()
        let type = isRaw ? "audio/pcm" : "audio/wav"
        return HTTPReply(head: HTTPResponse(status: .ok, headerFields: [.contentType: type]), body: stream)
    }
}

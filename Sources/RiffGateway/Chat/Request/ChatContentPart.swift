// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ChatMessage {
    /// A part of a message.
    public enum Part: Sendable, Hashable {
        /// A part of text.
        case text(String)
        /// A picture: an address, or the picture itself as `data:image/png;base64,...`; how closely to look at it is
        /// `low`, `high` or `auto`.
        case image(url: String, detail: String? = nil)
        /// A recording in Base64, and its form: `wav` or `mp3`.
        case audio(base64: String, format: String)
        /// A part of another kind, as it is on the wire.
        case other(JSONObject)

        /// The part as JSON.
        package var json: JSONValue {
            switch self {
            case .text(let text): return ["type": "text", "text": .string(text)]
            case .image(let url, let detail):
                var image: JSONObject = ["url": .string(url)]
                image.write("detail", detail)
                return ["type": "image_url", "image_url": .object(image)]
            case .audio(let base64, let format):
                return ["type": "input_audio", "input_audio": ["data": .string(base64), "format": .string(format)]]
            case .other(let object): return .object(object)
            }
        }
    }
}

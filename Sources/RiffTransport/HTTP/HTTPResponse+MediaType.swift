// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

extension HTTPResponse {
    /// The media type without its parameters, in lower case; empty where the response has none.
    package var mediaType: String {
        let value = headerFields[.contentType] ?? ""
        let bare = value.prefix { $0 != ";" }.lowercased()
        return String(bare.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

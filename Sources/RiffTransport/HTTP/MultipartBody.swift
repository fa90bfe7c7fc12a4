// Riff
// SPDX-License-Identifier: Apache-2.0

/// A `multipart/form-data` body: text fields, then one file, sent without joining the parts in memory.
///
/// Names are quoted as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"): line breaks and quotation
/// marks become `%0D%0A` and `%22`, everything else goes as UTF-8.
///
/// ```swift
/// var form = MultipartBody(file: .init(name: "file", filename: "clip.wav", type: "audio/wav", bytes: clip))
/// form.fields = [.init(name: "model_id", value: "scribe_v1")]
/// request.headerFields[.contentType] = form.contentType
/// let reply = try await http.send(request, body: form.body, deadlines: HTTPDeadlines())
/// ```
package struct MultipartBody: Sendable, Hashable {
    /// A text field.
    package struct Field: Sendable, Hashable {
        /// The name of the form's control.
        package var name: String
        /// Its value; lone line breaks become CR LF, as browsers send them.
        package var value: String

        /// A text field.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A file in the body.
    package struct File: Sendable, Hashable {
        /// The name of the form's control.
        package var name: String
        /// The filename that is sent to the server.
        package var filename: String
        /// Its media type; characters that could end the line are removed.
        package var type: String
        /// The file's contents.
        package var bytes: [UInt8]

        /// Creates a file from its contents.
        package init(name: String, filename: String, type: String, bytes: [UInt8]) {
            self.name = name
            self.filename = filename
            self.type = type
            self.bytes = bytes
        }
    }

    /// The text fields, in the order in which they are sent.
    package var fields: [Field]
    /// The file, sent last.
    package var file: File
    /// The text that separates the parts: 1 to 70 letters and digits, not found in any part.
    package let boundary: String

    /// A form with a boundary of 128 random bits, which no part can hold by accident.
    package init(fields: [Field] = [], file: File) {
        var generator = SystemRandomNumberGenerator()
        self.init(fields: fields, file: file, using: &generator)
    }

    /// A form whose boundary comes from a generator.
    package init(fields: [Field] = [], file: File, using generator: inout some RandomNumberGenerator) {
        self.fields = fields
        self.file = file
        let digits = (0..<2).map { _ in
            let hex = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - hex.count) + hex
        }
        boundary = "RiffFormBoundary" + digits.joined()
    }

    /// The value for the `Content-Type` field.
    package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The number of bytes that will be sent.
    package var length: Int { head.count + file.bytes.count + tail.count }

    /// The body, in chunks of at most 64 KB, with its length announced.
    package var body: HTTPBody { .stream(ByteChunks(parts: [head, file.bytes, tail]), length: length) }

    private var head: [UInt8] {
        var text = ""
        for field in fields {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(field.name))\"\r\n\r\n"
            text += Self.normalized(field.value) + "\r\n"
        }
        text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(file.name))\"; "
        text += "filename=\"\(Self.quoted(file.filename, breaks: false))\"\r\n"
        let type = file.type.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        text += "Content-Type: \(String(String.UnicodeScalarView(type)))\r\n\r\n"
        return Array(text.utf8)
    }

    private var tail: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }

    /// Lone CR and LF become CR LF.
    private static func normalized(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": result += "\r\n"
            case "\n": if previous != "\r" { result += "\r\n" }
            default: result.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return result
    }

    /// A name or a filename between quotation marks; only a name has its line breaks made CR LF first.
    private static func quoted(_ name: String, breaks: Bool = true) -> String {
        var result = ""
        for scalar in (breaks ? normalized(name) : name).unicodeScalars {
            switch scalar {
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case "\"": result += "%22"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes what is answered while it comes, each piece once.
package struct AnswerWriter: Sendable {
    /// The written length of each answer. One that starts over is written from there on.
    private var places: [Int: (read: Int, written: Int)] = [:]

    package init() {}

    /// Writes what an exchange says, all of it when this returns.
    ///
    /// - Parameters:
    ///   - pictures: Follows the conversation from now on; a new reader is told everything first.
    ///   - write: Writes text.
    ///   - exchange: Asks, and returns when the answer ended.
    /// - Returns: What is to be noticed when it ended.
    /// - Throws: What went wrong with asking.
    package mutating func follow(
        _ pictures: () -> AsyncStream<ChatPicture>,
        write: @escaping @Sendable (String) -> Void,
        _ exchange: () async throws -> Void
    ) async throws -> String? {
        let following = pictures()
        for await picture in following {
            // What stands there already was written when it came.
            _ = new(in: picture)
            break
        }
        let writing = Task { [before = self] in
            var writer = before
            // No picture ends it: what changes beside the answer is told too, before the answer begins as well.
            for await picture in following { write(writer.new(in: picture)) }
            return writer
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await exchange()) } catch { outcome = .failure(error) }
        writing.cancel()
        self = await writing.value
        var notice: String?
        for await picture in pictures() {
            // What did not come before the end.
            write(new(in: picture))
            notice = picture.notice
            break
        }
        try outcome.get()
        return notice
    }

    /// The part of a picture that was not written yet.
    package mutating func new(in picture: ChatPicture) -> String {
        var text = ""
        for item in picture.items where item.kind == .answer {
            let place = places[item.id] ?? (0, 0)
            let start = item.startsOver ? 0 : place.read
            let end = start + item.more.utf8.count
            text += Self.text(of: item.more, from: place.written - start)
            places[item.id] = (end, max(place.written, end))
        }
        return text
    }

    /// A text from a byte on, or from the beginning of the character that the byte is in: another answer has other
    /// characters there.
    private static func text(of text: String, from byte: Int) -> Substring {
        let bytes = text.utf8
        guard byte > 0 else { return text[...] }
        guard var place = bytes.index(bytes.startIndex, offsetBy: byte, limitedBy: bytes.endIndex) else { return "" }
        while place < bytes.endIndex, UTF8.isContinuation(bytes[place]) { place = bytes.index(before: place) }
        return text[place...]
    }
}

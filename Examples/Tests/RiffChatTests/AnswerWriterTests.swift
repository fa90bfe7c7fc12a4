// Riff
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

import riff_chat

/// An answer that goes into a pipe: written once, whatever else changes beside it.
@Suite(.timeLimit(.minutes(5))) struct AnswerWriterTests {
    private final class Output: Sendable {
        private let text = Mutex("")
        private let (pieces, feed) = AsyncStream.makeStream(of: Void.self)

        var all: String { text.withLock(\.self) }

        func write(_ more: String) {
            text.withLock { $0 += more }
            feed.yield()
        }

        /// Waits until so many pictures were written.
        func wrote(_ count: Int) async {
            var left = count
            for await _ in pieces {
                left -= 1
                if left == 0 { return }
            }
        }
    }

    private static func picture(_ more: String, startsOver: Bool = false, notice: String? = nil) -> ChatPicture {
        var picture = ChatPicture()
        picture.items = [.init(1, .answer, more, startsOver: startsOver)]
        picture.notice = notice
        return picture
    }

    private static func stream(_ pictures: [ChatPicture]) -> AsyncStream<ChatPicture> {
        let (stream, feed) = AsyncStream.makeStream(of: ChatPicture.self)
        for picture in pictures { feed.yield(picture) }
        return stream
    }

    @Test func `what changes before the answer begins does not end it, and what comes last is written`() async throws {
        let end = Self.picture("Hello, all", startsOver: true, notice: "cut off")
        // Nothing yet; a change beside the answer; the answer's beginning. The rest comes with the end.
        let readers = Mutex([[ChatPicture(), ChatPicture(), Self.picture("Hello", startsOver: true)], [end]])
        let output = Output()
        var writer = AnswerWriter()
        let notice = try await writer.follow {
            Self.stream(readers.withLock { $0.removeFirst() })
        } write: {
            output.write($0)
        } _: {
            await output.wrote(2)
        }
        #expect(output.all == "Hello, all" && notice == "cut off")
        #expect(writer.new(in: end) == "")
    }

    @Test func `what came before asking failed is written`() async {
        struct Failed: Error {}
        let readers = Mutex([[ChatPicture()], [Self.picture("Well", startsOver: true)]])
        let output = Output()
        var writer = AnswerWriter()
        await #expect(throws: Failed.self) {
            _ = try await writer.follow {
                Self.stream(readers.withLock { $0.removeFirst() })
            } write: {
                output.write($0)
            } _: {
                throw Failed()
            }
        }
        #expect(output.all == "Well")
    }

    @Test func `an answer that starts over is cut between characters`() {
        var writer = AnswerWriter()
        #expect(writer.new(in: Self.picture("abc", startsOver: true)) == "abc")
        #expect(writer.new(in: Self.picture("\u{E4}\u{1F600}x", startsOver: true)) == "\u{1F600}x")
        #expect(writer.new(in: Self.picture("y")) == "y")
        // As far as it was written, and in pieces.
        #expect(writer.new(in: Self.picture("1234567", startsOver: true)) == "")
        #expect(writer.new(in: Self.picture("\u{E4}")) == "\u{E4}")
    }
}

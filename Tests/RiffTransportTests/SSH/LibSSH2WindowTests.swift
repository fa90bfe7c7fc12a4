// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH && (os(macOS) || os(Linux))
import RiffTesting
import RiffTransport
import Testing

/// Windows against a model of libssh2's rule.
struct LibSSH2WindowTests {
    /// What `libssh2_channel_read_ex` does with a window, from src/channel.c of 1.10.
    struct Model {
        let initial: Int
        var left: Int
        var adjustments = 0

        init(_ window: LibSSH2Window) { (initial, left) = (window.initial, window.initial) }

        /// - Returns: How many bytes came of those that wait.
        mutating func read(_ size: Int, waiting: Int) -> Int {
            if left < initial / 4 * 3 + size {
                left += max(1024, initial + size - left)
                adjustments += 1
            }
            let count = min(size, waiting)
            left -= count
            return count
        }
    }

    /// Reads of a peer that fills the window again and again.
    static func run(_ window: LibSSH2Window, _ model: inout Model, isTyping: Bool, total: Int) -> (
        most: Int, least: Int
    ) {
        var generator = SeededGenerator(seed: 7)
        var (most, least, read) = (0, Int.max, 0)
        while read < total {
            // All that the peer may send, or a part of it, is there; nothing of it was read yet.
            var waiting = Int.random(in: 0...model.left, using: &generator)
            repeat {
                let size = window.readBytes(left: model.left, isTyping: isTyping)
                let count = model.read(size, waiting: waiting)
                most = max(most, model.left + count)
                least = min(least, model.left + count)
                waiting -= count
                read += count
            } while waiting > 0
        }
        return (most, least)
    }

    @Test(arguments: [32, 64, 128, 256])
    func `a window is kept between a half of its size and the whole`(kibibytes: Int) {
        let window = LibSSH2Window(kibibytes * 1024)
        var model = Model(window)
        let (most, least) = Self.run(window, &model, isTyping: false, total: 64 << 20)
        #expect(most == kibibytes * 1024)
        #expect(least >= kibibytes * 512)
        #expect(model.adjustments <= (64 << 20) / (kibibytes * 512) + 1)
    }

    @Test func `a window closes to a small one while somebody types and opens again after`() {
        let window = LibSSH2Window(256 * 1024)
        var model = Model(window)
        _ = Self.run(window, &model, isTyping: false, total: 4 << 20)
        _ = Self.run(window, &model, isTyping: true, total: 256 * 1024)
        let (most, least) = Self.run(window, &model, isTyping: true, total: 4 << 20)
        #expect(most == LibSSH2Window.typingSize)
        #expect(least >= LibSSH2Window.typingSize / 2)
        let (mostAfter, _) = Self.run(window, &model, isTyping: false, total: 4 << 20)
        #expect(mostAfter == 256 * 1024)
    }

    @Test(arguments: [16 * 1024, 2 * 1024 * 1024])
    func `a window that cannot be steered is never small`(size: Int) {
        let window = LibSSH2Window(size)
        #expect(window.initial == size)
        for isTyping in [false, true] {
            var model = Model(window)
            let (_, least) = Self.run(window, &model, isTyping: isTyping, total: 8 << 20)
            #expect(least >= size / 4 * 3)
        }
    }

    @Test func `a read that leaves the window alone changes nothing however often it is repeated`() {
        let window = LibSSH2Window(256 * 1024)
        var model = Model(window)
        _ = model.read(window.readBytes(left: model.left, isTyping: false), waiting: 0)
        let before = model.adjustments
        for isTyping in [false, true, false] {
            let size = window.readBytes(left: model.left, isTyping: isTyping)
            _ = model.read(size, waiting: 0)
        }
        #expect(model.adjustments == before)
    }
}
#endif

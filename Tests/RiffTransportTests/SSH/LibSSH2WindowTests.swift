// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
import RiffTesting
import RiffTransport
import Testing

/// Windows against a model of libssh2's rule.
struct LibSSH2WindowTests {
    /// What `libssh2_channel_read_ex` does with a window, as measured with 1.10.
    struct Model {
        let initial: Int
        var left: Int
        var openings = 0

        init(_ window: LibSSH2Window) { (initial, left) = (window.initial, window.initial) }

        mutating func open(by amount: Int?) {
            guard let amount else { return }
            left += amount
            openings += 1
        }

        /// - Returns: Whether libssh2 opens the window by itself in a read of this size.
        func opens(inReadOf size: Int) -> Bool { size > left || left < initial / 4 * 3 + size }
    }

    /// Reads of a peer that fills the window again and again; `false` where libssh2's own rule was met.
    static func run(
        _ window: LibSSH2Window,
        _ model: inout Model,
        isTyping: Bool,
        total: Int
    ) -> (most: Int, isSteered: Bool) {
        var generator = SeededGenerator(seed: 7)
        var (most, read, isSteered) = (0, 0, true)
        while read < total {
            // All that the peer may send, or a part of it, arrives before any of it is read.
            var waiting = Int.random(in: 0...model.left, using: &generator)
            model.left -= waiting
            repeat {
                model.open(by: window.opening(left: model.left, isTyping: isTyping))
                most = max(most, model.left)
                let size = window.readBytes(isTyping: isTyping)
                if model.opens(inReadOf: size) { isSteered = false }
                let count = min(size, waiting)
                waiting -= count
                read += count
            } while waiting > 0
        }
        return (most, isSteered)
    }

    @Test(arguments: [16, 32, 64, 128, 256, 2048])
    func `a window is opened to its size by halves and never by libssh2`(kibibytes: Int) {
        let window = LibSSH2Window(kibibytes * 1024)
        var model = Model(window)
        let (most, isSteered) = Self.run(window, &model, isTyping: false, total: 64 << 20)
        #expect(most == kibibytes * 1024)
        #expect(isSteered)
        #expect(model.openings <= (64 << 20) / (kibibytes * 512) + 2)
    }

    @Test func `a window closes to a small one while somebody types and opens again after`() {
        let window = LibSSH2Window(256 * 1024)
        var model = Model(window)
        _ = Self.run(window, &model, isTyping: false, total: 4 << 20)
        _ = Self.run(window, &model, isTyping: true, total: 256 * 1024)
        let typing = Self.run(window, &model, isTyping: true, total: 4 << 20)
        #expect(typing.most == LibSSH2Window.typingSize)
        #expect(typing.isSteered)
        let after = Self.run(window, &model, isTyping: false, total: 4 << 20)
        #expect(after.most == 256 * 1024)
        #expect(after.isSteered)
    }

    @Test func `a window with enough left is left alone`() {
        let window = LibSSH2Window(256 * 1024)
        #expect(window.opening(left: 128 * 1024, isTyping: false) == nil)
        #expect(window.opening(left: 128 * 1024 - 1, isTyping: false) == 128 * 1024 + 1)
        #expect(window.opening(left: 128 * 1024 - 1, isTyping: true) == nil)
        #expect(LibSSH2Window.tunnel.opening(left: 0, isTyping: false) == nil)
    }
}
#endif

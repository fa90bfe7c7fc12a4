// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

extension SSHConnection {
    /// The time after a key during which the user counts as typing.
    private static var typingPause: TimeAmount { .seconds(1) }

    /// Pumps soon, from any thread, because keys wait to be sent.
    nonisolated func scheduleKeys() {
        loop.execute { self.assumeIsolated { $0.sendKeys() } }
    }

    private func sendKeys() {
        lastKey = .now()
        if !engine.isTyping {
            engine.isTyping = true
            endTyping(in: Self.typingPause)
        }
        pump()
    }

    private func endTyping(in delay: TimeAmount) {
        loop.scheduleTask(in: delay) { [weak self] in
            self?.assumeIsolated { connection in
                let rest = connection.lastKey + Self.typingPause - .now()
                guard rest <= .zero else { return connection.endTyping(in: rest) }
                connection.engine.isTyping = false
                // Opens the windows again.
                connection.pump()
            }
        }
    }
}

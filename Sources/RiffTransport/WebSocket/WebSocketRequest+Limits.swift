// Riff
// SPDX-License-Identifier: Apache-2.0

extension WebSocketRequest {
    /// The limits of a WebSocket: on the bytes it may hold and on the time its parts may take.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of one incoming message, after decompression; a larger one closes the connection with 1009.
        public var messageBytes: Int
        /// The most bytes of one incoming frame; a larger one closes the connection with 1009.
        public var frameBytes: Int
        /// Above this many bytes of messages that wait to be received (32 more for each message), nothing more is read
        /// from the peer. At most twice that is held, and one message more.
        public var receiveBufferBytes: Int
        /// Above this many bytes of messages that wait to be sent, `send` suspends.
        public var sendBufferBytes: Int
        /// Outgoing messages go in frames of at most this many bytes, so that pongs can pass between them; `nil` sends
        /// each message in one frame.
        public var fragmentBytes: Int?
        /// The time that a close waits for the data still to be sent and for the peer's close frame.
        public var close: Duration

        /// Limits; 16 MiB for a message and for a frame, 256 KiB for each buffer, one frame for a message, 5 s to
        /// close, unless said otherwise.
        public init(
            messageBytes: Int = 16 << 20,
            frameBytes: Int? = nil,
            receiveBufferBytes: Int = 256 << 10,
            sendBufferBytes: Int = 256 << 10,
            fragmentBytes: Int? = nil,
            close: Duration = .seconds(5)
        ) {
            self.messageBytes = messageBytes
            self.frameBytes = frameBytes ?? messageBytes
            self.receiveBufferBytes = receiveBufferBytes
            self.sendBufferBytes = sendBufferBytes
            self.fragmentBytes = fragmentBytes
            self.close = close
        }
    }
}

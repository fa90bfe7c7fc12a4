// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A sink that holds the audio session exactly while it plays.
package actor HeldAudioSink: AudioSink {
    private let sink: any AudioSink
    private let session: SharedAudioSession
    private var hold: SharedAudioSession.Hold?
    private var isOver = false
    private var starting: EventualValue<Void>?
    private var releasing: EventualValue<Void>?

    /// Holds a session for a sink; `nil` holds none.
    package static func make(_ sink: any AudioSink, _ session: SharedAudioSession?) -> any AudioSink {
        session.map { HeldAudioSink(sink, $0) } ?? sink
    }

    private init(_ sink: any AudioSink, _ session: SharedAudioSession) {
        (self.sink, self.session) = (sink, session)
    }

    package func start(_ format: AudioFormat) async throws {
        guard starting == nil else { return try await sink.start(format) }
        let starting = EventualValue<Void>()
        self.starting = starting
        defer { starting.resolve(()) }
        if isOver { throw CancellationError() }
        hold = try await session.hold()
        do {
            if isOver { throw CancellationError() }
            try await sink.start(format)
            if isOver { throw CancellationError() }
        } catch {
            await sink.cancel()
            await giveBack()
            throw error
        }
    }

    package func write(_ frames: [UInt8]) async throws { try await sink.write(frames) }

    package func finish() async throws {
        do {
            try await sink.finish()
        } catch {
            await sink.cancel()
            await giveBack()
            throw error
        }
        isOver = true
        await giveBack()
    }

    package func cancel() async {
        isOver = true
        await sink.cancel()
        await starting?.value()
        await giveBack()
    }

    private func giveBack() async {
        if let hold {
            self.hold = nil
            let released = EventualValue<Void>()
            releasing = released
            await session.release(hold)
            released.resolve(())
        } else {
            await releasing?.value()
        }
    }
}

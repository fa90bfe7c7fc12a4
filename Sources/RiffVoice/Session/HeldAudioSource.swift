// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A source that holds the audio session exactly while it captures.
package actor HeldAudioSource: AudioSource {
    private let source: any AudioSource
    private let session: SharedAudioSession
    private var hold: SharedAudioSession.Hold?
    private var isStopped = false
    /// Told when the start that is under way has ended.
    private var starting: EventualValue<Void>?
    private var releasing: EventualValue<Void>?

    /// Holds a session for a source; `nil` holds none.
    package static func make(_ source: any AudioSource, _ session: SharedAudioSession?) -> any AudioSource {
        session.map { HeldAudioSource(source, $0) } ?? source
    }

    private init(_ source: any AudioSource, _ session: SharedAudioSession) {
        (self.source, self.session) = (source, session)
    }

    package func start() async throws -> AudioFormat {
        guard starting == nil else { return try await source.start() }
        let starting = EventualValue<Void>()
        self.starting = starting
        defer { starting.resolve(()) }
        if isStopped { throw CancellationError() }
        hold = try await session.hold()
        do {
            if isStopped { throw CancellationError() }
            let format = try await source.start()
            if isStopped { throw CancellationError() }
            return format
        } catch {
            await source.stop()
            await giveBack()
            throw error
        }
    }

    package nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable { source.frames }
    package nonisolated var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { source.events }

    package func stop() async {
        isStopped = true
        await source.stop()
        // A start that is under way gives back what it took.
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

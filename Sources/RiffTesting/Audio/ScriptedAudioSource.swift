// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice
internal import Synchronization

/// A source that plays a script of frames and changes of format, one event each time it is asked, and ends or breaks.
public final class ScriptedAudioSource: AudioSource {
    private struct State {
        var isStarted = false
        var isStopped = false
        var script: ArraySlice<CaptureEvent>
        var failure: (any Error)?
    }

    private let format: AudioFormat
    private let startFailure: (any Error)?
    private let state: Mutex<State>

    /// A source with this script.
    ///
    /// - Parameters:
    ///   - format: What the first frames are; one of 0 Hz is returned as it is, as a broken device does.
    ///   - script: What it gives.
    ///   - startFailure: What `start` throws.
    ///   - failure: What breaks it after the script; `nil` ends it.
    public init(
        format: AudioFormat = .speech,
        _ script: [CaptureEvent],
        startFailure: (any Error)? = nil,
        failure: (any Error)? = nil
    ) {
        self.format = format
        self.startFailure = startFailure
        state = Mutex(State(script: script[...], failure: failure))
    }

    /// Whether it was stopped.
    public var isStopped: Bool { state.withLock(\.isStopped) }

    /// Returns the format, or throws what it was made with; `TestingError` with `startedTwice`.
    public func start() async throws -> AudioFormat {
        if let startFailure { throw startFailure }
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isStopped
        }
        if !isFirst { throw TestingError(.startedTwice, "A scripted source was started again, or after its stop.") }
        return format
    }

    /// The frames of the script up to a change of format.
    public var frames: any AsyncSequence<[UInt8], any Error> & Sendable { Self.framesOfOneFormat(ScriptedEvents(self)) }

    /// The events of the script.
    public var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { ScriptedEvents(self) }

    /// Ends the script where it is.
    public func stop() async { state.withLock { $0.isStopped = true } }

    fileprivate func next() throws -> CaptureEvent? {
        try state.withLock { state in
            guard state.isStarted else { throw TestingError(.notStarted, "A scripted source was not started.") }
            if state.isStopped { return nil }
            if let event = state.script.popFirst() { return event }
            defer { state.failure = nil }
            if let failure = state.failure { throw failure }
            return nil
        }
    }
}

private struct ScriptedEvents: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = CaptureEvent
    typealias Failure = any Error

    let source: ScriptedAudioSource

    init(_ source: ScriptedAudioSource) { self.source = source }

    func makeAsyncIterator() -> ScriptedEvents { self }

    func next() async throws -> CaptureEvent? {
        // As a device would, it gives others a turn.
        await Task.yield()
        return try source.next()
    }
}

extension TestingErrorCode {
    /// Something that works once was started again.
    public static let startedTwice = TestingError.Code(rawValue: "startedTwice")
    /// Something was used before it was started.
    public static let notStarted = TestingError.Code(rawValue: "notStarted")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(CallKit) && !os(macOS)
internal import AVFAudio
internal import CallKit
internal import Dispatch
internal import Foundation
internal import RiffCore
public import RiffTalk
public import RiffVoice
internal import Synchronization

/// A conversation as a call of the system's, by CallKit: it goes on with the screen locked and in the car, and makes
/// way for a telephone call. The app needs the background modes `voip` and `audio`.
public final class SystemCall: CallSession {
    private let audio: SharedAudioSession
    private let name: String
    private let provider: CXProvider
    private let delegate: CallDelegate

    /// Creates the calls of an app.
    ///
    /// - Parameters:
    ///   - name: The name that the system shows, such as the agent's.
    ///   - audio: The app's audio session, which a call claims.
    public init(name: String, audio: SharedAudioSession) {
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = false
        configuration.maximumCallsPerCallGroup = 1
        self.name = name
        self.audio = audio
        provider = CXProvider(configuration: configuration)
        delegate = CallDelegate()
        provider.setDelegate(delegate, queue: CallbackQueue.make("riff.call"))
    }

    /// A call goes on in the background.
    public var runsInBackground: Bool { true }

    /// Begins a call, and waits for its audio.
    ///
    /// - Returns: What happens to it.
    /// - Throws: `VoiceError` with `audioSessionFailed`; `CancellationError`.
    public func begin() async throws -> AsyncStream<CallEvent> {
        let claim = await audio.claimForCall()
        // A handful in a call.
        let (events, writer) = AsyncStream<CallEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let id = UUID()
        let activation = EventualValue<Bool>()
        delegate.begin(CallDelegate.Call(id: id, events: writer, activation: activation, claim: claim))
        do {
            // The category is set before the call; the system activates the session.
            try AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat, options: [])
            let action = CXStartCallAction(call: id, handle: CXHandle(type: .generic, value: name))
            try await CXCallController().request(CXTransaction(action: action))
            guard try await activation.cancellableValue() else { throw CancellationError() }
            provider.reportOutgoingCall(with: id, connectedAt: nil)
            return events
        } catch {
            await delegate.end()
            try Task.checkCancellation()
            let message = "The system would not begin the call; end another one, then try again."
            throw VoiceError(.audioSessionFailed, message, recovery: .retry, cause: error)
        }
    }

    /// Ends the call, and gives the audio back.
    public func end() async {
        guard let id = delegate.id else { return }
        // The system tells the end as well, where it knows the call; here it is over in any case.
        try? await CXCallController().request(CXTransaction(action: CXEndCallAction(call: id)))
        await delegate.end()
    }
}

/// What the system tells of a call. Its state is under a lock; `NSObject` has none that changes.
private final class CallDelegate: NSObject, CXProviderDelegate, Sendable {
    struct Call: Sendable {
        let id: UUID
        let events: AsyncStream<CallEvent>.Continuation
        let activation: EventualValue<Bool>
        let claim: SharedAudioSession.CallClaim
    }

    private let call = Mutex<Call?>(nil)

    var id: UUID? { call.withLock { $0?.id } }

    func begin(_ call: Call) { self.call.withLock { $0 = call } }

    /// Ends the call once, and returns when the audio is given back.
    func end() async {
        guard let call = call.withLock({ $0.take() }) else { return }
        call.events.yield(.ended)
        call.events.finish()
        call.activation.resolve(false)
        // Whoever still needs the session gets it activated; that it fails is the session's problem, and shown there.
        try? await call.claim.release()
    }

    func provider(_: CXProvider, perform action: CXStartCallAction) { action.fulfill() }

    func provider(_: CXProvider, didActivate _: AVAudioSession) {
        let call = call.withLock { $0 }
        call?.activation.resolve(true)
        call?.events.yield(.audio(isActive: true))
    }

    func provider(_: CXProvider, didDeactivate _: AVAudioSession) {
        call.withLock { $0 }?.events.yield(.audio(isActive: false))
    }

    func provider(_: CXProvider, perform action: CXSetMutedCallAction) {
        call.withLock { $0 }?.events.yield(.muted(action.isMuted))
        action.fulfill()
    }

    func provider(_: CXProvider, perform action: CXEndCallAction) {
        action.fulfill()
        // Ends by itself: nothing of the system's is waited for in it.
        Task { await end() }
    }

    func providerDidReset(_: CXProvider) { Task { await end() } }
}
#endif

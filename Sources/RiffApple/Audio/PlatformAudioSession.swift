// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(AVFAudio) && !os(macOS)
internal import AVFAudio
internal import Foundation
public import RiffVoice

/// The audio session of an app on Apple's systems, for one `SharedAudioSession`.
///
/// It records and plays, ducks others, and takes headphones of every kind. macOS has no such session: use none there.
public struct PlatformAudioSession: AudioSessionOwner {
    /// Creates the owner of the app's session.
    public init() {}

    /// Makes the session active.
    ///
    /// - Throws: The system's error, such as for a telephone call.
    public func activate() async throws {
        let session = AVAudioSession.sharedInstance()
        // `.voiceChat` would cancel the echo, and changes the sound of everything else.
        let options: AVAudioSession.CategoryOptions = [.duckOthers, .allowBluetoothA2DP, .defaultToSpeaker]
        try session.setCategory(.playAndRecord, mode: .default, options: options)
        try session.setActive(true, options: [])
    }

    /// Gives it back, and lets others play on.
    ///
    /// - Throws: The system's error, such as where something still plays.
    public func deactivate() async throws {
        try AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }

    /// Returns calls, alarms and unplugged headsets from now on.
    public func events() -> AsyncStream<AudioSessionEvent> {
        // A few in an hour; the newest decide.
        let (stream, writer) = AsyncStream<AudioSessionEvent>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let center = NotificationCenter.default
        let names = [AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification]
        let observers = names.map { name in
            NotificationObserver(
                center.addObserver(forName: name, object: nil, queue: nil) { notification in
                    if let event = Self.event(of: notification) { writer.yield(event) }
                }
            )
        }
        writer.onTermination = { _ in
            for observer in observers { observer.remove() }
        }
        return stream
    }

    private static func event(of notification: Notification) -> AudioSessionEvent? {
        func number(_ key: String) -> UInt? { notification.userInfo?[key] as? UInt }
        if notification.name == AVAudioSession.routeChangeNotification {
            let reason = number(AVAudioSessionRouteChangeReasonKey).flatMap(AVAudioSession.RouteChangeReason.init)
            return reason == .oldDeviceUnavailable ? .outputLost : nil
        }
        switch number(AVAudioSessionInterruptionTypeKey).flatMap(AVAudioSession.InterruptionType.init) {
        case .began: return .interrupted
        case .ended:
            let options = AVAudioSession.InterruptionOptions(
                rawValue: number(AVAudioSessionInterruptionOptionKey) ?? 0
            )
            return .interruptionEnded(mayResume: options.contains(.shouldResume))
        default: return nil
        }
    }
}
#endif

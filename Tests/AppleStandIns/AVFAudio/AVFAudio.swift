// Riff
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// Stand-ins for the declarations of AVFAudio that RiffApple uses, so that a compiler on Linux can check it: names,
// types and isolation, no behavior. Each is as public Swift programs call it (iOS 18 and later), not taken from
// Apple's headers: what differs there is found on a Mac. https://developer.apple.com/documentation/avfaudio
import Foundation

public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioNodeBus = Int
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

public final class AVAudioTime: NSObject {}

public class AVAudioFormat: NSObject {
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {}
    public var sampleRate: Double { 0 }
    public var channelCount: AVAudioChannelCount { 0 }
}

public class AVAudioBuffer: NSObject {}

public class AVAudioPCMBuffer: AVAudioBuffer {
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) { self.format = format }
    public let format: AVAudioFormat
    public var frameLength: AVAudioFrameCount = 0
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { nil }
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { nil }
}

public class AVAudioNode: NSObject {
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError() }
    public func installTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {}
    public func removeTap(onBus bus: AVAudioNodeBus) {}
}

public class AVAudioInputNode: AVAudioNode {}
public class AVAudioMixerNode: AVAudioNode {}

public enum AVAudioPlayerNodeCompletionCallbackType { case dataConsumed, dataRendered, dataPlayedBack }

public class AVAudioPlayerNode: AVAudioNode {
    public func play() {}
    public func stop() {}
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: (@Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil
    ) {}
}

public class AVAudioEngine: NSObject {
    public let inputNode = AVAudioInputNode()
    public let mainMixerNode = AVAudioMixerNode()
    public var isRunning: Bool { false }
    public func attach(_ node: AVAudioNode) {}
    public func connect(_ from: AVAudioNode, to: AVAudioNode, format: AVAudioFormat?) {}
    public func prepare() {}
    public func start() throws {}
    public func stop() {}
}

extension Notification.Name {
    public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChange")
}

public final class AVAudioApplication: NSObject {
    public class func requestRecordPermission() async -> Bool { false }
}

public let AVAudioSessionInterruptionTypeKey = "type"
public let AVAudioSessionInterruptionOptionKey = "option"
public let AVAudioSessionRouteChangeReasonKey = "reason"

public class AVAudioSession: NSObject {
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let playAndRecord = Category(rawValue: "playAndRecord")
    }
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = Mode(rawValue: "default")
        public static let voiceChat = Mode(rawValue: "voiceChat")
    }
    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let duckOthers = CategoryOptions(rawValue: 2)
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
    }
    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }
    public enum InterruptionType: UInt, Sendable { case ended, began }
    public struct InterruptionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }
    public enum RouteChangeReason: UInt, Sendable { case unknown, newDeviceAvailable, oldDeviceUnavailable }

    public static let interruptionNotification = Notification.Name("interruption")
    public static let routeChangeNotification = Notification.Name("route")

    public class func sharedInstance() -> AVAudioSession { fatalError() }
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
}

public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5

public class AVSpeechSynthesisVoice: NSObject {
    public init?(language: String?) {}
}

public class AVSpeechUtterance: NSObject {
    public init(string: String) {}
    public var voice: AVSpeechSynthesisVoice?
    public var rate: Float = 0
}

public enum AVSpeechBoundary { case immediate, word }

public class AVSpeechSynthesizer: NSObject {
    public typealias BufferCallback = @Sendable (AVAudioBuffer) -> Void
    public func write(_ utterance: AVSpeechUtterance, toBufferCallback: @escaping BufferCallback) {}
    public func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { false }
}

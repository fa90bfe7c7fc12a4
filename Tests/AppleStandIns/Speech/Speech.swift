// Riff
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// Stand-ins for the declarations of Speech that RiffApple uses; see AVFAudio.swift.
// https://developer.apple.com/documentation/speech
public import AVFAudio
public import Foundation

public enum SFSpeechRecognizerAuthorizationStatus: Int, Sendable { case notDetermined, denied, restricted, authorized }

public class SFTranscription: NSObject {
    public var formattedString: String { "" }
}

public class SFSpeechRecognitionResult: NSObject {
    public var bestTranscription: SFTranscription { fatalError() }
    public var isFinal: Bool { false }
}

public class SFSpeechRecognitionTask: NSObject {
    public func cancel() {}
}

public class SFSpeechRecognitionRequest: NSObject {
    public var shouldReportPartialResults = false
    public var addsPunctuation = false
    public var contextualStrings: [String] = []
    public var requiresOnDeviceRecognition = false
}

public class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest {
    public func append(_ audioPCMBuffer: AVAudioPCMBuffer) {}
    public func endAudio() {}
}

public class SFSpeechRecognizer: NSObject {
    public init?(locale: Locale) {}
    public var isAvailable: Bool { false }
    public var supportsOnDeviceRecognition: Bool { false }
    public class func requestAuthorization(
        _ handler: @escaping @Sendable (SFSpeechRecognizerAuthorizationStatus) -> Void
    ) {}
    public func recognitionTask(
        with request: SFSpeechRecognitionRequest,
        resultHandler: @escaping @Sendable (SFSpeechRecognitionResult?, (any Error)?) -> Void
    ) -> SFSpeechRecognitionTask { fatalError() }
}

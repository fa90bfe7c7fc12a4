// Riff
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// Stand-ins for the declarations of CallKit that RiffApple uses; see AVFAudio.swift.
// https://developer.apple.com/documentation/callkit
public import AVFAudio
public import Dispatch
public import Foundation

public class CXHandle: NSObject {
    public enum HandleType: Int { case generic = 1 }
    public init(type: HandleType, value: String) {}
}

public class CXAction: NSObject {
    public func fulfill() {}
}

public class CXCallAction: CXAction {
    public init(call callUUID: UUID) {}
}

public class CXStartCallAction: CXCallAction {
    public init(call callUUID: UUID, handle: CXHandle) { super.init(call: callUUID) }
}

public class CXEndCallAction: CXCallAction {}

public class CXSetMutedCallAction: CXCallAction {
    public var isMuted: Bool { false }
}

public class CXTransaction: NSObject {
    public init(action: CXAction) {}
}

public class CXCallController: NSObject {
    public func request(_ transaction: sending CXTransaction) async throws {}
}

public class CXProviderConfiguration: NSObject {
    public var supportsVideo = false
    public var maximumCallsPerCallGroup = 0
}

/// The system's class may be used from any thread.
public class CXProvider: NSObject, @unchecked Sendable {
    public init(configuration: CXProviderConfiguration) {}
    public func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {}
    public func reportOutgoingCall(with UUID: UUID, connectedAt: Date?) {}
}

public protocol CXProviderDelegate: NSObjectProtocol {
    func providerDidReset(_ provider: CXProvider)
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

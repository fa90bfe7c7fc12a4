// Riff
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// Stand-ins for the declarations of Network that RiffApple uses; see AVFAudio.swift.
// https://developer.apple.com/documentation/network
public import Dispatch
public import Foundation

public enum NWError: Error {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(Int32)
}

public enum NWEndpoint {
    public struct Host: Sendable {
        public init(_ string: String) {}
    }
    public struct Port: Sendable, ExpressibleByIntegerLiteral {
        public init(integerLiteral value: UInt16) {}
    }
}

public class NWProtocolTCP {
    public class Options {
        public init() {}
        public var noDelay = false
        public var enableKeepalive = false
        public var connectionTimeout = 0
    }
}

public class NWProtocolTLS {
    public class Options {}
}

public final class NWParameters: @unchecked Sendable {
    public convenience init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
        self.init()
    }
    public init() {}
}

public final class NWConnection: @unchecked Sendable {
    public enum State: Sendable {
        case setup
        case waiting(NWError)
        case preparing
        case ready
        case failed(NWError)
        case cancelled
    }
    public final class ContentContext: @unchecked Sendable {
        public static let defaultMessage = ContentContext()
        public static let finalMessage = ContentContext()
    }
    public enum SendCompletion {
        case contentProcessed(@Sendable (NWError?) -> Void)
        case idempotent
    }

    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) {}
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { nil }
        set { _ = newValue }
    }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
    public func forceCancel() {}
    public func send(
        content: Data?,
        contentContext: ContentContext = .defaultMessage,
        isComplete: Bool = true,
        completion: SendCompletion
    ) {}
    public func receive(
        minimumIncompleteLength: Int,
        maximumLength: Int,
        completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) {}
}

public struct NWPath: Sendable, Equatable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public var status: Status { .satisfied }
}

public final class NWPathMonitor: @unchecked Sendable {
    public init() {}
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { nil }
        set { _ = newValue }
    }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

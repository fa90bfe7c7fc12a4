// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
public import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension TransportError {
    /// Says why a host's port was not reached.
    static func dialFailure(_ error: any Error, address: HostAddress, limit: Duration) -> TransportError {
        switch tellingError(error) {
        case nil:
            let cause = (error as? NIOConnectionError)?.dnsAError ?? error
            return TransportError(.hostNotFound, ConnectionProblem.unknownHost(host: address), cause: cause)
        case let late as ChannelError where late.isConnectTimeout:
            return unreachable(address, "it did not answer in \(limit)", late)
        case let io as IOError: return refusal(io, address)
        case let other?: return unreachable(address, "\(other)", other)
        }
    }

    /// Says why this machine could not connect to what a forward leads to.
    static func openFailure(_ error: any Error, of target: String, limit: Duration) -> TransportError {
        let reason: String
        switch tellingError(error) {
        case nil: reason = "the name is not known to it"
        case let late as ChannelError where late.isConnectTimeout:
            return TransportError(.timeout, "This machine had no answer from \(target) in \(limit).", recovery: .retry)
        case let io as IOError: reason = io.localizedReason
        case let other?: reason = InertText.quote("\(other)")
        }
        let message = "This machine could not connect to \(target): \(reason)."
        return TransportError(.forwardingFailed, message, recovery: .retry, cause: error)
    }

    /// Several addresses may have failed in several ways. One that refuses is a machine that is on, which says more
    /// than that there is no IPv6 here.
    ///
    /// - Returns: The error that says most; `nil` if the name has no address.
    private static func tellingError(_ error: any Error) -> (any Error)? {
        guard let failure = error as? NIOConnectionError else { return error }
        let errors = failure.connectionErrors.map(\.error)
        return errors.first { ($0 as? IOError)?.errnoCode == ECONNREFUSED } ?? errors.first
    }

    private static func refusal(_ error: IOError, _ address: HostAddress) -> TransportError {
        guard error.errnoCode == ECONNREFUSED else { return unreachable(address, error.localizedReason, error) }
        return TransportError(.connectionRefused, ConnectionProblem.refused(host: address), cause: error)
    }

    private static func unreachable(_ address: HostAddress, _ reason: String, _ cause: any Error) -> TransportError {
        TransportError(.unreachable, ConnectionProblem.unreachable(host: address, reason: reason), cause: cause)
    }

    /// An error in the words that all front ends share.
    init(_ code: Code, _ problem: ConnectionProblem, cause: (any Error)? = nil) {
        self.init(code, problem.message, recovery: problem.recovery, cause: cause)
    }
}

extension ChannelError {
    fileprivate var isConnectTimeout: Bool { if case .connectTimeout = self { true } else { false } }
}

extension TransportErrorCode {
    /// The host's name could not be resolved.
    public static let hostNotFound = TransportError.Code(rawValue: "hostNotFound")
    /// Nothing listens on the host's port.
    public static let connectionRefused = TransportError.Code(rawValue: "connectionRefused")
    /// The host does not answer, or there is no way to it.
    public static let unreachable = TransportError.Code(rawValue: "unreachable")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import RiffTransport

extension HostCheck.Kind {
    /// The check that a dial which ended with this error did not pass; those before it, it did.
    ///
    /// - Parameter error: The error of ``SSHHost/connect()``.
    /// - Returns: The check.
    package static func failedDial(with error: any RiffError) -> HostCheck.Kind {
        // RiffCore's own errors in a dial are the host key's verdict, and a store of host keys that cannot be used.
        guard let error = error as? TransportError else { return error is CoreError ? .hostKey : .authorization }
        switch error.code {
        case .hostNotFound, .connectionRefused, .unreachable: return .network
        case .notAuthorized, .noUsableCredential, .keyUnusable: return .authorization
        default: return .server
        }
    }
}

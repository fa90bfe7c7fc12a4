// Riff
// SPDX-License-Identifier: Apache-2.0

package import NIOCore
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Channel {
    /// Closes a socket at once and drops what its peer has not acknowledged; on any thread. Otherwise the system goes
    /// on sending it.
    package func reset() {
        // socket(7), SO_LINGER. A socket that is closed already has nothing to send.
        (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
        close(promise: nil)
    }
}

extension IOError {
    /// The system's words for the error number.
    var localizedReason: String { SystemFailure("socket", code: errnoCode).text }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension VoiceError {
    /// Creates the error for a failure on the way to a server, for the person who sent something there.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - server: What kind of server it is, where, and which setting says so.
    ///   - sent: What was sent, in a sentence's middle.
    ///   - otherwise: What an answer means that is none.
    init(
        _ error: TransportError,
        server: (kind: String, address: HTTPBaseURL, setting: SettingName),
        sent: String,
        otherwise: VoiceError
    ) {
        let name = "The \(server.kind) server at \(server.address)"
        switch error.code {
        case .httpNeverConnected:
            let message =
                "\(name) cannot be reached. Check the network, and that the private network (VPN, tailnet) is on."
            self.init(.serverUnreachable, message, recovery: .checkNetwork, cause: error)
        case .tlsFailed:
            let message = "\(name) has no certificate that is trusted here."
            self.init(.serverUnreachable, message, recovery: .openSettings(server.setting), cause: error)
        case .timeout:
            let message = "\(name) did not answer in time. It may have received \(sent), so that it was not sent again."
            self.init(.serverTimeout, message, recovery: .retry, cause: error)
        case .connectionLost, .closed:
            let message =
                "The connection to \(server.address) was lost; the server may have received \(sent), which was not sent "
                + "again."
            self.init(.serverConnectionLost, message, recovery: .retry, cause: error)
        case .httpMalformed, .outputTooLarge: self = otherwise
        default: self.init(.serverFailed, "The request to \(server.address) failed.", cause: error)
        }
    }
}

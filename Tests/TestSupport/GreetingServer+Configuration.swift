// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

extension GreetingServer {
    /// A host of nobody's, with a new key, on a port of this machine.
    package static func configuration(port: Int) throws -> SSHHost.Configuration {
        SSHHost.Configuration(
            address: try HostAddress("127.0.0.1", port: port),
            user: "nobody",
            credentials: [.key(.makeEd25519())],
            trust: .firstUse(InMemoryHostKeyStore())
        )
    }
}

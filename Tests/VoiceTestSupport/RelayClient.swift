// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport
package import RiffVoice

/// Clients of a relay, with the secret of the fixtures.
package enum RelayClient {
    package static let clip = AudioClip(Array("TEXT:type this".utf8), encoding: .m4a)

    package static func make(_ http: any HTTPTransport, port: Int = 1, timing: RiffClient.Timing = .init()) throws
        -> RiffClient
    {
        RiffClient(
            server: try HTTPBaseURL("http://127.0.0.1:\(port)"),
            secret: try RiffFixtures.secret(),
            http: http,
            device: try RiffIdentifier("dev-1"),
            timing: timing,
            signature: .v1,
            wallClock: { 1_779_400_000 }
        )
    }
}

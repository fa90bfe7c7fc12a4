// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffServer
import RiffVoice
import Testing
import VoiceTestSupport

struct ServerConfigurationTests {
    static let zeros = String(repeating: "0", count: 64)

    @Test(arguments: [
        ([:], ServerError.Code.missingSecret), (["RIFF_SHARED_SECRET": " "], .missingSecret),
        (["RIFF_SHARED_SECRET": "hunter2"], .invalidSecret), (["RIFF_SHARED_SECRET": zeros], .placeholderSecret),
    ])
    func `a secret that is missing, broken or a placeholder stops the start`(
        environment: [String: String],
        code: ServerError.Code
    ) {
        let error = #expect(throws: ServerError.self) {
            _ = try ServerConfiguration.fromEnvironment(environment, exposure: .network)
        }
        #expect(error?.code == code)
        #expect(error?.recovery == .openSettings(.sharedSecret))
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test func `a placeholder is accepted on the loopback interface alone`() throws {
        let environment = ["RIFF_SHARED_SECRET": Self.zeros]
        var configuration = try ServerConfiguration.fromEnvironment(environment, exposure: .loopback)
        #expect(configuration.secret.isPlaceholder)
        configuration.exposure = .network
        #expect(throws: ServerError.self) { _ = try VoiceServer(configuration, recognizer: nil) }
    }

    @Test(arguments: [(nil, false), ("", false), ("sk-key", true)])
    func `the recognizer's key may be missing`(key: String?, isThere: Bool) throws {
        var environment = ["RIFF_SHARED_SECRET": RiffFixtures.keyHex]
        environment["ELEVENLABS_API_KEY"] = key
        let configuration = try ServerConfiguration.fromEnvironment(environment, exposure: .network)
        #expect((configuration.recognizerKey != nil) == isThere)
        #expect(!"\(configuration)".contains("sk-key"))
    }
}

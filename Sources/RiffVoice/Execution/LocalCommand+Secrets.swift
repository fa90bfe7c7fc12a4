// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTransport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension LocalCommand {
    /// The command with this process's environment, but for what looks like a secret by its name: a program that plays
    /// or decodes sound has no use for the account's keys.
    func withoutSecrets() -> LocalCommand {
        var command = self
        command.environment = SoundEnvironment.withoutSecrets(environment ?? ProcessInfo.processInfo.environment)
        return command
    }
}

/// The variables that a program of sound is started with.
package enum SoundEnvironment {
    /// Those whose names tell of no secret: `OPENAI_API_KEY` and `GITHUB_TOKEN` are left out.
    package static func withoutSecrets(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in
            // The sound server's own cookie is how its clients are let in.
            name.hasPrefix("PULSE_")
                || !name.uppercased().split(separator: "_").contains { secrets.contains(String($0)) }
        }
    }

    private static let secrets: Set<String> = [
        "KEY", "KEYS", "APIKEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASS", "PASSPHRASE",
        "CREDENTIAL", "CREDENTIALS", "AUTH", "AUTHORIZATION", "COOKIE", "COOKIES", "PAT", "BEARER", "PRIVATE",
    ]
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice
import Testing

extension InTurn {
    /// What a program of sound is told besides its arguments.
    @Suite(.timeLimit(.minutes(1)))
    struct SoundEnvironmentTests {
        @Test func `keys stay here, and what sound needs goes along`() {
            let secret = [
                "OPENAI_API_KEY", "ELEVENLABS_API_KEY", "GITHUB_TOKEN", "RIFF_SHARED_SECRET", "SSH_AUTH_SOCK",
                "DB_PASSWORD",
                "AWS_SECRET_ACCESS_KEY", "openai_api_key", "KEY", "HF_TOKEN", "NPM_CONFIG__AUTH", "GH_PAT",
            ]
            let plain = [
                "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE",
                "ALSA_CARD",
                "DBUS_SESSION_BUS_ADDRESS", "PIPEWIRE_REMOTE", "ESPEAK_DATA_PATH", "LD_LIBRARY_PATH", "DISPLAY",
                "XAUTHORITY",
                "KEYBOARD_LAYOUT", "MONKEY", "AUTHOR",
            ]
            let all = Dictionary(uniqueKeysWithValues: (secret + plain).map { ($0, "value") })
            #expect(Set(SoundEnvironment.withoutSecrets(all).keys) == Set(plain))
        }

        @Test func `a program gets the environment, and no key of it`() async throws {
            let source = CommandAudioSource(AudioCommand("env", []))
            _ = try await source.start()
            var bytes: [UInt8] = []
            for try await frames in source.frames { bytes += frames }
            await source.stop()
            let seen = String(decoding: bytes, as: UTF8.self)
            let lines = seen.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("PATH=") })
            let kept = SoundEnvironment.withoutSecrets(ProcessInfo.processInfo.environment)
            for name in ProcessInfo.processInfo.environment.keys where kept[name] == nil {
                #expect(!lines.contains { $0.hasPrefix("\(name)=") })
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    /// The whole of it against OpenSSH's own client and server, which talk over a pipe (`sshd -i`), without a port.
    @Suite(.timeLimit(.minutes(5)))
    struct OpenSSHAgreementTests {
        static let sshd = KeyTool.path(of: "sshd")
        static let ssh = KeyTool.path(of: "ssh")
        static let isReady =
            sshd != nil && ssh != nil && (geteuid() != 0 || FileManager.default.fileExists(atPath: "/run/sshd"))

        private let pin: HostPin

        init() throws {
            pin = HostPin(address: try HostAddress("mac.example", port: 2222), via: [try HostAddress("jump.example")])
        }

        @Test(.enabled(if: isReady))
        func `a made key, its authorize command and a pin work with OpenSSH, and taking each away is noticed`()
            async throws
        {
            try await KeyTool.withFolder { folder in
                let secrets = SecretFileStore(directory: "\(folder)/secrets")
                let key = try await secrets.privateKey(named: "person", comment: "o'brien's phone")
                let hostKey = try await secrets.privateKey(named: "host")
                let publicKey = try #require(key.publicKey)
                let hosts = HostKeyFile(path: "\(folder)/hosts", hashesNames: true)
                #expect(try await hosts.judge(try #require(hostKey.publicKey), for: pin) == .pinnedNow)

                let authorize = ["-c", publicKey.authorizeCommand]
                let environment = ["HOME": folder, "PATH": "/usr/bin:/bin"]
                let authorized = try await KeyTool.run("/bin/sh", authorize, in: folder, environment: environment)
                #expect(authorized.status == 0, "\(authorized.errors)")
                let config = """
                    HostKey \(folder)/secrets/host
                    AuthorizedKeysFile \(folder)/.ssh/authorized_keys
                    AuthenticationMethods publickey
                    StrictModes no
                    UsePAM no
                    PermitRootLogin yes

                    """
                try KeyTool.write(config, to: "\(folder)/sshd_config")

                let accepted = try await connect(in: folder)
                #expect(accepted.status == 0 && accepted.output == "reached\n", "\(accepted)")

                try await hosts.reset(pin)
                let unknown = try await connect(in: folder)
                #expect(unknown.status == 255 && unknown.errors.contains("Host key verification failed"), "\(unknown)")
                try await hosts.trust(publicKey, for: pin)
                let changed = try await connect(in: folder)
                #expect(changed.status == 255 && changed.errors.contains("IDENTIFICATION HAS CHANGED"), "\(changed)")

                try await hosts.reset(pin)
                try await hosts.trust(try #require(hostKey.publicKey), for: pin)
                let file = "\(folder)/.ssh/authorized_keys"
                let lines = try KeyTool.text(file).split(separator: "\n")
                let kept = try lines.filter { try SSHPublicKey(line: String($0)) != publicKey }
                try KeyTool.write(kept.joined(separator: "\n"), to: file)
                let revoked = try await connect(in: folder)
                #expect(revoked.status == 255 && revoked.errors.contains("Permission denied (publickey)"), "\(revoked)")
            }
        }

        private func connect(in folder: String) async throws -> KeyTool.Outcome {
            let options = [
                "UserKnownHostsFile=\(folder)/hosts", "GlobalKnownHostsFile=/dev/null", "HostKeyAlias=\(pin.id)",
                "StrictHostKeyChecking=yes", "IdentityFile=\(folder)/secrets/person", "IdentitiesOnly=yes",
                "IdentityAgent=none", "BatchMode=yes", "CanonicalizeHostname=no",
                "ProxyCommand=\(Self.sshd ?? "") -i -f \(folder)/sshd_config -E \(folder)/log",
            ].flatMap { ["-o", $0] }
            let arguments = ["-F", "/dev/null"] + options + ["\(NSUserName())@mac.example", "echo reached"]
            // ssh gives the proxy command to $SHELL, which need not be set.
            return try await KeyTool.run(
                Self.ssh,
                arguments,
                in: folder,
                environment: ["HOME": folder, "SHELL": "/bin/sh"]
            )
        }
    }
}

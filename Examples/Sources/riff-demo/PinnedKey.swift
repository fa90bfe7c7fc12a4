// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport

/// Step 3: the host's key was pinned at the first dial, and it is the one that the host has.
@MainActor
enum PinnedKey {
    static func show(_ site: Site, _ host: SSHHost) async throws -> (Void, String) {
        let pins = HostKeyFile(path: "\(site.home)/known_hosts")
        let pinned = try await pins.pinnedKeys(for: host.configuration.pin)
        try check(pinned.count == 1, "\(pinned.count) keys are pinned for the host.")
        let fingerprint = pinned[0].fingerprint

        let file = try ShellQuoting.quote("\(site.server.folder)/host_ed25519.pub")
        let tool = try await site.console.run("ssh-keygen -lf \(file)")
        let words = tool.text.split(separator: " ")
        try check(tool.exit?.isSuccess == true && words.count > 1, "ssh-keygen failed: \(tool.diagnosticText)")
        try check(words[1] == fingerprint, "Pinned is \(fingerprint), the host has \(words[1]).")
        return ((), "its host key is pinned: \(fingerprint), as ssh-keygen says")
    }
}

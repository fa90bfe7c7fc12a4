// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import TestSupport

/// A host whose account has a tmux configuration of its own, and a tmux server of that account.
enum PersonalHome {
    static func with(
        _ configuration: String,
        _ body: (SSHLab, TmuxServer) async throws -> Void
    ) async throws {
        try await TmuxSocketFolder.with { socket in
            let home = (socket as NSString).deletingLastPathComponent
            try configuration.write(toFile: "\(home)/.tmux.conf", atomically: true, encoding: .utf8)
            var options = ThrowawaySSHServer.Options()
            options.variables["HOME"] = home
            try await SSHLab.with(options) { try await body($0, TmuxServer(.path(socket))) }
        }
    }
}

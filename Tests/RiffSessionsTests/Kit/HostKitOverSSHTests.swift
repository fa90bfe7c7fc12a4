// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The host kit over SSH, by the account's login shell.
    @Suite(.enabled(if: ThrowawaySSHServer.isInstalled))
    struct HostKitOverSSHTests {
        // The server's own configuration cannot name every folder.
        @Test(arguments: KitHome.all.filter { SystemProgram.path($0.shell) != nil && !$0.folder.contains("\"") })
        func `a home is after the removal as it was before`(home: KitHome) async throws {
            let mounts = home.mount != .plain
            if mounts, await !ThrowawaySSHServer.canMount() { return }
            try await home.with { path, out in
                var options = ThrowawaySSHServer.Options()
                options.shell = SystemProgram.path(home.shell)
                options.variables = home.filled(path, out)
                options.variables["HOME"] = path
                let mounting = "mount -t tmpfs -o size=64k,mode=700 tmpfs \(path)"
                switch home.mount {
                case .plain: break
                case .readOnly: options.mountScript = "\(mounting) && mount -o remount,ro \(path)\n"
                case .full:
                    options.mountScript =
                        "\(mounting) || exit 1\nhead -c 100000 /dev/zero >\(path)/full 2>/dev/null\ntrue\n"
                }
                try await SSHLab.with(options) { lab in
                    let host = try lab.host()
                    try await KitTrial(home: home, path: path, out: out, host: host, sees: !mounts).run()
                }
            }
        }
    }
}

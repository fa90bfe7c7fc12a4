// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting

extension HostSetup {
    static let homesAndLocales: [HostSetup] = [
        HostSetup(
            name: "home: missing",
            home: .missing,
            outcome: .says(preflight: ["home folder", "/home, is missing"], page: ["start folder", "/home is not on"])
        ),
        HostSetup(name: "home: read-only", home: .readOnly, outcome: .works(warning: ["home folder", "written to"])),
        HostSetup(name: "home: full", home: .full),
        HostSetup(name: "home: a link", home: .link),
        HostSetup(name: "locale: C", variables: ["LC_ALL": "C"]),
        HostSetup(name: "locale: POSIX", variables: ["LANG": "POSIX"]),
        HostSetup(name: "locale: UTF-8", variables: ["LANG": "C.UTF-8"]),
        HostSetup(
            name: "locale: Latin-1, which the host does not have",
            variables: ["LC_ALL": "en_US.ISO-8859-1"],
            outcome: .works(warning: ["LC_ALL", "locale-gen"])
        ),
        HostSetup(name: "locale: Latin-1, and a shell that does not care", shell: "dash", variables: ["LANG": "de_DE"]),
    ]

    static let servers: [HostSetup] = [
        HostSetup(
            name: "sshd: ForceCommand",
            server: { $0.forceCommand = "echo only backups here" },
            outcome: .says(
                preflight: ["ForceCommand", "only backups here"],
                page: ["ForceCommand", "only backups here"]
            )
        ),
        HostSetup(
            name: "sshd: no terminals",
            server: { $0.extraLines.append("PermitTTY no") },
            outcome: .says(preflight: [], page: ["PermitTTY"])
        ),
        HostSetup(name: "sshd: no SFTP", server: { $0.sftp = nil }),
        HostSetup(name: "sshd: one session on each connection", server: { $0.maxSessions = 1 }),
        HostSetup(name: "sshd: IPv6 alone", server: { $0.listenAddress = "::1" }),
        HostSetup(
            name: "sshd: nothing but what is needed",
            server: {
                $0.extraLines += [
                    "AllowTcpForwarding no", "AllowAgentForwarding no", "X11Forwarding no", "PermitUserRC no",
                    "PermitUserEnvironment no", "Compression no", "TCPKeepAlive no",
                ]
            }
        ),
    ]
}

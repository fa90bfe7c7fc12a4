// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore

/// The needs of a server in its own mount namespace: the right to have one, and an account database to put into it.
enum MountNamespace {
    /// Whether this process may make a mount namespace (a container may have taken the right from root).
    static func isPermitted() async -> Bool {
        let mount = "mount --bind /etc/passwd /etc/passwd"
        // An error is the answer too: the program is not there.
        return (try? await SystemProgram.run("unshare", ["-m", "sh", "-c", mount]).status) == 0
    }

    /// The account database with another home folder and shell for one account; passwd(5).
    static func accounts(with name: String, home: String, shell: String) throws -> String {
        let text = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        let lines = text.split(byte: "\n").map { line in
            var fields = line.split(byte: ":", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 7, fields[0] == name else { return String(line) }
            fields[5] = home
            fields[6] = shell
            return fields.joined(separator: ":")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A password database with a password for one account and no other account; shadow(5).
    static func shadow(with name: String, password: String) async throws -> String {
        let hash = try await SystemProgram.output(of: "openssl", ["passwd", "-6", password])
        return "\(name):\(hash.prefix { !$0.isNewline }):20000:0:99999:7:::\n"
    }

    /// The rules of PAM for a login: the password, and nothing that a container may lack; pam.d(5).
    static let pamService = """
        auth required pam_unix.so nodelay
        account required pam_permit.so
        session required pam_permit.so

        """
}

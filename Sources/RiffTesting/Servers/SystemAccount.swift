// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
public import RiffCore

/// The account this process runs as: the only one a server that is not root can let in.
struct SystemAccount {
    let name: String
    let home: String
    let shell: String
    let isRoot: Bool

    /// Reads the current account from the system's account database.
    static func current() throws -> SystemAccount {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        let status = getpwuid_r(getuid(), &record, &buffer, buffer.count, &found)
        guard status == 0, found != nil, let name = record.pw_name, let home = record.pw_dir,
            let shell = record.pw_shell
        else {
            throw TestingError(.accountUnknown, "The account database has no entry for user id \(getuid()).")
        }
        return SystemAccount(
            name: String(cString: name),
            home: String(cString: home),
            shell: String(cString: shell),
            isRoot: getuid() == 0
        )
    }
}

extension TestingErrorCode {
    /// The account database does not know the user this process runs as.
    public static let accountUnknown = TestingError.Code(rawValue: "accountUnknown")
}

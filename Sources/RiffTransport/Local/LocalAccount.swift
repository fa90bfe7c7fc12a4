// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The system's facts about the account that this process runs as.
enum LocalAccount {
    /// `$SHELL`, or the account's entry in the user database, or `/bin/sh`.
    static func shell() -> String {
        variable("SHELL") ?? entry { $0.pw_shell } ?? "/bin/sh"
    }

    /// `$HOME`, or the account's entry in the user database, or `/`.
    static func home() -> String {
        variable("HOME") ?? entry { $0.pw_dir } ?? "/"
    }

    /// The account's name in the user database, or `$USER`.
    static func name() -> String {
        entry(isPath: false) { $0.pw_name } ?? ProcessInfo.processInfo.environment["USER"] ?? ""
    }

    private static func variable(_ name: String) -> String? {
        guard let value = ProcessInfo.processInfo.environment[name], value.hasPrefix(bytes: "/") else { return nil }
        return value
    }

    private static func entry(
        isPath: Bool = true,
        _ field: (passwd) -> UnsafeMutablePointer<CChar>?
    ) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            var record = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress,
                getpwuid_r(getuid(), &record, start, buffer.count, &found) == 0, found != nil,
                let text = field(record)
            else { return nil }
            let value = String(cString: text)
            return value.hasPrefix(bytes: "/") || !isPath ? value : nil
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension CoreError {
    /// A failed system call, with the system's own reason. Reads `errno`, so it must be made at once.
    package static func storeFailed(_ doing: String) -> CoreError { storeFailed(doing, SystemFailure("", code: errno)) }

    /// A failed system call, with the system's own reason.
    package static func storeFailed(_ doing: String, _ failure: SystemFailure) -> CoreError {
        CoreError(.storeFailed, "\(doing) failed: \(failure.text).")
    }

    /// Makes system calls, and says a failure as `storeFailed`.
    package static func storing<Result: ~Copyable>(
        _ doing: String,
        _ call: @autoclosure () throws(SystemFailure) -> Result
    ) throws(CoreError) -> Result {
        do throws(SystemFailure) { return try call() } catch { throw storeFailed(doing, error) }
    }
}

extension CoreErrorCode {
    /// A file of a store could not be read or written.
    public static let storeFailed = CoreError.Code(rawValue: "storeFailed")
    /// A file or folder of a store can be read or changed by others, or is another user's.
    public static let permissionsTooOpen = CoreError.Code(rawValue: "permissionsTooOpen")
}

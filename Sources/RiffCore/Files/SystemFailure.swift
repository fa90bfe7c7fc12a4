// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A call to the system that failed: its name and its `errno`.
package struct SystemFailure: Error {
    package let call: StaticString
    package let code: Int32

    /// Reads `errno`, which is only right straight after the call.
    package init(_ call: StaticString) {
        self.call = call
        code = errno
    }

    package init(_ call: StaticString, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The system's words for it.
    package var text: String {
        #if canImport(Darwin)
        // Its strerror shares one buffer between threads for codes that it does not know.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
        #else
        return String(cString: strerror(code))
        #endif
    }
}

/// Calls again for as long as a signal interrupts.
///
/// - Throws: The `errno` of a call that returned a negative number.
@discardableResult
package func retrying<Result: SignedInteger>(
    _ call: StaticString,
    _ body: () -> Result
) throws(SystemFailure) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        let failure = SystemFailure(call)
        if failure.code != EINTR { throw failure }
    }
}

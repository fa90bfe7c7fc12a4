// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import CRiffPTY

/// A call to the system that failed: its name and its `errno`.
struct SystemFailure: Error {
    let call: StaticString
    let code: Int32

    /// Reads `errno`, which is only right straight after the call.
    init(_ call: StaticString) {
        self.call = call
        code = errno
    }

    init(_ call: StaticString, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The system's words for it.
    var text: String { systemText(code) }
}

/// The system's words for an `errno` value.
func systemText(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let start = buffer.baseAddress else { return "error \(code)" }
        riff_error_text(code, start, buffer.count)
        return String(cString: start)
    }
}

/// Calls again for as long as a signal interrupts.
///
/// - Throws: The `errno` of a call that returned a negative number.
@discardableResult
func retrying<Result: SignedInteger>(
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

/// Closes a descriptor that is ours. What a failing `close` reports was the business of an earlier write or `fsync`.
func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #else
    _ = Glibc.close(descriptor)
    #endif
}

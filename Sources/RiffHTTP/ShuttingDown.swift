// Riff
// SPDX-License-Identifier: Apache-2.0

/// Runs `body` with a transport and shuts it down on every way out.
///
/// - Parameters:
///   - transport: The transport.
///   - shutdown: Ends it and returns when it is over.
///   - body: The work.
/// - Returns: The value of `body`.
/// - Throws: The error of `body`.
func shuttingDown<Transport, Value>(
    _ transport: Transport,
    by shutdown: (Transport) async -> Void,
    after body: (Transport) async throws -> Value
) async throws -> Value {
    do {
        let value = try await body(transport)
        await shutdown(transport)
        return value
    } catch {
        await shutdown(transport)
        throw error
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
public import RiffTransport

// sample: transport: some HTTPTransport
/// The contract of ``HTTPTransport`` as checks that any implementation can run, over real loopback sockets.
///
/// ```swift
/// for check in HTTPTransportConformance.checks { try await check.run(transport) }  // or as the arguments of a test
/// ```
public enum HTTPTransportConformance {
    /// One check; it throws a ``ConformanceFailure`` that says what was seen.
    public struct Check: Sendable, CustomStringConvertible {
        /// What is checked, as a sentence.
        public let description: String
        /// The capabilities that a transport must have for the check.
        public let needs: HTTPCapabilities
        private let body: @Sendable (any HTTPTransport) async throws -> Void

        init(
            _ description: String,
            needs: HTTPCapabilities = [],
            _ body: @escaping @Sendable (any HTTPTransport) async throws -> Void
        ) {
            self.description = description
            self.needs = needs
            self.body = body
        }

        /// Runs the check; every one ends within 50 seconds (times `RIFF_TEST_PATIENCE`).
        ///
        /// - Parameter transport: What is checked; it may be shared by all checks.
        /// - Throws: ``ConformanceFailure``.
        public func run(_ transport: any HTTPTransport) async throws {
            let (name, body) = (description, body)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await body(transport)
                    } catch let failure as ConformanceFailure {
                        throw ConformanceFailure(check: name, message: failure.message)
                    } catch {
                        throw ConformanceFailure(check: name, message: "It threw \(error).")
                    }
                }
                group.addTask {
                    try await ContinuousClock().sleep(for: .seconds(50).patient)
                    throw ConformanceFailure(check: name, message: "It did not end.")
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// All checks.
    public static let checks = exchanges + failures + deadlines + cancellation + backPressure

    /// The checks for a transport that declares what it can do.
    ///
    /// - Parameter capabilities: What it can do.
    /// - Returns: The checks that need no more.
    public static func checks(for capabilities: HTTPCapabilities) -> [Check] {
        checks.filter { $0.needs.isSubset(of: capabilities) }
    }

    // MARK: For the checks

    /// The meaning of "at once" on a machine that is busy with other things: a fraction of the deadline that is not
    /// waited for, which is 40 s wherever this is compared.
    static let atOnce = Duration.seconds(10)

    static func request(
        _ server: RawHTTPServer,
        _ method: HTTPRequest.Method = .get,
        path: String = "/"
    ) -> HTTPRequest {
        request(port: server.port, method, path: path)
    }

    static func request(port: Int, _ method: HTTPRequest.Method = .get, path: String = "/") -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
    }

    static func expect(_ condition: Bool, _ description: @autoclosure () -> String) throws {
        if !condition { throw ConformanceFailure(check: "", message: description()) }
    }

    /// Runs what must fail with a code, and returns the error.
    @discardableResult
    static func expect(
        _ code: TransportError.Code,
        of what: String = "it",
        _ body: () async throws -> Void
    ) async throws -> TransportError {
        do {
            try await body()
        } catch let error as TransportError where error.code == code {
            return error
        } catch {
            throw ConformanceFailure(check: "", message: "Expected \(code.rawValue) of \(what), got \(error).")
        }
        throw ConformanceFailure(check: "", message: "Expected \(code.rawValue), but \(what) succeeded.")
    }

    /// Runs something in a task of its own, cancels it when `ready` returned, and expects `CancellationError`.
    static func expectCancellation(
        of body: @escaping @Sendable () async throws -> Void,
        when ready: () async throws -> Void
    ) async throws {
        let task = Task { try await body() }
        do {
            try await ready()
        } catch {
            task.cancel()
            throw error
        }
        let start = ContinuousClock.now
        task.cancel()
        switch await task.result {
        case .success: throw ConformanceFailure(check: "", message: "The cancelled task succeeded.")
        case .failure(let error):
            try expect(error is CancellationError, "Expected CancellationError, got \(error).")
        }
        let span = ContinuousClock.now - start
        try expect(span < atOnce, "Cancelling took \(span).")
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// A rule of a seam that an implementation does not keep.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The check, by the name of its function.
    public let check: String
    /// The message with the expected and the actual result.
    public let message: String

    /// A failure of a check.
    public init(check: String, message: String) {
        self.check = check
        self.message = message
    }

    /// The check and the message.
    public var description: String { "\(check): \(message)" }
}

/// One check of a suite, by name: to run them one by one, as arguments of a parameterised test.
public struct ConformanceCheck<Suite: Sendable>: Sendable, CustomStringConvertible {
    /// The name of the function.
    public let name: String
    /// Runs it on a suite; throws ``ConformanceFailure``.
    public let run: @Sendable (Suite) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Suite) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The name of the check.
    public var description: String { name }
}

/// The error that a check's body throws if a rule is not kept.
struct Violation: Error {
    let message: String
}

/// Throws what was expected where it is not so.
func expect(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw Violation(message: message()) }
}

/// Throws unless the body throws `TransportError` with this code.
func expect(_ code: TransportError.Code, _ what: String, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as TransportError where error.code == code {
        return
    } catch {
        throw Violation(message: "\(what) must throw \(code.rawValue), and threw \(error)")
    }
    throw Violation(message: "\(what) must throw \(code.rawValue), and threw nothing")
}

/// Throws unless the body throws an error of ours, or of a cancellation.
func refuses(_ what: String, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch is any RiffError {
        return
    } catch is CancellationError {
        return
    }
    throw Violation(message: "\(what) must throw, and did not")
}

/// Runs a check's body; one that hangs, whatever it hangs in, is a failure too, and is then left behind cancelled.
func bounded(
    _ check: String,
    by limit: Duration,
    _ body: @escaping @Sendable () async throws -> Void
) async throws {
    let deadline = limit.patient
    let outcome = EventualValue<Result<Void, any Error>>()
    let work = Task {
        do {
            try await body()
            outcome.resolve(.success(()))
        } catch {
            outcome.resolve(.failure(error))
        }
    }
    let timer = Task {
        try await ContinuousClock().sleep(for: deadline)
        outcome.resolve(.failure(Violation(message: "it did not end within \(deadline)")))
    }
    let result = await outcome.value()
    timer.cancel()
    work.cancel()
    do {
        try result.get()
    } catch {
        let message = (error as? Violation)?.message ?? "it threw \(error)"
        throw ConformanceFailure(check: check, message: message)
    }
}

/// Gives a suspended call of the code under test time to be where it is to be disturbed. A check that comes too early
/// still passes on right code; it only tries less.
func settle() async throws { try await ContinuousClock().sleep(for: .milliseconds(200)) }

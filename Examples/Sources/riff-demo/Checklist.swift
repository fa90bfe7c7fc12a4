// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore

/// What went wrong in a step, for the line that says so.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A step that this machine cannot show, and why; the demo goes on without it.
struct NotShown: Error {
    let reason: String
}

/// Prints one line a step.
@MainActor
final class Checklist {
    private let total: Int
    private var number = 0
    /// Whether a step was not shown.
    private(set) var hasGap = false

    init(total: Int) { self.total = total }

    /// Runs a step and prints what was checked in it.
    ///
    /// - Parameters:
    ///   - title: What it is about, for a failure's line.
    ///   - body: Does it; returns its result and the fact that was checked.
    /// - Returns: The step's result; `nil` where it could not be shown.
    /// - Throws: What `body` threw, after its line was printed.
    @discardableResult
    func step<Value>(_ title: String, _ body: () async throws -> (Value, String)) async throws -> Value? {
        number += 1
        do {
            try Task.checkCancellation()
            let (value, fact) = try await body()
            line("ok", fact)
            return value
        } catch let error as NotShown {
            hasGap = true
            line("NOT SHOWN", "\(title): \(error.reason)")
            return nil
        } catch is CancellationError where Task.isCancelled {
            line("stopped", title)
            throw CancellationError()
        } catch {
            line("FAILED", "\(title): \(error)")
            throw error
        }
    }

    private func line(_ mark: String, _ text: String) { Console.print("[\(number)/\(total)] \(mark)  \(text)") }
}

/// Standard output and standard error, a line at a time and at once, also into a pipe.
enum Console {
    static func print(_ line: String) { Printing.write("\(lines: line)\n") }

    /// Writes a text to a file.
    static func save(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    /// What is not a result: progress, and what a failure needs to be understood.
    static func note(_ line: String) { Printing.write("       \(lines: line)\n", to: .errors) }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore

/// A call of libssh2's that can be left waiting inside one of its callbacks: libssh2 asks for answers in a callback and
/// takes them as its result, and a person takes a while.
///
/// The call runs on a thread of its own. Whoever resumes it waits until it returned or asks, as long as the call itself
/// would take, which never waits for the network; only one of the two threads runs at any time, so that all the session
/// has is used by one at a time. While it asks, the session must be left alone.
// `@unchecked`: every property but the constant `call` is read and written with `condition` locked, and `call`, which
// uses the session, runs only between the `resume` that lets it and the return of that `resume`.
final class LibSSH2Fiber: @unchecked Sendable {
    /// Why the thread stopped.
    enum Stop {
        case returned(Int32)
        case asks(LibSSH2LoginWatch.Request)
    }

    private enum State {
        case new
        case runs
        case stopped
        case over
    }

    private let call: () -> Int32
    private let condition = NSCondition()
    private var state = State.new
    private var stop = Stop.returned(0)
    private var answers: [Secret]?
    private var mustEnd = false
    private var isAsking = false

    /// - Parameter call: Called again each time that it returned and is resumed.
    init(_ call: @escaping () -> Int32) { self.call = call }

    /// Whether it waits for answers.
    var asks: Bool { condition.withLock { isAsking } }

    /// Runs it on until it stops.
    ///
    /// - Parameter answers: The answers to what it asks; `nil` gives the question up.
    /// - Returns: Why it stopped.
    func resume(answers: [Secret]? = nil) -> Stop {
        condition.lock()
        defer { condition.unlock() }
        if case .over = state { return stop }
        self.answers = answers
        let isNew = if case .new = state { true } else { false }
        state = .runs
        if isNew {
            Thread.detachNewThread { [self] in run() }
        } else {
            condition.broadcast()
        }
        while case .runs = state { condition.wait() }
        return stop
    }

    /// Ends the thread; a question is given up first.
    func end() {
        if asks { _ = resume(answers: nil) }
        condition.lock()
        mustEnd = true
        state = .over
        condition.broadcast()
        condition.unlock()
    }

    // MARK: On its thread

    /// Asks, and waits for the answers.
    ///
    /// - Returns: The answers; `nil` where there are none.
    func ask(_ request: LibSSH2LoginWatch.Request) -> [Secret]? {
        condition.lock()
        defer { condition.unlock() }
        stop = .asks(request)
        isAsking = true
        state = .stopped
        condition.broadcast()
        while case .stopped = state { condition.wait() }
        isAsking = false
        defer { answers = nil }
        return answers
    }

    private func run() {
        while true {
            let code = call()
            condition.lock()
            stop = .returned(code)
            state = .stopped
            condition.broadcast()
            while case .stopped = state { condition.wait() }
            let isOver = mustEnd
            condition.unlock()
            if isOver { return }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

// sample: home: HermesHome
/// One part of a Hermes home or database that a view follows: a question, the last good answer and its state.
///
/// ```swift
/// let skills = home.skills.live()
/// await skills.show("git")
/// for await answer in skills.updates() { show(answer.value?.categories ?? [], answer.problem) }
/// ```
///
/// Commands stand beside the data that they change: jobs are switched on and off, skills are installed. A command
/// returns when its outcome is in ``current``; it never throws, and what went wrong is the answer's problem until the
/// next command or refresh. One that has to wait for what is being read or written takes its turn; if its task is
/// cancelled before, it is given up.
public struct HermesLive<Question: Sendable & Hashable, Value: Sendable>: Sendable {
    private let runner: any LiveRunner<Question, Value>

    package init(_ runner: any LiveRunner<Question, Value>) { self.runner = runner }

    /// The answer as it is now.
    public var current: HermesAnswer<Question, Value> { runner.source.current }

    /// The answer as it is now, then each change; a slow reader misses some of them, never the newest. The sequence
    /// ends with the reading task; that of a database ends with ``HermesLiveDatabase/run()``, too.
    public func updates() -> AsyncStream<HermesAnswer<Question, Value>> { runner.source.updates() }

    /// Shows the answer to a question. The same question again keeps its answer.
    ///
    /// A database's answer is read again whenever the database changes. A home's files are read when they are shown
    /// first and after a pause; the call returns when they are.
    public func show(_ question: Question) async { await runner.show(question) }

    /// Stops refreshing. The last answer stays available; ``show(_:)`` resumes.
    public func pause() async { await runner.pause() }

    /// Reads more of a long answer; does nothing if there is no more.
    public func more() async { await runner.more() }

    /// Reads the answer again at once, whether or not it has changed.
    public func refresh() async { await runner.refresh() }

    /// Gives an event to the machine of this answer.
    package func send<Machine: HomeMachine>(_ event: Machine.Event, to _: Machine.Type) async
    where Machine.Question == Question, Machine.Value == Value {
        guard let runner = runner as? MachineRunner<Machine> else {
            preconditionFailure("\(Value.self) is made by \(Machine.self) alone.")
        }
        await runner.send(event)
    }
}

extension HermesLive where Question == Never {
    /// Shows the data, which is read when it is shown first and after a pause. Returns when it is.
    public func show() async { await runner.show(nil) }
}

/// The part behind a ``HermesLive`` that reads and holds the answer.
package protocol LiveRunner<Question, Value>: Actor {
    associatedtype Question: Sendable & Hashable
    associatedtype Value: Sendable

    nonisolated var source: StateSource<HermesAnswer<Question, Value>> { get }

    /// Shows the answer to a question; `nil` for data that has none.
    func show(_ question: Question?) async
    func pause() async
    func more() async
    func refresh() async
}

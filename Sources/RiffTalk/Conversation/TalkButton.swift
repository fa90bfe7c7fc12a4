// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

// sample: dictation: Dictation, conversation: Conversation
/// The one button of a voice: a tap dictates, and holding it begins a hands-free conversation.
///
/// ```swift
/// let button = TalkButton {
///     await dictation.toggle()
/// } onHold: {
///     await conversation.start()  // the same call as a phrase's or a link's
/// }
/// await button.press()            // the finger goes down
/// await button.release()          // and up again
/// ```
public actor TalkButton {
    private let clock: any Clock<Duration>
    private let hold: Duration
    private let onTap: @Sendable () async -> Void
    private let onHold: @Sendable () async -> Void
    private let tasks = OwnedTasks()
    private var machine = TalkButtonMachine()
    private var wait: Task<Void, Never>?

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - hold: How long it is held for a conversation; 0.5 s unless said otherwise.
    ///   - clock: Measures that time.
    ///   - onTap: Runs when it is released before that.
    ///   - onHold: Runs once it was held for that time, while the finger is still down.
    public init(
        hold: Duration = .milliseconds(500),
        clock: any Clock<Duration> = ContinuousClock(),
        onTap: @escaping @Sendable () async -> Void,
        onHold: @escaping @Sendable () async -> Void
    ) {
        self.hold = hold
        self.clock = clock
        self.onTap = onTap
        self.onHold = onHold
    }

    /// The finger goes down. A second press before the release does nothing.
    public func press() async { await perform(machine.handle(.pressed)) }

    /// The finger goes up; returns when a tap's work has been handed on.
    public func release() async { await perform(machine.handle(.released)) }

    /// The finger left the button, or the system took the gesture: it was neither.
    public func cancel() async { await perform(machine.handle(.cancelled)) }

    private func perform(_ effect: TalkButtonMachine.Effect?) async {
        switch effect {
        case .wait(let press):
            wait = tasks.run { [weak self, clock, hold] in
                // Cancellation is the only error of a clock's sleep.
                guard (try? await clock.sleep(for: hold)) != nil else { return }
                await self?.timeIsOver(press)
            }
        case .tap:
            wait?.cancel()
            await onTap()
        case .hold: await onHold()
        case .forget: wait?.cancel()
        case nil: break
        }
    }

    private func timeIsOver(_ press: Int) async { await perform(machine.handle(.held(press: press))) }
}

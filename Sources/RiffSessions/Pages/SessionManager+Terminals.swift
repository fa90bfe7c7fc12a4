// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport
internal import Synchronization

/// A page's terminal, and what keeps it going.
struct PageTerminal: Sendable {
    let session: TerminalSession
    /// Which of the page's terminals it is: news of one that was left is dropped.
    let number: UInt64
    let sizes: AsyncStream<TerminalSize>.Continuation
    let task: Task<Void, Never>?

    /// Whether it is being connected.
    var isUnderWay: Bool {
        switch session.current {
        case .opening, .reconnecting: true
        case .open, .ended: false
        }
    }
}

extension SessionManager: GuardedTyping {
    package nonisolated func typeSpoken(
        _ text: String,
        submit: Bool,
        allowedBy allow: @escaping @Sendable (PaneLook?, SpokenInput) async throws -> Void
    ) async throws {
        try await target().typeSpoken(text, submit: submit, allowedBy: allow)
    }
}

extension SessionManager {
    // MARK: What a person does

    /// Turns to a session's page: keys go to it when this returns. A page whose terminal is over gets another one. A
    /// name without a page changes nothing.
    public func activate(_ name: SessionName) { respond(to: .activated(name)) }

    /// Turns to the page at a place, or to the nearest one.
    public func activate(at index: Int) { activate(machine.list.name(at: index)) }

    /// Suspends until a session's page takes keys.
    ///
    /// - Parameter name: The session; whichever is active where `nil`.
    /// - Throws: Why its terminal is over, where that is known, or `closed`; `closed`, too, where it has no page (any
    ///   more) or the manager has ended; `CancellationError`.
    public nonisolated func waitUntilOpen(_ name: SessionName? = nil) async throws {
        for await snapshot in updates() {
            guard let page = name.map({ snapshot.page($0) }) ?? snapshot.active else { break }
            switch page.state {
            case .open: return
            case .ended: throw page.problem ?? TransportError(.closed, "The session \(page.name) is over.")
            case .opening, .reconnecting, nil: continue
            }
        }
        try Task.checkCancellation()
        throw TransportError(.closed, "There is no session \(name?.rawValue ?? "any more") to wait for.")
    }

    /// Sends keys to the active page as they are.
    ///
    /// - Throws: As ``TerminalSession/write(_:)``; `notConnected`, too, where the page is not attached.
    public nonisolated func write(_ bytes: [UInt8]) async throws { try await target().write(bytes) }

    /// Sends keys to the active page without waiting, in the order of the calls; see
    /// ``TerminalSession/write(_:onFailure:)``.
    ///
    /// - Parameters:
    ///   - bytes: Whole keys.
    ///   - onFailure: Called at most once, on any thread, if the keys were not sent; also with `notConnected` where the
    ///     page is not attached.
    public nonisolated func write(_ bytes: [UInt8], onFailure: @escaping @Sendable (any Error) -> Void) {
        do { try target().write(bytes, onFailure: onFailure) } catch { onFailure(error) }
    }

    /// Types a text that a person spoke or wrote elsewhere into the active page; see
    /// ``TerminalSession/type(_:submit:)``. A Return that follows goes to the same page, wherever the person turns
    /// meanwhile.
    public nonisolated func type(_ text: String, submit: Bool = false) async throws {
        try await target().type(text, submit: submit)
    }

    /// Submits a prompt to the active page; see ``TerminalSession/submit(_:anyway:within:)``. All of it goes to the
    /// same page, wherever the person turns meanwhile.
    ///
    /// - Returns: The result; a refusal is one.
    public nonisolated func submit(
        _ text: String,
        anyway: Bool = false,
        within limit: Duration = .seconds(10)
    ) async throws -> SubmitResult {
        try await target().submit(text, anyway: anyway, within: limit)
    }

    /// Sets the gate that is asked before each Return that Riff presses in a session, in all terminals that its page
    /// gets; see ``TerminalSession/setSubmitGate(_:)``.
    ///
    /// - Parameters:
    ///   - gate: The gate; `nil` for none.
    ///   - name: The session; it need not have a page yet.
    public nonisolated func setSubmitGate(_ gate: (any SubmitGate)?, for name: SessionName) {
        route.withLock { route in
            route.gates[name] = gate
            route.terminals[name]?.setSubmitGate(gate)
        }
    }

    /// Tells every page's program a new size, those that are attached later included. A size that is not usable, such
    /// as that of a view without a layout, is ignored.
    public func resize(to size: TerminalSize) {
        guard size.isUsable, size != self.size else { return }
        self.size = size
        for terminal in terminals.values { terminal.sizes.yield(size) }
    }

    private nonisolated func target() throws -> TerminalSession {
        try route.withLock { route in
            guard let terminal = route.terminals[route.active] else {
                let message = "The session \(route.active) is not connected at the moment; nothing was sent."
                throw TransportError(.notConnected, message, recovery: .retry)
            }
            // Whoever types has found their page, and is not taken away from it.
            route.hasTyped = true
            return terminal
        }
    }

    // MARK: What the machine wants

    func attach(_ name: SessionName) {
        detach(name)
        let session: TerminalSession
        do {
            session = try host.terminal(on: name, size: size)
        } catch {
            refusals[name] = error.asRiffError
            return respond(to: .ended(name, .lost(isRetryable: false)))
        }
        nextNumber += 1
        let number = nextNumber
        // Only the newest size counts.
        let (sizes, entry) = AsyncStream<TerminalSize>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = tasks.run { [weak self] in
            await Self.keep(session, at: sizes) { [weak self] state in await self?.changed(name, number, to: state) }
        }
        terminals[name] = PageTerminal(session: session, number: number, sizes: entry, task: task)
        // Under the lock, so that a gate that is set meanwhile is not undone.
        route.withLock { session.setSubmitGate($0.gates[name]) }
    }

    func detach(_ name: SessionName) {
        refusals[name] = nil
        guard let terminal = terminals.removeValue(forKey: name) else { return }
        terminal.session.retire()
        terminal.sizes.finish()
        // Its task closes it, and is waited for at the end.
        terminal.task?.cancel()
    }

    /// Opens a terminal and follows it to its end, or closes it when cancelled.
    private static func keep(
        _ session: TerminalSession,
        at sizes: AsyncStream<TerminalSize>,
        _ report: @escaping @Sendable (TerminalSessionState) async -> Void
    ) async {
        await withTaskGroup { group in
            // What goes wrong is the terminal's end, which its states tell.
            group.addTask { try? await session.open() }
            group.addTask { for await size in sizes { try? await session.resize(to: size) } }
            for await state in session.updates() { await report(state) }
            group.cancelAll()
        }
        await session.close()
    }

    func changed(_ name: SessionName, _ number: UInt64, to state: TerminalSessionState) {
        guard terminals[name]?.number == number else { return }
        switch state {
        case .open: respond(to: .opened(name))
        case .ended where closing.contains(name): publish()
        case .ended(let closure): respond(to: .ended(name, Self.end(closure)))
        case .opening, .reconnecting: publish()
        }
    }

    private static func end(_ closure: TerminalClosure) -> SessionsMachine.End {
        if closure.reason == .exited { return .exited }
        return .lost(isRetryable: closure.error.map { HostLink.isRetryable($0) } ?? false)
    }
}

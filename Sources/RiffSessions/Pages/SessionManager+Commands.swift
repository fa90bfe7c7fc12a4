// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SessionManager {
    /// Makes a new session and turns to it. It is always a new one: a name that somebody else was faster to take is
    /// passed over, never attached to.
    ///
    /// - Parameter spec: What the person chose; `nil` for the defaults.
    /// - Returns: Its name: the lowest `riff-2`, `riff-3`, ... that is free on the host and among the pages. Its page
    ///   is there, and being attached.
    /// - Throws: `CoreError` with `tooManySessions` or `sessionNamesTaken`; a ``RiffError`` that says why the host
    ///   could not do it; `closed` after ``shutdown()``; `CancellationError`, and then it may have been made all the
    ///   same.
    @discardableResult
    public func create(_ spec: NewSessionSpec? = nil) async throws -> SessionName {
        try await perform { [self] in try await commands.take { [self] in try await make(spec) } }
    }

    /// Ends a session and what runs in it, on the host, and takes its page away. When it was the active one, the page
    /// to its left is active then; when it was the last one, the base session is made anew.
    ///
    /// - Parameter name: The session; the active one where `nil`. A name without a page changes nothing.
    /// - Throws: A ``RiffError`` that says why the host could not do it, and then the page stays; `closed` after
    ///   ``shutdown()``; `CancellationError`.
    public func close(_ name: SessionName? = nil) async throws {
        let name = name ?? machine.list.active
        try await perform { [self] in try await commands.take { [self] in try await end(name) } }
    }

    private func make(_ spec: NewSessionSpec?) async throws -> SessionName {
        // Another surface, or another process, may have changed them. What cannot be read is as it was.
        do { try await settings?.refresh() } catch { problem = error.asRiffError }
        var creation = try SessionCreation(memory: machine.list.names, limit: configuration.softCap)
        var listed: [SessionName]?
        do {
            listed = try await host.sessions().map(\.name)
        } catch let error as any RiffError {
            // The pages decide then, and the server refuses a name that is taken all the same.
            problem = error
        }
        var name = try creation.firstName(server: listed)
        do {
            while try await host.make(name, spec, size: size) == .nameTaken {
                name = try creation.nextName(afterDuplicate: name)
            }
        } catch {
            respond(to: .doubted)
            throw error
        }
        respond(to: .created(name))
        return name
    }

    private func end(_ name: SessionName) async throws {
        guard machine.list.contains(name) else { return }
        closing.insert(name)
        do {
            try await host.end(name)
        } catch {
            closing.remove(name)
            // The terminal may have ended meanwhile, which was kept quiet.
            if let terminal = terminals[name] { changed(name, terminal.number, to: terminal.session.current) }
            respond(to: .doubted)
            throw error
        }
        closing.remove(name)
        respond(to: .closed(name))
        tidy(after: name)
    }

    /// Clears up in the background: one session after another, so that it takes one channel, and for no more sessions
    /// than make a line that is worth its wait.
    private func tidy(after name: SessionName) {
        guard untidied.count < 64 else { return }
        untidied.append(name)
        guard untidied.count == 1 else { return }
        tasks.run { [weak self, host] in
            while let name = await self?.untidied.first, !Task.isCancelled {
                await host.tidy(after: name)
                await self?.tidied()
            }
        }
    }

    private func tidied() { untidied.removeFirst() }

    // MARK: Lists

    func probe(after delay: Duration) {
        tasks.run { [weak self, clock] in
            // Cancellation is the only error of a clock's sleep.
            if delay > .zero { guard (try? await clock.sleep(for: delay)) != nil else { return } }
            await self?.list()
        }
    }

    private func list() async {
        do {
            try await commands.take { [self] in
                let live = try await host.sessions()
                await listed(live)
            }
        } catch is CancellationError {
            // The manager is over.
        } catch {
            problem = error.asRiffError
            if let error = error as? CoreError, Self.nothingRuns.contains(error.code) { leaveUnlisted(because: error) }
            respond(to: .listFailed)
        }
    }

    /// The codes of errors by which no command comes to run on the host.
    private static let nothingRuns: Set<CoreError.Code> = [
        .loginShellExits, .loginShellReplaced, .commandReplaced, .unsupportedShell,
    ]

    /// Leaves the pages whose session the host has never told: what they show is something else, such as a tmux of the
    /// person's own that a login file starts.
    private func leaveUnlisted(because problem: CoreError) {
        for page in machine.list.pages where page.identity == nil {
            guard terminals[page.name]?.session.current.isOpen == true else { continue }
            detach(page.name)
            refusals[page.name] = problem
            respond(to: .ended(page.name, .lost(isRetryable: false)))
        }
    }

    private func listed(_ live: [LiveSession]) {
        problem = nil
        respond(to: .listed(live))
        for page in machine.list.pages {
            if let identity = page.identity { terminals[page.name]?.session.learn(identity) }
        }
    }
}

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
internal import RiffCore
internal import Synchronization

/// The loop's side of a child.
extension LocalChild: LocalIOMember {
    /// The most bytes that are read after the program's end: more than a pipe or a terminal can hold by default, and a
    /// bound for a process left behind that keeps writing.
    private static let lastBytes = 1 << 20

    func appendInterests(to list: inout [pollfd]) {
        state.withLock { state in
            if state.exit >= 0 { list.append(pollfd(fd: state.exit, events: Int16(POLLIN), revents: 0)) }
            refill(&state)
            let wantsOutput = state.output >= 0 && (state.isClosing || !output.isPaused)
            if isTerminal {
                // Left out while neither is wanted: a hang-up is told again and again, asked for or not.
                var events: Int32 = wantsOutput ? Int32(POLLIN) : 0
                if !state.unsent.isEmpty { events |= Int32(POLLOUT) }
                if events != 0, state.output >= 0 {
                    list.append(pollfd(fd: state.output, events: Int16(events), revents: 0))
                }
                return
            }
            if state.input >= 0 {
                // With no events asked for it still tells that the reader is gone.
                let events = state.unsent.isEmpty ? 0 : Int16(POLLOUT)
                list.append(pollfd(fd: state.input, events: events, revents: 0))
            }
            if wantsOutput { list.append(pollfd(fd: state.output, events: Int16(POLLIN), revents: 0)) }
            let mayWait = diagnosticsPolicy == .backPressure && !state.isClosing
            if state.diagnostics >= 0, !mayWait || !diagnostics.isPaused {
                list.append(pollfd(fd: state.diagnostics, events: Int16(POLLIN), revents: 0))
            }
        }
    }

    func handle(_ ready: ArraySlice<pollfd>, scratch: UnsafeMutableRawBufferPointer) -> Bool {
        let end: End? = state.withLock { state in
            for entry in ready where entry.revents != 0 {
                if entry.fd == state.exit { noteExit(&state, scratch) }
                if entry.fd == state.input, entry.revents & Int16(POLLOUT | POLLERR | POLLHUP) != 0 {
                    send(&state, isBroken: !isTerminal && entry.revents & Int16(POLLERR) != 0)
                }
                if entry.fd == state.output, entry.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 {
                    // What is read is not in the pipe any more, where it would hold the program back.
                    let room = scratch[..<min(scratch.count, output.highWater)]
                    read(&state.output, into: output, UnsafeMutableRawBufferPointer(rebasing: room))
                }
                if entry.fd == state.diagnostics { read(&state.diagnostics, into: diagnostics, scratch) }
            }
            if state.isClosing { hangUp(&state) }
            if state.hasExited, isTerminal || state.isClosing { cut(&state, scratch) }
            if isTerminal, state.output < 0 { closeInput(&state) }
            guard state.hasExited, state.output < 0, state.diagnostics < 0 else { return nil }
            closeInput(&state)
            reap(&state)
            return End(exit: state.exitStatus, wasClosed: state.wasClosed)
        }
        guard let end else { return true }
        finish(end)
        return false
    }

    // MARK: Writing

    /// Takes the next bytes to write, or hands on the end of input.
    private func refill(_ state: inout State) {
        guard state.unsent.isEmpty, state.input >= 0 else { return }
        switch input.take() {
        case .bytes(let bytes): state.unsent = bytes[...]
        case .empty: break
        case .ended: if !isTerminal { closeInput(&state) }
        }
    }

    private func send(_ state: inout State, isBroken: Bool) {
        guard !isBroken else { return closeInput(&state) }
        guard !state.unsent.isEmpty else { return }
        let count = state.unsent.withUnsafeBytes { bytes in write(state.input, bytes.baseAddress, bytes.count) }
        if count >= 0 {
            state.unsent.removeFirst(count)
        } else if errno != EAGAIN, errno != EINTR {
            // EPIPE: the program closed its input. A terminal's end shows in its output.
            if isTerminal { state.unsent = [] } else { closeInput(&state) }
        }
    }

    private func closeInput(_ state: inout State) {
        input.finish(
            throwing: TransportError(.closed, "\(name) takes no more input: it ended, or its input was closed.")
        )
        state.unsent = []
        // A terminal has one descriptor for both ways, closed with its output.
        if state.input >= 0, !isTerminal { closeDescriptor(state.input) }
        state.input = -1
    }

    /// The first step of closing, once: no more input, then the signal that asks the program to end.
    private func hangUp(_ state: inout State) {
        guard !state.wasHungUp else { return }
        state.wasHungUp = true
        closeInput(&state)
        if isTerminal { close(&state.output, output) }
        if !state.isReaped { killpg(processID, isTerminal ? SIGHUP : SIGINT) }
    }

    // MARK: Reading

    private enum Reading { case more, drained, ended }

    /// Reads what is there, at most one scratch buffer full.
    @discardableResult
    private func read(
        _ descriptor: inout Int32,
        into pipe: BytePipe,
        _ scratch: UnsafeMutableRawBufferPointer
    ) -> Reading {
        var filled = 0
        var reading = Reading.more
        while filled < scratch.count {
            // A terminal gives at most 4 KiB a call; joined here, so that a flood costs few wake-ups.
            let rest = UnsafeMutableRawBufferPointer(rebasing: scratch[filled...])
            #if canImport(Darwin)
            let count = Darwin.read(descriptor, rest.baseAddress, rest.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, rest.baseAddress, rest.count)
            #else
            let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
            #endif
            if count > 0 {
                filled += count
                continue
            }
            let code = errno
            if count < 0, code == EINTR { continue }
            // On Linux the end of a terminal's output is EIO; on macOS it is 0, as on a pipe.
            reading = count < 0 && code == EAGAIN ? .drained : .ended
            break
        }
        if filled > 0 { deliver(Array(scratch[..<filled]), into: pipe) }
        if reading == .ended { close(&descriptor, pipe) }
        return reading
    }

    private func deliver(_ bytes: [UInt8], into pipe: BytePipe) {
        if pipe === diagnostics, diagnosticsPolicy == .dropsOldest {
            pipe.offerDroppingOldest(bytes)
        } else {
            pipe.offer(bytes)
        }
    }

    private func close(_ descriptor: inout Int32, _ pipe: BytePipe, throwing failure: TransportError? = nil) {
        pipe.finish(throwing: failure)
        if descriptor >= 0 { closeDescriptor(descriptor) }
        descriptor = -1
    }

    /// Reads what the kernel holds now, whatever the back-pressure says; at the end of output this closes, too.
    private func drain(_ descriptor: inout Int32, into pipe: BytePipe, _ scratch: UnsafeMutableRawBufferPointer) {
        var budget = Self.lastBytes
        while descriptor >= 0, budget > 0, read(&descriptor, into: pipe, scratch) == .more { budget -= scratch.count }
    }

    /// Closes what a process left behind still holds open: for a terminal whose program has ended, and for a child that
    /// is being closed. On pipes this must not look like an end.
    private func cut(_ state: inout State, _ scratch: UnsafeMutableRawBufferPointer) {
        drain(&state.output, into: output, scratch)
        drain(&state.diagnostics, into: diagnostics, scratch)
        let failure = TransportError(.closed, "The channel to \(name) was closed before its output ended.")
        if state.output >= 0 { close(&state.output, output, throwing: failure) }
        if state.diagnostics >= 0 { close(&state.diagnostics, diagnostics, throwing: failure) }
    }

    // MARK: The end

    private func noteExit(_ state: inout State, _ scratch: UnsafeMutableRawBufferPointer) {
        var status: Int32 = 0
        var signaled: Int32 = 0
        let result = riff_child_status(processID, 0, &status, &signaled)
        guard result != 0 else { return }
        // Below 0: somebody else in this process reaped it, and its status is lost.
        if result > 0 { state.exitStatus = signaled == 1 ? .signaled(signalName(status)) : .exited(status) }
        if result < 0 { state.isReaped = true }
        closeDescriptor(state.exit)
        state.exit = -1
        state.hasExited = true
        // So that a child whose output nobody reads is released all the same.
        drain(&state.output, into: output, scratch)
        drain(&state.diagnostics, into: diagnostics, scratch)
        exited.resolve(state.exitStatus)
    }

    private func reap(_ state: inout State) {
        guard !state.isReaped else { return }
        // The leader is gone: in a child that is being closed nobody of its group survives it.
        if state.isClosing { killpg(processID, SIGKILL) }
        var status: Int32 = 0
        var signaled: Int32 = 0
        _ = riff_child_status(processID, 1, &status, &signaled)
        state.isReaped = true
    }
}

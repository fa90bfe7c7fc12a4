// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The dial of the connection that carries forwards, shared by all who wait for it.
struct HostLinkForwarding: Sendable {
    let task: Task<Void, Never>
    let outcome: EventualValue<Void>
}

extension HostLink {
    /// Opens a connection from the host to a target.
    ///
    /// - Parameters:
    ///   - target: The target, as the host sees it.
    ///   - dials: Whether a link that nobody wants any more is dialed for it.
    ///   - hooks: Told of the channel's pipes.
    ///   - limit: The time that the host has for its answer.
    /// - Returns: The open channel.
    /// - Throws: `forwardingProhibited`, `forwardingFailed`, `channelRefused`, `timeout`, the reason that the host
    ///   cannot be reached; `CancellationError`.
    func open(
        _ target: SSHTunnelTarget,
        dials: Bool,
        hooks: SSHTunnelHooks?,
        within limit: Duration
    ) async throws -> SSHChannelHandle {
        if dials { handle(.wanted) }
        var attempts = 0
        while true {
            attempts += 1
            try await waitUntilConnected()
            guard let slot = try await slotForForwards() else { throw HostLink.notConnected(configuration) }
            do {
                return try await slot.connection.openTunnel(
                    to: target,
                    window: Self.forwardWindow,
                    SSHChannelState.Setup(inputBytes: 1 << 20, hooks: hooks),
                    within: limit,
                    // A target that does not answer says nothing of the connection.
                    endsConnectionWhenLate: false
                )
            } catch let error as TransportError where error.code == .connectionLost && attempts < 3 {
                // Nothing was sent: the link knows whether another connection comes.
                await forget(slot)
            }
        }
    }

    /// The window of a forward's channel: twenty megabytes a second at 100 ms, and little while the user types.
    private static var forwardWindow: Int { 2 * 1024 * 1024 }

    /// The connection for forwards: one of their own, because libssh2 opens channels one after another, and a target
    /// that does not answer would keep terminals from being opened for as long as the host tries to reach it. It is
    /// shared with the sessions if letting the user in again would need a person, or fails.
    private func slotForForwards() async throws -> HostLinkSlot? {
        if let slot = slots.first(where: { $0.isForForwards && $0.isUsable }) { return slot }
        if !sharesConnectionForForwards, !configuration.credentials.contains(where: \.needsPerson) {
            let dial = forwarding ?? dialForForwards()
            try await dial.outcome.cancellableValue()
        }
        return slots.first { $0.isForForwards && $0.isUsable } ?? slots.first(where: \.isUsable)
    }

    private func dialForForwards() -> HostLinkForwarding {
        let outcome = EventualValue<Void>()
        let task = Task { [weak self, configuration] in
            let slot: HostLinkSlot?
            do { slot = try await HostLink.makeConnection(configuration, isForForwards: true) } catch {
                // The sessions' connection serves as well.
                slot = nil
            }
            await self?.forwardingDialEnded(with: slot, wasCancelled: Task.isCancelled)
            outcome.resolve(())
        }
        let dial = HostLinkForwarding(task: task, outcome: outcome)
        forwarding = dial
        return dial
    }

    private func forwardingDialEnded(with slot: HostLinkSlot?, wasCancelled: Bool) async {
        forwarding = nil
        guard let slot else {
            sharesConnectionForForwards = !wasCancelled
            return
        }
        guard current.connection == .connected else { return await slot.connection.close() }
        add(slot)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The owner of a session's size, seen from one front end.
public enum SizeOwnership: Sendable, Hashable {
    /// This front end is not on the session.
    case absent
    /// This front end: the session has the size of its terminal.
    case driving
    /// Another front end, at this terminal.
    case observing(TmuxClient)
    /// Terminals that are none of Riff's, such as a person's own `tmux attach`: they are left alone.
    case deferredToForeignClient([TmuxClient])
    /// The size has no owner at the moment.
    case free
}

/// The action that a front end takes on the size of a session, given the clients that look at it.
///
/// One drives, all others observe: their size counts for nothing. The one that comes first drives. It goes on until
/// another takes over on purpose, or until it is gone, and then one of the others follows. Where a terminal counts that
/// is none of Riff's, nobody drives.
package enum DriverDecision: Sendable, Hashable {
    /// All is as it should be.
    case nothing
    /// Drive, unless another front end began to since the list was made.
    case takeFree
    /// Drive, in place of this one if there is one.
    case takeOver(TmuxClient?)
    /// Observe, and give the lease back where it is one's own.
    case observe
}

extension SessionViewers {
    /// This front end's client: the newest of those it opened that is there.
    package var mine: TmuxClient? {
        let there = Dictionary(clients.map { ($0.key, $0) }) { first, _ in first }
        return own.last(where: { there[$0] != nil && $0.isPlain }).flatMap { there[$0] }
    }

    /// Clients that this front end opened before, and whose connection died without the host's noticing: they count on.
    package var leftBehind: [TmuxClient] {
        clients.filter { $0 != mine && own.contains($0.key) && !$0.ignoresSize }
    }

    /// The lease, where the client that it names is there.
    package var lease: DriverLease? {
        DriverLease(leaseText).flatMap { lease in clients.contains { $0.key == lease.client } ? lease : nil }
    }

    private var driver: TmuxClient? { lease.flatMap { lease in clients.first { $0.key == lease.client } } }

    /// Clients whose size counts though they are neither the driver nor one's own.
    package var foreign: [TmuxClient] {
        clients.filter { !$0.ignoresSize && $0 != driver && !own.contains($0.key) }
    }

    private var isDriverOwn: Bool { driver.map { own.contains($0.key) } ?? false }

    /// The owner of the size.
    package var ownership: SizeOwnership {
        guard let mine else { return .absent }
        if !foreign.isEmpty { return .deferredToForeignClient(foreign) }
        guard let driver else { return .free }
        return driver == mine ? .driving : isDriverOwn ? .free : .observing(driver)
    }

    /// The action to take without being asked.
    package var settling: DriverDecision {
        guard let mine else { return .nothing }
        if !foreign.isEmpty { return mine.ignoresSize && !isDriverOwn && leftBehind.isEmpty ? .nothing : .observe }
        guard let driver else { return .takeFree }
        if isDriverOwn { return driver == mine && !mine.ignoresSize && leftBehind.isEmpty ? .nothing : .takeOver(nil) }
        return mine.ignoresSize && leftBehind.isEmpty ? .nothing : .observe
    }

    /// Returns the action to take when the person wants to drive.
    ///
    /// - Throws: ``CoreError`` with `notAttached`, or with `foreignDriver` where a terminal that is none of Riff's
    ///   counts.
    package func driving() throws(CoreError) -> DriverDecision {
        guard mine != nil else {
            throw CoreError(.notAttached, "This device has no terminal on the session \(session).", recovery: .retry)
        }
        guard foreign.isEmpty else {
            let names = foreign.map(\.name).joined(separator: ", ")
            let message =
                "The session \(session) has the size of a terminal that is not Riff's (\(names)). Detach that one first."
            throw CoreError(.foreignDriver, message)
        }
        return ownership == .driving ? settling : .takeOver(isDriverOwn ? nil : driver)
    }
}

extension CoreErrorCode {
    /// This front end has no terminal on the session.
    public static let notAttached = CoreError.Code(rawValue: "notAttached")
    /// A terminal decides on the session's size that is none of Riff's, and is left alone.
    public static let foreignDriver = CoreError.Code(rawValue: "foreignDriver")
}

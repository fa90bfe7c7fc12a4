// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The changes that installing the kit would make on a host, for a front end to show before anything is done.
public struct HostKitPlan: Sendable, Hashable {
    /// One change.
    public enum Step: Sendable, Hashable {
        /// A folder is made, which is removed again with the kit.
        case makeFolder(path: String)
        /// A file is written that is not there.
        case write(path: String, sizeBytes: Int)
        /// A file of an older version is replaced, or one that is not as it was installed.
        case replace(path: String, from: Int, to: Int)
        /// A newer version stays, which another front end put there.
        case keepNewer(path: String, version: Int)
    }

    /// The kit's folder. Nothing outside of it is written but the folders that lead to it.
    public let folder: String
    /// The changes, in order; empty if the kit is as it should be.
    public let steps: [Step]
    /// The problem that keeps it from being installed; `nil` if there is none.
    public let obstacle: Problem?
    package let partNames: Set<String>

    /// Whether there is something to write.
    public var changesHost: Bool {
        steps.contains { if case .keepNewer = $0 { false } else { true } }
    }

    /// The user's agreement to this plan. Make it only when the user gave it; a front end keeps it, and hands it back
    /// for later versions of the same parts.
    public func consent() -> HostKitConsent { HostKitConsent(folder: folder, parts: partNames) }

    /// Compares the kit on a host with the parts that are to be there.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - status: The kit as it is.
    ///   - host: The host's name, for messages.
    /// - Throws: `CoreError` with `nulInArgument`.
    package init(_ parts: [HostKitPart], on status: HostKitStatus, host: String) throws(CoreError) {
        folder = status.folder
        partNames = Set(parts.map(\.name))
        obstacle = Self.obstacle(status, host: host).map { Problem($0) }
        guard obstacle == nil else {
            steps = []
            return
        }
        var steps = status.missingFolders.map { Step.makeFolder(path: $0) }
        for part in parts {
            let path = "\(status.folder)/\(part.file)"
            let found = status.parts.first { $0.name == part.name }
            if let found, found.version > part.version {
                steps.append(.keepNewer(path: "\(status.folder)/\(found.file)", version: found.version))
            } else if let found, found.version < part.version || !found.isIntact {
                steps.append(.replace(path: path, from: found.version, to: part.version))
            } else if found == nil {
                steps.append(.write(path: path, sizeBytes: try part.text(in: status.folder).utf8.count))
            }
        }
        self.steps = steps
    }

    private static func obstacle(_ status: HostKitStatus, host: String) -> KitError? {
        let folder = InertText.line(status.folder)
        if status.state == .newer { return .newer(folder, host: host) }
        if status.state == .foreign { return .foreign(folder, host: host) }
        if let unwritable = status.unwritableFolder {
            return .unwritable("\(InertText.line(unwritable)) cannot be written", host: host)
        }
        return nil
    }
}

/// The user's agreement to a ``HostKitPlan``: the folder, and what may be put into it. It holds no secret, and may be
/// stored with the host.
public struct HostKitConsent: Sendable, Hashable, Codable {
    /// The folder that was shown.
    public let folder: String
    /// The names of the parts that were shown.
    public let parts: Set<String>

    package init(folder: String, parts: Set<String>) {
        self.folder = folder
        self.parts = parts
    }
}

extension KitError {
    static func newer(_ folder: String, host: String) -> KitError {
        KitError(.newerKit, "\(folder) on \(host) is kept by a newer Riff. Update this front end, then try again.")
    }

    static func foreign(_ folder: String, host: String) -> KitError {
        let message = "On \(host), \(folder) is not Riff's. Move it away, then install again."
        return KitError(.foreignFolder, message, recovery: .retry)
    }

    static func unwritable(_ reason: String, host: String) -> KitError {
        let message = "Riff's files were not put on \(host): \(reason). Is it read-only, or full?"
        return KitError(.notWritable, message, recovery: .retry)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The SSH engines of this build.
package enum SSHEngines {
    /// The engines, the one first that connections are made with unless another is chosen.
    package static let all: [SSHEngineInfo] = {
        var all: [SSHEngineInfo] = []
        #if LibSSH2 && (os(macOS) || os(Linux))
        all.append(LibSSH2Library.info)
        #endif
        #if SSH
        all.append(SwiftSSHEngine.info)
        #endif
        // Runs everything once more on the other one, as tests do.
        guard let name = getenv("RIFF_SSH_ENGINE").map({ String(cString: $0) }) else { return all }
        return all.filter { $0.engine.rawValue == name } + all.filter { $0.engine.rawValue != name }
    }()

    /// Returns the information on an engine.
    ///
    /// - Parameter engine: The one that is wanted; `nil` for the build's first.
    /// - Returns: What it says of itself.
    /// - Throws: `TransportError` with `sshUnavailable` if the build has none, or not this one.
    package static func info(of engine: SSHEngineName?) throws(TransportError) -> SSHEngineInfo {
        if let info = all.first(where: { engine == nil || $0.engine == engine }) { return info }
        let what = engine.map { "no SSH engine \"\($0.rawValue)\"" } ?? "no SSH engine"
        let message =
            "This build has \(what): the trait SSH gives the one in Swift, the trait LibSSH2 the one on the system's "
            + "libssh2 (macOS and Linux). See docs/platforms.md."
        throw TransportError(.sshUnavailable, message)
    }

    #if LibSSH2 && (os(macOS) || os(Linux))
    /// One scratch buffer for each event loop thread, for all its connections.
    // Each thread sees its own value only, which is what the type is for; it does not say `Sendable` because its value
    // need not be.
    private nonisolated(unsafe) static let scratch = ThreadSpecificVariable<SSHScratch>()
    #endif

    /// Makes an engine; on the event loop's thread, where it stays.
    static func make(_ engine: SSHEngineName?) throws(TransportError) -> any SSHEngine {
        let info = try info(of: engine)
        #if SSH
        if info.engine == .swift { return SwiftSSHEngine() }
        #endif
        #if LibSSH2 && (os(macOS) || os(Linux))
        if info.engine == .libssh2 {
            let buffer = scratch.currentValue ?? SSHScratch()
            scratch.currentValue = buffer
            return try LibSSH2Engine(scratch: buffer)
        }
        #endif
        throw TransportError(.sshUnavailable, "The SSH engine \(info.engine.rawValue) cannot be made.")
    }
}

/// One of the SSH engines that a build may have.
///
/// `SSH` and `LibSSH2`, the package's traits, say which there are; ``SSHHost/Configuration/engine`` chooses one for a
/// host.
public struct SSHEngineName: RawRepresentable, Sendable, Hashable {
    /// A stable name.
    public let rawValue: String

    /// An engine by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Riff's own, in Swift, on every platform.
    public static let swift = SSHEngineName(rawValue: "swift")
    /// The system's libssh2, on macOS and Linux.
    public static let libssh2 = SSHEngineName(rawValue: "libssh2")

    /// The engines of this build; the first is the one that hosts use unless they name another.
    public static var available: [SSHEngineName] { SSHEngines.all.map(\.engine) }

    /// The version that runs, such as `1.10.0`; `nil` for an engine that this build does not have.
    public var version: String? { SSHEngines.all.first { $0.engine == self }?.version }
}

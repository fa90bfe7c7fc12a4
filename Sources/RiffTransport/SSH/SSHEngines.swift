// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// The SSH engine of this build.
package enum SSHEngines {
    #if SSH && (os(macOS) || os(Linux))
    /// The engine that connections are made with.
    package static let choice = LibSSH2Library.info

    /// One scratch buffer for each event loop thread, for all its connections.
    // Each thread sees its own value only, which is what the type is for; it does not say `Sendable` because its value
    // need not be.
    private nonisolated(unsafe) static let scratch = ThreadSpecificVariable<SSHScratch>()

    /// Makes an engine; on the event loop's thread, where it stays.
    static func make() throws -> any SSHEngine {
        let buffer = scratch.currentValue ?? SSHScratch()
        scratch.currentValue = buffer
        return try LibSSH2Engine(scratch: buffer)
    }
    #else
    /// No engine: nothing is offered.
    package static let choice = SSHEngineInfo(
        name: "none",
        version: "0",
        capabilities: [],
        algorithms: SSHAlgorithms(keyExchange: [], hostKey: [], cipher: [], mac: [])
    )

    static func make() throws -> any SSHEngine {
        let message =
            "This build has no SSH engine: the SSH trait is off, or the platform has no libssh2. See docs/platforms.md."
        throw TransportError(.sshUnavailable, message)
    }
    #endif
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
public import RiffTransport

/// A source of channels to an agent: each call starts one, or connects to one.
public struct ACPAgentSource: Sendable {
    /// The name of the source, for messages: the program's name.
    package let name: String
    private let make: @Sendable () async throws -> any ACPChannel

    /// Any way to an agent.
    ///
    /// - Parameters:
    ///   - name: What it is, for messages.
    ///   - open: Opens a channel; what it throws is the start's failure. It may set up an environment first.
    package init(_ name: String, open: @escaping @Sendable () async throws -> any ACPChannel) {
        self.name = name
        make = open
    }

    /// Opens a channel.
    ///
    /// - Throws: What opening throws; another error than a ``RiffError`` becomes ``ACPError`` with `notStarted`.
    package func open() async throws -> any ACPChannel {
        do { return try await make() } catch let error as any RiffError { throw error } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ACPError(.notStarted, "\(name) was not started.", recovery: .retry, cause: error)
        }
    }

    /// A program on this machine, on its standard input and output.
    ///
    /// It leads a process group of its own. Closing the channel ends it: SIGINT to the group, and SIGKILL after two
    /// seconds. Not available on iOS, tvOS and visionOS.
    public static func process(_ command: LocalCommand) -> ACPAgentSource {
        ACPAgentSource(command.program) {
            ACPLineChannel(try await LocalProcess.start(command, outputBytes: 16 * 1024))
        }
    }

    /// A program on a host, started by the account's login shell so that it is found where the person finds it.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments; each arrives as it is.
    ///   - host: Where it runs: over SSH, or on this machine.
    ///   - directory: Where it starts; the home directory without one.
    ///   - environment: Variables to set for it.
    /// - Returns: The source; each opening starts the program once more.
    public static func command(
        _ command: [String],
        on host: any HostSession,
        directory: String? = nil,
        environment: [String: String] = [:]
    ) -> ACPAgentSource {
        ACPAgentSource(command.first ?? "The agent") {
            var generator = SystemRandomNumberGenerator()
            let marker = "__RIFF_ACP__" + String(generator.next() as UInt64, radix: 16)
            let line = try remoteLine(command, marker: marker, directory: directory, environment: environment)
            return ACPLineChannel(try await host.openChannel(line), beginMarker: marker)
        }
    }

    /// A channel that is open already; it can be used once.
    public static func channel(_ channel: any ACPChannel, name: String = "The agent") -> ACPAgentSource {
        ACPAgentSource(name) { channel }
    }

    package static func remoteLine(
        _ command: [String],
        marker: String,
        directory: String?,
        environment: [String: String]
    ) throws(CoreError) -> String {
        let first = "printf '%s\\n' \(marker) && "
        return try LoginShellCommand(line(command, directory: directory, environment: environment, first: first)).line
    }

    /// The line for a login shell that becomes the command.
    static func line(
        _ command: [String],
        directory: String?,
        environment: [String: String],
        first: String = ""
    ) throws(CoreError) -> String {
        guard environment.keys.allSatisfy(ProgramWords.isVariable) else {
            let message =
                "A variable's name is empty, begins with a dash, or has an equals sign or a control character."
            throw CoreError(.invalidVariableName, message)
        }
        let variables = environment.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let words = ProgramWords.setting(variables, for: command)
        // `printf` and `exec` mean the same to dash, bash, zsh and fish.
        let start = "\(first)exec \(try ShellQuoting.join(words))"
        return if let directory { "cd \(try ShellQuoting.quote(directory)) && \(start)" } else { start }
    }
}

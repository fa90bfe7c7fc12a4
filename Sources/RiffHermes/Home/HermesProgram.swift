// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// The host's own `hermes`, run for one home.
package struct HermesProgram: Sendable {
    let home: HermesHome

    /// Runs a command of the agent to its end.
    ///
    /// - Parameters:
    ///   - command: The command's words and options: `["skills", "install", "--yes"]`.
    ///   - operands: What follows; may begin with a dash.
    ///   - input: What it reads, where it asks.
    ///   - hidden: The last operand, where it may not be among the arguments of a process: everybody on the host can
    ///     list those. It needs a `hermes` that is a Python script, as all of its installers make it.
    ///   - secrets: Texts that no message may have.
    ///   - timeout: How long it may take.
    ///   - outputLimit: The most bytes that it may write.
    /// - Returns: What it wrote. It succeeded.
    /// - Throws: `TransportError` with `programNotFound`, `commandFailed` and the other codes of failed commands; the
    ///   host's own errors; `CancellationError`.
    @discardableResult
    package func run(
        _ command: [String],
        operands: [String] = [],
        input: String = "",
        hidden: String? = nil,
        secrets: [String] = [],
        timeout: Duration = .seconds(60),
        outputLimit: Int = 4 << 20
    ) async throws -> CommandResult {
        let result = try await home.host.run(
            try commandLine(command, operands: operands, isHidden: hidden != nil),
            input: Array((hidden ?? input).utf8),
            outputLimit: outputLimit,
            timeout: timeout
        )
        let name = (["hermes"] + command).joined(separator: " ")
        guard let failure = result.failure(of: "hermes", on: "the host") else { return result }
        var words = failure.message
        for secret in secrets where !secret.isEmpty { words = words.replacing(secret, with: "•••") }
        throw TransportError(failure.code, "\(name): \(words)", recovery: failure.recovery)
    }

    /// Whether the program must be told the profile: without it the agent takes the one that `active_profile` names,
    /// also where the default one is meant. Only a home that is a profile's own folder (`.../profiles/NAME`) it takes
    /// as it is.
    private var selectsProfile: Bool {
        home.profile != nil || home.rootPath.split(byte: "/").dropLast().last != "profiles"
    }

    /// Runs `hermes` in the process of its own interpreter, which takes the last operand from its input. What lies in
    /// the working folder is not loaded.
    private static let hiding = #"""
        set -f
        hermes=$(command -v hermes) || { echo "sh: hermes: not found" >&2; exit 127; }
        first=
        IFS= read -r first < "$hermes" 2>/dev/null
        case $first in
        '#!'*python*)
            exec ${first#??} -c 'import sys
        sys.path = [folder for folder in sys.path if folder]
        import runpy
        path = sys.argv[1]
        sys.argv = [path] + sys.argv[2:] + [sys.stdin.read()]
        runpy.run_path(path, run_name="__main__")' "$hermes" "$@" ;;
        esac
        cat >/dev/null
        echo "$hermes is no Python script, so that everybody on this host could list the value; set it there" >&2
        exit 1
        """#

    /// The line for the host's login shell.
    func commandLine(_ command: [String], operands: [String], isHidden: Bool = false) throws(CoreError) -> String {
        let profile = selectsProfile ? ["-p", home.profile ?? "default"] : []
        // Behind `--` an operand is never taken for an option.
        let dashes = operands.contains { $0.hasPrefix("-") } ? ["--"] : []
        let program = isHidden ? ["sh", "-c", Self.hiding, "sh"] : ["hermes"]
        let words =
            ["env", "HERMES_HOME=\(home.rootPath)", "LC_ALL=C.UTF-8", "NO_COLOR=1"] + program + profile + command
            + dashes
            + operands
        return try LoginShellCommand(try ShellQuoting.join(words)).line
    }
}

extension HermesHome {
    /// The host's own program for this home.
    package var hermes: HermesProgram { HermesProgram(home: self) }
}

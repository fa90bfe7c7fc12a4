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
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RiffCore

/// Starts programs: from Swift values to the C call that forks and runs. Blocks until the program runs.
enum LocalStart {
    /// Starts a command on three pipes, or on a terminal of a size.
    ///
    /// - Throws: `TransportError` with `programNotFound` or `processNotStarted`; nothing is left behind.
    static func start(_ command: LocalCommand, terminal size: TerminalSize?) throws(TransportError) -> riff_child {
        let environment = command.environment ?? ProcessInfo.processInfo.environment
        let path = try find(command, searchPath: environment["PATH"] ?? "/usr/bin:/bin")
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let texts = [path] + [command.program] + command.arguments + variables + [command.directory ?? ""]
        guard texts.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw TransportError(.processNotStarted, "\(command.program) has an argument with a NUL byte in it.")
        }

        var child = riff_child()
        var stage = RIFF_STAGE_NONE
        let code = withTextArray([command.program] + command.arguments) { arguments in
            withTextArray(variables) { variables in
                withText(path) { path in
                    withText(command.directory) { directory in
                        var launch = riff_launch(
                            path: path,
                            arguments: arguments,
                            environment: variables,
                            directory: directory
                        )
                        guard let size else { return riff_start_on_pipes(&launch, &child, &stage) }
                        var window = riff_window(size)
                        return riff_start_on_terminal(&launch, &window, &child, &stage)
                    }
                }
            }
        }
        guard code == 0 else { throw failure(code, stage, command) }
        return child
    }

    private static func find(_ command: LocalCommand, searchPath: String) throws(TransportError) -> String {
        if command.program.utf8.contains(UInt8(ascii: "/")) { return command.program }
        // A relative directory of PATH, such as ".", would be another one for each program: what lies in the directory
        // that it starts in must not be started in the place of what was meant.
        for directory in searchPath.split(byte: ":") where directory.hasPrefix(bytes: "/") && !command.program.isEmpty {
            let path = "\(directory)/\(command.program)"
            if access(path, X_OK) == 0, isFile(path) { return path }
        }
        throw notFound(command.program, "no directory of PATH has it")
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func failure(_ code: Int32, _ stage: riff_stage, _ command: LocalCommand) -> TransportError {
        switch stage {
        case RIFF_STAGE_EXECUTE where code == ENOENT:
            return notFound(command.program, "nothing lies there, or its interpreter is missing")
        case RIFF_STAGE_DIRECTORY:
            return TransportError(
                .processNotStarted,
                "\(command.program) was not started: its directory \(command.directory ?? ".") cannot be entered "
                    + "(\(systemText(code)))."
            )
        default:
            return TransportError(.processNotStarted, "\(command.program) was not started: \(systemText(code)).")
        }
    }

    private static func notFound(_ program: String, _ why: String) -> TransportError {
        TransportError(
            .programNotFound,
            "The program \(program) was not found: \(why).",
            recovery: .installProgram(program)
        )
    }

    private static func withText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }

    /// A NULL-ended array of C strings, valid during the call.
    private static func withTextArray<Result>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { buffer in
            // An array with one element or more has an address.
            withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<CChar>?.self, capacity: buffer.count) { copy in
                _ = copy.initialize(from: buffer)
                return body(UnsafePointer(copy.baseAddress.unsafelyUnwrapped))
            }
        }
    }
}

extension riff_window {
    /// A usable size, as the terminal driver takes it.
    init(_ size: TerminalSize) {
        self.init(
            columns: UInt16(clamping: size.columns),
            rows: UInt16(clamping: size.rows),
            width: UInt16(clamping: size.pixelWidth),
            height: UInt16(clamping: size.pixelHeight)
        )
    }
}

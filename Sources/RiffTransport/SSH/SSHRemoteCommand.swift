// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A command that can be ended on its host.
///
/// A server does not end a command without a terminal when its channel is closed, and not every SSH library or server
/// can send it a signal. So the command first reports its process group on standard error (sshd makes its shell the
/// leader of one), and ending it is another command.
struct SSHRemoteCommand {
    /// The marker that begins the report.
    let marker: String
    /// The beginning of the channel's standard error, kept for the report.
    let head = OutputHead()

    init() {
        var generator = SystemRandomNumberGenerator()
        marker = "__RIFF_GROUP__" + String(generator.next() as UInt64, radix: 16)
    }

    /// The most bytes that the report takes.
    var reportBytes: Int { marker.utf8.count + 22 }

    /// Returns the result that the command itself left.
    ///
    /// - Throws: `outputTooLarge`, now that the report does not count any more.
    func result(of result: CommandResult, outputLimit: Int) throws(TransportError) -> CommandResult {
        var diagnostics = result.diagnostics
        if let report = report(in: diagnostics) { diagnostics.removeSubrange(report.range) }
        guard result.output.count <= outputLimit, diagnostics.count <= outputLimit else {
            throw TransportError(.outputTooLarge, "More came than the \(outputLimit) bytes that this call keeps.")
        }
        return CommandResult(output: result.output, diagnostics: diagnostics, exit: result.exit)
    }

    /// Closes the command's channel and ends the command with the processes it started: all of its process group, or if
    /// the server made it none (dropbear) the shell or the program that replaced it. It is asked to end, and killed
    /// when it did not within two seconds. The call does not wait for that.
    func end(_ handle: SSHChannelHandle, on link: HostLink) async {
        await link.runErrand { link in
            // The command may be about to report.
            while group == nil, await handle.state.nextDiagnostics() {}
            await handle.close()
            guard let group else { return }
            let script =
                "p=-\(group); kill -TERM $p || p=\(group); kill -TERM $p; n=0; "
                + "while kill -0 $p && test $n -lt 20; do sleep 0.1; n=$((n+1)); done; kill -KILL $p"
            // Whether it could be ended concerns nobody any more.
            let killer = try? await link.start(.command("sh -c '\(script)' 2>/dev/null"), dials: false)
            _ = try? await killer?.state.end.cancellableValue()
            await killer?.close()
        }
    }

    private var group: Int? { report(in: head.bytes)?.group }

    private func report(in diagnostics: [UInt8]) -> (range: Range<Int>, group: Int)? {
        guard let start = diagnostics.firstRange(of: Array("\(marker) ".utf8)),
            let end = diagnostics[start.upperBound...].firstIndex(of: UInt8(ascii: "\n")),
            let group = Int(String(decoding: diagnostics[start.upperBound..<end], as: UTF8.self)), group > 1
        else { return nil }
        return (start.lowerBound..<(end + 1), group)
    }
}

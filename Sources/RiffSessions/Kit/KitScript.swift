// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The script that keeps the kit on a host, as a program for `sh -s`.
package enum KitScript {
    /// The line that runs what is given on standard input.
    package static func line(_ arguments: [String]) throws(CoreError) -> String {
        try ShellQuoting.join(["exec", "sh", "-s", "--"] + arguments)
    }

    /// The program without parts, for questions and removals.
    package static var program: [UInt8] { Array(kitText.utf8) }

    /// The program with the texts of parts. What begins it stands at its end: a connection that is lost in the middle
    /// changes nothing.
    package static func program(installing parts: [HostKitPart], in folder: String) throws(CoreError) -> [UInt8] {
        var text = kitText
        let call = "\nriff_kit \"$@\"\n"
        if text.hasSuffix(call) { text.removeLast(call.utf8.count) }
        text += "\nput() {\ncase $1 in\n"
        for part in parts {
            text += "\(part.name))\ncat <<'\(Self.mark)'\n"
            text += try part.text(in: folder)
            text += "\(Self.mark)\n;;\n"
        }
        text += "*) return 1 ;;\nesac\n}" + call
        return Array(text.utf8)
    }

    /// A line that is in no part.
    private static let mark = "__RIFF_END_OF_PART__"
}

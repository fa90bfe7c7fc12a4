// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name of the folder in which Claude Code keeps the transcripts of a directory (seen with 2.1.331).
package enum ClaudeProjectFolder {
    /// The longest name in UTF-16 units; a longer one is cut and ends with a number of the whole path.
    private static let limit = 200

    /// The folder of a directory.
    ///
    /// Each UTF-16 unit that is no ASCII letter or digit is a hyphen there, so that a picture outside of the basic
    /// plane gives two of them; a letter with a combining mark gives itself and a hyphen.
    ///
    /// - Parameter directory: The absolute path of the directory, or the name of a folder, which stays what it is.
    /// - Returns: The folder's name.
    package static func name(of directory: String) -> String {
        if isName(directory) { return directory }
        let units = directory.utf16.map { unit -> UInt8 in
            switch unit {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: UInt8(unit)
            default: UInt8(ascii: "-")
            }
        }
        guard units.count > limit else { return String(decoding: units, as: UTF8.self) }
        // The program's own hash of the path: 31 * h + unit in 32 bits, its magnitude in base 36.
        let hash = directory.utf16.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
        return String(decoding: units.prefix(limit), as: UTF8.self) + "-" + String(hash.magnitude, radix: 36)
    }

    /// Whether a text can be the name of such a folder.
    package static func isName(_ text: String) -> Bool {
        // The number behind the cut has six digits at most.
        !text.isEmpty && text.utf8.count <= limit + 7
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: brings a shared file to the host on which the sessions run, such as by SFTP or by an upload to a server.
///
/// To the implementer: read ``SharedMediaClaim/bytes``, never the whole file at once. The file appears on the host
/// whole or not at all, under the name that the item has, readable by the account alone. Bringing the same item again
/// puts the same file in the same place. Throw a ``RiffError`` that says what failed on which host, `mediaTooLarge`
/// where the host takes no file of that size; `CancellationError` on cancellation. The claim belongs to the caller:
/// neither complete nor release it.
public protocol ShareCarrier: Sendable {
    /// Brings the file to the host.
    ///
    /// - Parameter media: The claimed file.
    /// - Returns: Its absolute path on the host.
    /// - Throws: A ``RiffError``; `CancellationError`.
    func carry(_ media: SharedMediaClaim) async throws -> String
}

/// A seam: types the path of a shared file into the session that was active last.
///
/// To the implementer: the text is quoted for a shell already; type it as it is, with a space after it and no Return.
/// Throw where that session does not take keys at the moment; nothing of the text may then have been typed.
public protocol SharePathTyping: Sendable {
    /// Types the text.
    func typeSharedPath(_ text: String) async throws
}

/// Which session gets what was shared, and as which text.
package enum SharePath {
    /// The session to type into: the one that was active last while it is there, else the base.
    ///
    /// - Parameters:
    ///   - lastActive: The session that was active last, as it was remembered by name.
    ///   - open: The sessions that there are.
    /// - Returns: One of `open`; `nil` where neither is among them, and then what was shared has to wait.
    package static func target(lastActive: SessionName?, open: some Collection<SessionName>) -> SessionName? {
        [lastActive, .base].compactMap(\.self).first(where: open.contains)
    }

    /// Returns the text to type for a path on the host: one word for its shell, and for the program that reads it
    /// there.
    ///
    /// - Parameter path: The absolute path.
    /// - Returns: The path, quoted where it must be.
    /// - Throws: ``CoreError`` with `untypablePath` for a path that is not absolute, or that would come out as another
    ///   one, since control characters and marks of writing direction are never typed.
    package static func text(for path: String) throws(CoreError) -> String {
        let isInert = InertText.line(path) == path
        guard path.hasPrefix(bytes: "/"), isInert else {
            let reason = isInert ? "is not absolute" : "holds characters that are never typed"
            let shown = InertText.line(path)
            throw CoreError(
                .untypablePath,
                "The shared file's path on the host, \(shown), \(reason). Choose another folder for shared files.",
                recovery: .openSettings(.shareFolder)
            )
        }
        return try ShellQuoting.quote(path)
    }
}

extension CoreErrorCode {
    /// The path of a shared file cannot be typed into a terminal as it is.
    public static let untypablePath = CoreError.Code(rawValue: "untypablePath")
}

extension SettingName {
    /// The folder on the host that shared files go to.
    public static let shareFolder = SettingName("shareFolder")
}

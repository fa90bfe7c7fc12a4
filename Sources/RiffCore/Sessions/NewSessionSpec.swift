// Riff
// SPDX-License-Identifier: Apache-2.0

/// The choices of a person for one new session; a `nil` means the default.
public struct NewSessionSpec: Sendable, Hashable {
    /// The directory that the session starts in; the home directory if `nil`.
    public var directory: StartDirectory?
    /// The program that the session runs; `claude` if `nil`.
    public var harness: Harness?

    /// Creates a choice for a new session.
    public init(directory: StartDirectory? = nil, harness: Harness? = nil) {
        self.directory = directory
        self.harness = harness
    }

    /// The choice in two texts, as a sheet for a new session has them and settings keep them. Blank is the default, and
    /// so is the word `claude`: a sheet that was left as it is makes the same session as none.
    ///
    /// - Parameters:
    ///   - directory: As ``StartDirectory/init(_:)`` reads it.
    ///   - harness: As ``Harness/init(_:)`` reads it.
    /// - Throws: ``CoreError`` with `invalidStartDirectory`.
    public init(directory: String, harness: String) throws(CoreError) {
        let place = try StartDirectory(directory)
        let program = Harness(harness)
        self.init(directory: place == .home ? nil : place, harness: program == .claude ? nil : program)
    }

    /// The directory for a sheet and for settings: what a person wrote.
    package var directoryText: String { (directory ?? .home).rawValue }
    /// The harness for a sheet and for settings.
    package var harnessText: String { (harness ?? .claude).rawString }

    /// Returns the choice that a plain tap on "new session" means.
    ///
    /// - Parameters:
    ///   - directory: The directory of the settings.
    ///   - harness: The harness of the settings.
    /// - Returns: `nil` for `claude`, which keeps its own way of starting; else the settings' two values.
    package static func forPlainTap(directory: StartDirectory, harness: Harness) -> NewSessionSpec? {
        switch harness {
        case .claude: nil
        case .custom: NewSessionSpec(directory: directory, harness: harness)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a person chose for one new session; a `nil` means the default.
public struct NewSessionSpec: Sendable, Hashable {
    /// Where it starts; the home directory where `nil`.
    public var directory: StartDirectory?
    /// What it runs; `claude` where `nil`.
    public var harness: Harness?

    /// A choice.
    public init(directory: StartDirectory? = nil, harness: Harness? = nil) {
        self.directory = directory
        self.harness = harness
    }

    /// The choice that a plain tap on "new session" stands for.
    ///
    /// - Parameters:
    ///   - directory: The directory of the settings.
    ///   - harness: The harness of the settings.
    /// - Returns: `nil` for `claude`, which keeps its own way of starting; else the settings' two values.
    public static func forPlainTap(directory: StartDirectory, harness: Harness) -> NewSessionSpec? {
        switch harness {
        case .claude: nil
        case .custom: NewSessionSpec(directory: directory, harness: harness)
        }
    }
}

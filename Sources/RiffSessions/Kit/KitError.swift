// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of the host kit, and of what it carries.
public typealias KitError = DomainError<KitErrorCode>

/// The codes of ``KitError``.
public struct KitErrorCode: ErrorCode {
    /// `kit`.
    public static let domain = "kit"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension KitErrorCode {
    /// The user did not agree to what would be installed, or agreed to less.
    public static let consentMissing = KitError.Code(rawValue: "consentMissing")
    /// The kit would lie in another folder than the user agreed to.
    public static let folderChanged = KitError.Code(rawValue: "folderChanged")
    /// A newer Riff keeps the kit in a way that this one does not know.
    public static let newerKit = KitError.Code(rawValue: "newerKit")
    /// Something else lies where the kit would.
    public static let foreignFolder = KitError.Code(rawValue: "foreignFolder")
    /// The host does not let the files be written.
    public static let notWritable = KitError.Code(rawValue: "notWritable")
    /// Another client installs or removes the kit at this moment.
    public static let busy = KitError.Code(rawValue: "busy")
    /// Something that runs on the host needs the kit.
    public static let inUse = KitError.Code(rawValue: "inUse")
    /// The host did something else than it was asked to.
    public static let failed = KitError.Code(rawValue: "failed")
    /// The kit, or the part of it that is needed, is not on the host.
    public static let notInstalled = KitError.Code(rawValue: "notInstalled")
}

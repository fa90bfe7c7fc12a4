// Riff
// SPDX-License-Identifier: Apache-2.0

/// An action that a front end can offer a person after an error, as data: a kind to switch on, and the values that the
/// kind needs.
public struct Recovery: Sendable, Hashable {
    /// The open set of kinds; unknown ones survive.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Run ``Recovery/detail`` (a shell command) on the host to authorize the key.
        public static let authorizeKey = Kind(rawValue: "authorizeKey")
        /// Forget the pinned host key named by ``Recovery/detail`` (a pin id), after checking the fingerprint.
        public static let resetHostKey = Kind(rawValue: "resetHostKey")
        /// Trust the host key that ``HostKeyOffer`` reads from it, once a person has compared its fingerprint.
        public static let trustHostKey = Kind(rawValue: "trustHostKey")
        /// Trust one more key of a host that is known by keys of other types: ``FurtherHostKeyOffer`` reads the facts
        /// from it. A person must be shown all of them, since somebody in between would offer just that.
        public static let trustFurtherHostKey = Kind(rawValue: "trustFurtherHostKey")
        /// Install the program named by ``Recovery/detail`` on the host.
        public static let installProgram = Kind(rawValue: "installProgram")
        /// Bring the program named by ``Recovery/detail`` on the host up to date.
        public static let updateProgram = Kind(rawValue: "updateProgram")
        /// Run ``Recovery/detail`` (a shell command) on the host to give the account another login shell.
        public static let changeLoginShell = Kind(rawValue: "changeLoginShell")
        /// Mend the files that the login shell reads on the host.
        public static let repairLoginProfile = Kind(rawValue: "repairLoginProfile")
        /// Open the front end's settings, at ``Recovery/setting``.
        public static let openSettings = Kind(rawValue: "openSettings")
        /// Check the network or the private network (VPN, tailnet) and try again.
        public static let checkNetwork = Kind(rawValue: "checkNetwork")
        /// Try the same thing again.
        public static let retry = Kind(rawValue: "retry")
    }

    /// The kind of action to offer.
    public let kind: Kind
    /// The value that the kind needs: a command, a pin id, a host key, a program or a setting; `nil` where it needs
    /// nothing.
    public let detail: String?

    /// A recovery of any kind; prefer the factories below.
    package init(_ kind: Kind, detail: String? = nil) {
        self.kind = kind
        self.detail = detail
    }

    /// The setting that ``Kind/openSettings`` leads to; `nil` for any other kind.
    public var setting: SettingName? { kind == .openSettings ? detail.map(SettingName.init(rawValue:)) : nil }

    /// Run the command on the host to authorize the key.
    public static func authorizeKey(command: String) -> Recovery { Recovery(.authorizeKey, detail: command) }
    /// Forget the host key pinned under this id.
    public static func resetHostKey(pin: String) -> Recovery { Recovery(.resetHostKey, detail: pin) }
    /// Trust the host key that is offered.
    package static func trustHostKey(_ offer: HostKeyOffer) -> Recovery { Recovery(.trustHostKey, detail: offer.id) }
    /// Trust one more key of a known host.
    package static func trustFurtherHostKey(_ offer: FurtherHostKeyOffer) -> Recovery {
        Recovery(.trustFurtherHostKey, detail: offer.id)
    }
    /// Install a program on the host.
    package static func installProgram(_ name: String) -> Recovery {
        // A host told the name, and a front end shows it.
        Recovery(.installProgram, detail: InertText.quote(name))
    }
    /// Bring a program on the host up to date.
    package static func updateProgram(_ name: String) -> Recovery {
        Recovery(.updateProgram, detail: InertText.quote(name))
    }
    /// Run the command on the host to change the login shell.
    package static func changeLoginShell(command: String) -> Recovery { Recovery(.changeLoginShell, detail: command) }
    /// Mend the host's login profile.
    public static let repairLoginProfile = Recovery(.repairLoginProfile)
    /// Open the settings at one of them.
    public static func openSettings(_ setting: SettingName) -> Recovery {
        Recovery(.openSettings, detail: setting.rawValue)
    }
    /// Check the network, then try again.
    public static let checkNetwork = Recovery(.checkNetwork)
    /// Try again.
    public static let retry = Recovery(.retry)
}

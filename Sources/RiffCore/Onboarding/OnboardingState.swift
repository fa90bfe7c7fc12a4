// Riff
// SPDX-License-Identifier: Apache-2.0

/// A page of onboarding, in the order in which a person sees them.
public enum OnboardingStep: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// What is needed on this device and on the host.
    case requirements
    /// The choice of the key's source.
    case keyChoice
    /// A field for a key that the person brings.
    case keyImport
    /// The public key, and the command that authorizes it on the host.
    case authorize
    /// Host, port and user.
    case details
    /// The test: to be started, under way, or failed.
    case connect
    /// Everything is stored, and sessions can be opened.
    case done

    /// The order of the pages.
    public static func < (left: OnboardingStep, right: OnboardingStep) -> Bool { left.rawValue < right.rawValue }
}

/// The source of a host's key.
public enum KeyChoice: Sendable, Hashable {
    /// A new Ed25519 key, made on this device.
    case generate
    /// One that the person brings.
    case bring
    /// The one that the host being set up again has already.
    case keep
}

/// The state that onboarding shows.
public struct OnboardingState: Sendable {
    /// The page that is shown.
    public internal(set) var step = OnboardingStep.requirements
    /// The form, as typed.
    public internal(set) var details: HostDetails
    /// What is wrong with the form, once the person tried to leave it; cleared field by field as they type.
    public internal(set) var invalidFields: [SettingName: CoreError] = [:]
    /// The public half of the key that is used, once there is one.
    public internal(set) var publicKey: SSHPublicKey?
    /// Whether something is under way that a person waits for: a key is made or read, the host tested, the result
    /// stored.
    public internal(set) var isBusy = false
    /// The checks of the test, as they come; `nil` before the first.
    public internal(set) var readiness: HostReadiness?
    /// The error on this page, with the action that can be offered.
    public internal(set) var problem: (any RiffError)?
    /// Whether the host being set up has a key that can be kept.
    public internal(set) var canKeepKey: Bool

    /// The command that authorizes the key when it is run on the host; `nil` before there is a key.
    public var authorizeCommand: String? { publicKey?.authorizeCommand }

    init(details: HostDetails, existingKey: SSHPublicKey?) {
        self.details = details
        publicKey = existingKey
        canKeepKey = existingKey != nil
    }
}

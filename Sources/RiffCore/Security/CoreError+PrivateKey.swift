// Riff
// SPDX-License-Identifier: Apache-2.0

extension CoreError {
    /// A private key that is damaged or cut off.
    ///
    /// - Parameter part: The part where it shows, as the end of a sentence.
    /// - Returns: The error.
    package static func damagedKey(_ part: String) -> CoreError {
        CoreError(.invalidKey, "The private key is damaged or cut off: \(part).", recovery: .keySettings)
    }

    /// A private key whose type, format or encryption is known by name only.
    ///
    /// - Parameter message: A sentence that names it, and what helps.
    /// - Returns: The error.
    package static func unsupportedKey(_ message: String) -> CoreError {
        CoreError(.keyUnsupported, message, recovery: .keySettings)
    }

    /// The passphrase does not open a private key.
    ///
    /// - Parameter isCertain: Whether the format tells a wrong passphrase from a damaged file.
    /// - Returns: The error.
    package static func wrongPassphrase(isCertain: Bool) -> CoreError {
        let message =
            isCertain
            ? "The passphrase does not open the private key. Check it, and mind capital letters and the keyboard's language."
            : "The passphrase does not open the private key, or the key's file is damaged. Check the passphrase first."
        return CoreError(.passphraseWrong, message, recovery: .openSettings(.passphrase))
    }
}

extension CoreErrorCode {
    /// A private key is encrypted and no passphrase was given.
    public static let passphraseNeeded = CoreError.Code(rawValue: "passphraseNeeded")
    /// The passphrase does not open the private key.
    public static let passphraseWrong = CoreError.Code(rawValue: "passphraseWrong")
    /// A private key is whole, and of a type, a format or an encryption that cannot be used; the message has its name.
    public static let keyUnsupported = CoreError.Code(rawValue: "keyUnsupported")
}

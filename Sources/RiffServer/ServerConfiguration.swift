// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

/// What a voice server needs to know before it starts.
public struct ServerConfiguration: Sendable, Hashable {
    /// From where the server can be reached.
    public enum Exposure: Sendable, Hashable {
        /// From this machine alone.
        case loopback
        /// From elsewhere too.
        case network
    }

    /// The secret shared with the clients.
    public var secret: RiffSecret
    /// The key of the hosted recognizer, where there is one; without it (and without another recognizer)
    /// transcription is answered with 503, and everything else works.
    public var recognizerKey: Secret?
    /// From where the server can be reached; it must be true.
    public var exposure: Exposure
    /// How many clips are taken at a time, each up to 25 MB; further ones are answered with 503 and `Retry-After`.
    public var concurrentClips = 8
    /// How long the recognizer may take: 30 s.
    public var recognizerTimeout: Duration = .seconds(30)
    /// How long a client may take to send its body: 120 s.
    public var bodyTimeout: Duration = .seconds(120)

    /// Whether requests are taken that are signed in version 1, which anybody who saw one can repeat: for clients that
    /// know no other version.
    public var allowsV1 = false
    /// The contract's other variables.
    var variables = ContractVariables()

    /// How far the time of a request may be from this machine's clock, either way: 300 s.
    public var signatureWindow: Duration = .seconds(300)

    /// A configuration.
    public init(secret: RiffSecret, recognizerKey: Secret? = nil, exposure: Exposure) {
        self.secret = secret
        self.recognizerKey = recognizerKey
        self.exposure = exposure
    }

    /// The configuration of a server from the contract's variables: `RIFF_SHARED_SECRET` (64 hexadecimal digits,
    /// needed), and those that may be missing.
    ///
    /// `ELEVENLABS_API_KEY` and `ELEVENLABS_STT_MODEL` make ``recognizer(over:at:)``; with `RIFF_NARRATE_VOICE_ID`,
    /// `RIFF_NARRATE_TTS_MODEL` and `NARRATE_MAX_CHARS` ``narration(over:at:voice:encoder:transcripts:)``;
    /// `APNS_KEY_ID`, `APNS_TEAM_ID`, `APNS_BUNDLE_ID` and `APNS_PRIVATE_KEY_PATH`
    /// ``pushSender(title:over:production:sandbox:)``.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - exposure: From where the server will be reached.
    /// - Returns: The configuration.
    /// - Throws: ``ServerError`` with `missingSecret`, `invalidSecret`, `placeholderSecret` or `invalidVariable`; none
    ///   quotes a value.
    public static func fromEnvironment(
        _ environment: [String: String],
        exposure: Exposure
    ) throws(ServerError) -> ServerConfiguration {
        let text = environment["RIFF_SHARED_SECRET"] ?? ""
        guard !text.allSatisfy(\.isWhitespace) else {
            let message =
                "RIFF_SHARED_SECRET is not set. Set it to 64 hexadecimal digits, such as `openssl rand -hex 32` prints."
            throw ServerError(.missingSecret, message, recovery: .openSettings(.sharedSecret))
        }
        let secret: RiffSecret
        do {
            secret = try RiffSecret(hex: text)
        } catch {
            let message = "RIFF_SHARED_SECRET: \(error.message)"
            throw ServerError(.invalidSecret, message, recovery: .openSettings(.sharedSecret), cause: error)
        }
        let key = environment["ELEVENLABS_API_KEY"].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : Secret($0) }
        var configuration = ServerConfiguration(secret: secret, recognizerKey: key, exposure: exposure)
        configuration.variables = try ContractVariables(environment)
        try configuration.check()
        return configuration
    }

    /// Refuses a secret that protects nothing on a server that others can reach.
    func check() throws(ServerError) {
        guard secret.isPlaceholder, exposure == .network else { return }
        let message =
            "The shared secret is empty or all zeros, which anybody can sign with. Set a real one, or serve this machine alone."
        throw ServerError(.placeholderSecret, message, recovery: .openSettings(.sharedSecret))
    }
}

extension ServerErrorCode {
    /// No shared secret is set.
    public static let missingSecret = ServerError.Code(rawValue: "missingSecret")
    /// The shared secret is not 64 hexadecimal digits.
    public static let invalidSecret = ServerError.Code(rawValue: "invalidSecret")
    /// The shared secret protects nothing, and the server can be reached from elsewhere.
    public static let placeholderSecret = ServerError.Code(rawValue: "placeholderSecret")
}

extension SettingName {
    /// The variable that holds a server's secret.
    public static let sharedSecret = SettingName("RIFF_SHARED_SECRET")
}

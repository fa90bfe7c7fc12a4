// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffVoice

/// The variables of the voice contract beside the secret: each has a default, and one that is set must be right.
struct ContractVariables: Sendable, Hashable {
    /// Apple's push service, which needs four variables.
    struct Push: Sendable, Hashable {
        let keyID: String
        let team: String
        let topic: String
        let keyPath: String
    }

    /// `ELEVENLABS_STT_MODEL`.
    var recognizerModel: String?
    /// `RIFF_NARRATE_TTS_MODEL`.
    var voiceModel: String?
    /// `RIFF_NARRATE_VOICE_ID`.
    var voice: String?
    /// `NARRATE_MAX_CHARS`.
    var narrationLimit: Int?
    /// `APNS_KEY_ID`, `APNS_TEAM_ID`, `APNS_BUNDLE_ID` and `APNS_PRIVATE_KEY_PATH`.
    var push: Push?

    init() {}

    /// Reads the variables; one that is empty is not set.
    ///
    /// - Throws: ``ServerError`` with `invalidVariable`; the message names the variable and does not quote its value.
    init(_ environment: [String: String]) throws(ServerError) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        }
        recognizerModel = try Self.name(value("ELEVENLABS_STT_MODEL"), "ELEVENLABS_STT_MODEL")
        voiceModel = try Self.name(value("RIFF_NARRATE_TTS_MODEL"), "RIFF_NARRATE_TTS_MODEL")
        voice = try Self.name(value("RIFF_NARRATE_VOICE_ID"), "RIFF_NARRATE_VOICE_ID")
        if let text = value("NARRATE_MAX_CHARS") {
            guard let limit = Int(text), (1...100_000).contains(limit) else {
                throw Self.invalid("NARRATE_MAX_CHARS", "must be a number from 1 to 100000")
            }
            narrationLimit = limit
        }
        let names = ["APNS_KEY_ID", "APNS_TEAM_ID", "APNS_BUNDLE_ID", "APNS_PRIVATE_KEY_PATH"]
        let values = names.map(value)
        if let missing = zip(names, values).first(where: { $0.1 == nil }), values.contains(where: { $0 != nil }) {
            throw Self.invalid(missing.0, "is not set, and notifications need all of \(names.joined(separator: ", "))")
        }
        if case let all = values.compactMap(\.self), all.count == names.count {
            push = Push(keyID: all[0], team: all[1], topic: all[2], keyPath: all[3])
        }
    }

    /// The name of a model or a voice: characters that need no escape anywhere.
    private static func name(_ text: String?, _ variable: String) throws(ServerError) -> String? {
        guard let text else { return nil }
        let isName =
            text.utf8.count <= 128
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "_-.".utf8.contains($0)
            }
        guard isName else { throw invalid(variable, "must be a name of letters, digits, -, _ and .") }
        return text
    }

    private static func invalid(_ variable: String, _ words: String) -> ServerError {
        ServerError(.invalidVariable, "\(variable) \(words).")
    }
}

extension ServerErrorCode {
    /// A variable of the environment has a value that cannot be meant; the message names it.
    public static let invalidVariable = ServerError.Code(rawValue: "invalidVariable")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// How a hands-free conversation goes.
public struct ConversationPolicy: Sendable, Hashable {
    /// When a turn counts as over.
    public var endpoint: EndpointPolicy
    /// What is typed of what was heard. It is always submitted, whatever this says: nobody has a hand free for Return.
    public var dictation: DictationPolicy
    /// How long the microphone stays closed for the agent's answer. Zero opens it right behind each turn; an answer
    /// then closes it again, unless somebody is speaking.
    public var answerTime: Duration
    /// After how long without a word a turn is begun anew: recognizers have limits (a minute on Apple's systems).
    public var longestSilence: Duration
    /// Whether speaking breaks an answer off. The device must cancel its own echo, or the agent breaks itself off.
    public var bargeIn: BargeInPolicy?
    /// How permission is asked for by voice.
    public var approvals: SpokenApprovalPolicy
    /// The language that the person speaks, as a BCP 47 tag. English, German, French and Spanish have rules of their
    /// own; in any other one the usual pause ends each turn, and permission is given by hand alone.
    public var language: String

    /// Riff's call: three seconds behind the last word, a minute for an answer, no barge-in, unless said otherwise.
    public init(
        endpoint: EndpointPolicy = .riffCall,
        dictation: DictationPolicy = DictationPolicy(),
        answerTime: Duration = .seconds(60),
        longestSilence: Duration = .seconds(50),
        bargeIn: BargeInPolicy? = nil,
        approvals: SpokenApprovalPolicy = SpokenApprovalPolicy(),
        language: String = "en"
    ) {
        self.language = language
        (self.endpoint, self.dictation, self.answerTime) = (endpoint, dictation, answerTime)
        (self.longestSilence, self.bargeIn, self.approvals) = (longestSilence, bargeIn, approvals)
    }
}

/// When speech breaks an answer off.
public struct BargeInPolicy: Sendable, Hashable {
    /// The least probability of speech, higher than while nothing is played.
    public var threshold: Float
    /// For how long it must last.
    public var sustained: Duration
    /// How much audio from before the decision is recognized with the turn: the words that broke the answer off.
    public var preRoll: Duration

    /// 0.65 for 300 ms, with 800 ms from before it, unless said otherwise.
    public init(
        threshold: Float = 0.65,
        sustained: Duration = .milliseconds(300),
        preRoll: Duration = .milliseconds(800)
    ) {
        (self.threshold, self.sustained, self.preRoll) = (threshold, sustained, preRoll)
    }
}

/// Tells when speech has lasted: a value, fed with a detector's probabilities.
struct SustainedSpeech: Sendable {
    private let policy: BargeInPolicy
    private let frame: Duration
    private var lasted = Duration.zero

    init(_ policy: BargeInPolicy, frame: Duration) { (self.policy, self.frame) = (policy, frame) }

    /// Takes the probability of the next frame.
    ///
    /// - Returns: Whether speech has lasted long enough.
    mutating func hear(_ probability: Float) -> Bool {
        // A frame below it, as between two syllables, takes as much away as one above it adds.
        lasted = probability >= policy.threshold ? lasted + frame : max(.zero, lasted - frame)
        return lasted >= policy.sustained
    }
}

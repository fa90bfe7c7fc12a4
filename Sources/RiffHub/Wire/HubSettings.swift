// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A hub's settings, which all of its clients share. What this version does not know stays in ``json``.
public struct HubSettings: Sendable, Hashable {
    /// The model of new sessions: `opus`, `sonnet`, `haiku`; the hub takes any text.
    public var model: String
    /// Whether the microphone opens by itself when the hub listens.
    public var recordsByItself: Bool
    /// Whether a recording ends by itself once the person has stopped to speak.
    public var endsByItself: Bool
    /// Whether speaking into the agent's words interrupts them.
    public var interruptsByItself: Bool
    /// Everything as it came.
    public var json: JSONObject

    /// Reads them; what is missing has the hub's default.
    public init(json: JSONObject) {
        self.json = json
        model = json["model"]?.text ?? "opus"
        recordsByItself = json["auto_record"]?.bool ?? false
        endsByItself = json["auto_end"]?.bool ?? true
        interruptsByItself = json["auto_interrupt"]?.bool ?? false
    }

    /// Creates the settings of a hub that were never changed.
    public init() { self.init(json: [:]) }
}

extension HubSettings {
    /// A change of some settings; the others stay as they are, also if another client changed them meanwhile.
    public struct Change: Sendable, Hashable {
        /// The model of new sessions.
        public var model: String?
        /// Whether the microphone opens by itself.
        public var recordsByItself: Bool?
        /// Whether a recording ends by itself.
        public var endsByItself: Bool?
        /// Whether speaking interrupts.
        public var interruptsByItself: Bool?
        /// Settings of newer hubs by their names on the wire, as in `thinking_sounds`.
        public var others: JSONObject

        /// A change; `nil` changes nothing.
        public init(
            model: String? = nil,
            recordsByItself: Bool? = nil,
            endsByItself: Bool? = nil,
            interruptsByItself: Bool? = nil,
            others: JSONObject = [:]
        ) {
            (self.model, self.recordsByItself, self.endsByItself) = (model, recordsByItself, endsByItself)
            (self.interruptsByItself, self.others) = (interruptsByItself, others)
        }

        /// What is put on the wire: what changes, and nothing else.
        public var json: JSONObject {
            var json = others
            if let model { json["model"] = .string(model) }
            if let recordsByItself { json["auto_record"] = .bool(recordsByItself) }
            if let endsByItself { json["auto_end"] = .bool(endsByItself) }
            if let interruptsByItself { json["auto_interrupt"] = .bool(interruptsByItself) }
            return json
        }
    }
}

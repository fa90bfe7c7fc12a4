// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A call of a tool that a model wants made.
public struct ChatToolCall: Sendable, Hashable {
    /// The name of the call, to answer it by; empty where the gateway gave none.
    public var id: String
    /// The name of the tool.
    public var name: String
    /// The arguments of the call, as far as they came: JSON, which a model may get wrong. Empty means none.
    public var arguments: String
    /// Whether all of it came: the reply ended as it should, and the arguments are one JSON object. Only then may it be
    /// run.
    public var isComplete: Bool

    /// Creates a call.
    package init(id: String, name: String, arguments: String, isComplete: Bool = true) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.isComplete = isComplete
    }

    /// The arguments read, an empty object where there are none; `nil` where they are not one JSON object.
    public var object: JSONObject? {
        guard !arguments.isEmpty else { return JSONObject() }
        // What a model wrote is often no JSON; that is a value here, and the text is still there.
        return (try? JSONValue(parsing: arguments))?.object
    }
}

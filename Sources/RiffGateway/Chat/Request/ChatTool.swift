// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A function that a model may ask to be called.
public struct ChatTool: Sendable, Hashable {
    /// Its name: letters, digits, `_` and `-`.
    public var name: String
    /// The description of the tool, for the model.
    public var description: String?
    /// The parameters of the tool: a JSON schema of an object.
    public var parameters: JSONValue?
    /// Whether the model has to keep to the schema; `nil` where the gateway decides.
    public var isStrict: Bool?

    /// Creates a tool.
    public init(name: String, description: String? = nil, parameters: JSONValue? = nil, isStrict: Bool? = nil) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.isStrict = isStrict
    }

    /// The tool as JSON.
    package var json: JSONValue {
        var function: JSONObject = ["name": .string(name)]
        function.write("description", description)
        function.write("parameters", parameters)
        function.write("strict", isStrict)
        return ["type": "function", "function": .object(function)]
    }
}

extension ChatRequest {
    /// Whether a model calls tools.
    public enum ToolChoice: Sendable, Hashable {
        /// As it likes.
        case automatic
        /// The model may call no tool.
        case none
        /// At least one.
        case required
        /// This one.
        case tool(String)

        /// The choice as JSON.
        package var json: JSONValue {
            switch self {
            case .automatic: "auto"
            case .none: "none"
            case .required: "required"
            case .tool(let name): ["type": "function", "function": ["name": .string(name)]]
            }
        }
    }
}

extension ChatRequest {
    /// The form of an answer.
    public enum ResponseFormat: Sendable, Hashable {
        /// Any text.
        case text
        /// A JSON object; the messages have to ask for one as well.
        case jsonObject
        /// JSON that keeps to a schema, under a name for it.
        case jsonSchema(name: String, schema: JSONValue, isStrict: Bool)

        /// The form as JSON.
        package var json: JSONValue {
            switch self {
            case .text: ["type": "text"]
            case .jsonObject: ["type": "json_object"]
            case .jsonSchema(let name, let schema, let isStrict):
                [
                    "type": "json_schema",
                    "json_schema": ["name": .string(name), "schema": schema, "strict": .bool(isStrict)],
                ]
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `AvailableCommand` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#availablecommand>
    public struct AvailableCommand: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`, which must be there.
        public var description: String
        /// The member `input`; `nil` where it is absent, null or not readable.
        public var input: AvailableCommandInput?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, description: String, input: AvailableCommandInput? = nil, meta: JSONObject? = nil) {
            self.name = name
            self.description = description
            self.input = input
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            description = try members.required("description")
            input = members.lenient("input")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("description", description)
            object.write("input", input)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `AvailableCommandInput` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#availablecommandinput>
    public enum AvailableCommandInput: JSONRecord {
        /// Has the members of ``UnstructuredCommandInput``.
        case unstructured(UnstructuredCommandInput)
        /// A variant that this version does not know.
        case unknown(JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) {
            let before = members
            // Which variant it is shows in whether it can be read.
            if let value = try? UnstructuredCommandInput(reading: &members) {
                self = .unstructured(value)
                return
            }
            members = before
            self = .unknown(members.takeRest())
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .unstructured(let value): value.write(into: &object)
            case .unknown(let others): object.write(rest: others)
            }
        }
    }

    /// `UnstructuredCommandInput` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#unstructuredcommandinput>
    public struct UnstructuredCommandInput: JSONRecord {
        /// The member `hint`, which must be there.
        public var hint: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(hint: String, meta: JSONObject? = nil) {
            self.hint = hint
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            hint = try members.required("hint")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("hint", hint)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

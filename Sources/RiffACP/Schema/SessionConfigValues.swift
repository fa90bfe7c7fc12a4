// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACP {
    /// `SessionConfigSelectOptions` of the schema: what can be chosen, in one list or in groups.
    public enum SessionConfigSelectOptions: JSONConvertible {
        /// One list.
        case ungrouped([SessionConfigSelectOption])
        /// Several lists, each with a name.
        case grouped([SessionConfigSelectGroup])

        /// Reads either; an empty list is one without groups.
        public init(json: JSONValue) throws(CoreError) {
            guard let elements = json.array else { throw .unexpected("a list", json) }
            if elements.first?["group"] != nil {
                self = .grouped(try [SessionConfigSelectGroup](json: json))
            } else {
                self = .ungrouped(try [SessionConfigSelectOption](json: json))
            }
        }

        /// The options as a JSON list.
        public var json: JSONValue {
            switch self {
            case .ungrouped(let options): options.json
            case .grouped(let groups): groups.json
            }
        }

        /// All options, in order, whatever their group.
        public var all: [SessionConfigSelectOption] {
            switch self {
            case .ungrouped(let options): options
            case .grouped(let groups): groups.flatMap(\.options)
            }
        }
    }

    /// The value that `session/set_config_option` sets.
    public enum SessionConfigOptionValue: JSONRecord {
        /// One of a select's options.
        case option(SessionConfigValueID)
        /// A switch's position.
        case boolean(Bool)
        /// A value of a type that this version does not know, with that type.
        case unknown(String?, JSONValue)

        /// Reads the members `type` and `value`.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let type: String? = members.lenient("type")
            let value: JSONValue = try members.required("value")
            switch (type, value) {
            case ("boolean", .bool(let isOn)): self = .boolean(isOn)
            case (nil, .string(let id)): self = .option(SessionConfigValueID(rawValue: id))
            case (nil, _): throw .unexpected("the id of an option", value)
            default: self = .unknown(type, value)
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .option(let id): object.write("value", id)
            case .boolean(let isOn):
                object.write("type", "boolean")
                object.write("value", isOn)
            case .unknown(let type, let value):
                object.write("type", type)
                object.write("value", value)
            }
        }
    }
}

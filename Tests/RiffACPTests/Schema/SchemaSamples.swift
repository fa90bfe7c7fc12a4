// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore

/// The schema files of the repository, and values that they describe.
struct SchemaSamples: Sendable {
    let definitions: [String: JSONValue]
    let stable: Set<String>
    let legacy: Set<String>

    /// Whole messages, whose types follow from their method.
    static let envelopes: Set<String> = [
        "AgentRequest", "AgentResponse", "AgentNotification", "ClientRequest", "ClientResponse", "ClientNotification",
    ]

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Schemas/agent-client-protocol")
        func read(_ name: String, _ part: String = "$defs") throws -> JSONObject {
            let json = try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: name))))
            return json[part]?.object ?? [:]
        }
        let stable = try read("schema.json")
        let legacy = try read("legacy.json")
        var all: [String: JSONValue] = [:]
        for part in [stable, try read("schema.unstable.json"), legacy] {
            for member in part { all[member.key] = member.value }
        }
        for (owner, members) in try read("legacy.json", "optional").map({ ($0.key, $0.value.array ?? []) }) {
            let required = all[owner]?["required"]?.array ?? []
            all[owner] = .object(
                JSONObject(
                    (all[owner]?.object ?? [:]).map {
                        ($0.key, $0.key == "required" ? .array(required.filter { !members.contains($0) }) : $0.value)
                    }
                )
            )
        }
        definitions = all
        self.stable = Set(stable.keys)
        self.legacy = Set(legacy.keys)
    }

    /// One value of a definition for each of its variants, with all members.
    func samples(of name: String) -> [JSONValue] { values(of: definitions[name] ?? .null) }

    private func values(of schema: JSONValue) -> [JSONValue] {
        if let reference = schema["$ref"]?.text {
            return samples(of: String(reference.split(separator: "/").last ?? ""))
        }
        if let constant = schema["const"] { return [constant] }
        let variants = (schema["oneOf"] ?? schema["anyOf"])?.array ?? []
        var bases = [object(of: schema)]
        if let parts = schema["allOf"]?.array {
            bases = parts.flatMap { values(of: $0) }.map { merge(object(of: schema), $0) }
        }
        guard !variants.isEmpty else { return bases.map { $0 ?? plain(schema) } }
        let known = variants.filter { $0["type"] != "null" || schema["properties"] == nil && variants.count > 2 }
        return known.flatMap { values(of: $0) }.flatMap { value in bases.map { merge($0, value) } }
    }

    private func object(of schema: JSONValue) -> JSONValue? {
        guard let properties = schema["properties"]?.object else { return nil }
        return .object(JSONObject(properties.map { ($0.key, values(of: $0.value).first ?? .null) }))
    }

    private func merge(_ base: JSONValue?, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = base, case .object(let others) = value else { return value }
        for member in others { members[member.key] = member.value }
        return .object(members)
    }

    private func plain(_ schema: JSONValue) -> JSONValue {
        let kinds = schema["type"].map { $0.array ?? [$0] } ?? []
        switch kinds.first(where: { $0 != "null" }) {
        case "string": return "some text"
        case "integer": return 7
        case "number": return 1.5
        case "boolean": return true
        case "array": return .array(Array(values(of: schema["items"] ?? .null).prefix(1)))
        case "object":
            guard let values = schema["additionalProperties"] else { return [:] }
            guard values != true else { return ["key": [1, nil]] }
            return ["key": self.values(of: values)[0]]
        default: return kinds == ["null"] ? .null : ["any": [1, nil]]
        }
    }

    /// A value that a member's schema does not allow; `nil` where it allows everything.
    static func wrong(_ schema: JSONValue) -> JSONValue? {
        let kinds = schema["type"].map { $0.array ?? [$0] } ?? []
        if kinds.contains("integer") || kinds.contains("number") { return "not a number" }
        return kinds.isEmpty && schema["allOf"] == nil && schema["anyOf"] == nil && schema["$ref"] == nil ? nil : 12.5
    }
}

/// What values hold in `rest`, anywhere within: members that no property took.
func leftovers(_ value: Any) -> [String] {
    Mirror(reflecting: value).children.flatMap { child -> [String] in
        if child.label == "rest", let rest = child.value as? JSONObject { return rest.keys }
        return child.value is JSONValue || child.value is JSONObject ? [] : leftovers(child.value)
    }
}

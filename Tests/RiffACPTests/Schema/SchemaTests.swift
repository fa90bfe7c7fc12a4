// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import Testing

/// Holds each definition of the schema against its Swift type.
@Suite struct SchemaTests {
    let schema: SchemaSamples

    init() throws { schema = try SchemaSamples() }

    private func type(_ name: String) throws -> any JSONConvertible.Type {
        try #require(ACP.schemaTypes[name], "\(name)")
    }

    @Test func `every definition has a type, and every type a definition`() throws {
        let named = Set(schema.definitions.keys).subtracting(SchemaSamples.envelopes)
        #expect(Set(ACP.schemaTypes.keys) == named)
        let stable = schema.stable.count
        #expect(stable == 170 && schema.definitions.count - schema.legacy.count == 267)
    }

    @Test func `each variant of each definition reads into properties and writes the same`() throws {
        var count = 0
        for name in ACP.schemaTypes.keys.sorted() {
            let samples = schema.samples(of: name)
            #expect(!samples.isEmpty, "\(name)")
            for sample in samples {
                let value = try type(name).init(json: sample)
                #expect(value.json == sample, "\(name)")
                // The form's `type` has one value, which is its default: what is written out stays in `rest`.
                let hasForm = ["ElicitationSchema", "ElicitationFormMode", "CreateElicitationRequest"].contains(name)
                #expect(leftovers(value).filter { !hasForm || $0 != "type" } == [], "\(name)")
                count += 1
            }
        }
        #expect(count > 300)
    }

    @Test func `members that nobody knows survive, wherever they are`() throws {
        for name in ACP.schemaTypes.keys.sorted() {
            for sample in schema.samples(of: name) {
                guard sample.object?.isEmpty == false else { continue }
                let strange = addStrangeMember(to: sample)
                let value = try type(name).init(json: strange)
                #expect(value.json == strange, "\(name)")
            }
        }
    }

    private func addStrangeMember(to value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            var changed = JSONObject(members.map { ($0.key, addStrangeMember(to: $0.value)) })
            // Free-form objects take any member; those of one type do not.
            if members["key"] == nil { changed["x-strange"] = ["a": [1, nil]] }
            return .object(changed)
        case .array(let elements): return .array(elements.map { addStrangeMember(to: $0) })
        default: return value
        }
    }

    @Test func `members that must be there are missed, others are not`() throws {
        try eachMember { name, member, _, isRequired, sample in
            var object = sample
            object[member] = nil
            let read = Result { try type(name).init(json: .object(object)) }
            if isRequired {
                #expect(throws: CoreError.self, "\(name).\(member)") { try read.get() }
            } else {
                let value = try read.get()
                #expect(value.json == .object(object), "\(name).\(member)")
            }
        }
    }

    @Test func `a member that is wrong is forgiven where the schema says so, and kept`() throws {
        var forgiven = 0
        try eachMember { name, member, schema, isRequired, sample in
            guard let wrong = SchemaSamples.wrong(schema) else { return }
            var object = sample
            object[member] = wrong
            let read = Result { try type(name).init(json: .object(object)) }
            if schema["x-deserialize-default-on-error"] == true {
                forgiven += 1
                let value = try read.get()
                if !(isRequired && schema["type"] == "array") {
                    #expect(value.json == .object(object), "\(name).\(member)")
                }
            } else if member != "requestId" {
                // Any id is taken: whoever sent it gets it back.
                #expect(throws: CoreError.self, "\(name).\(member)") { try read.get() }
            }
        }
        #expect(forgiven > 249)
    }

    @Test func `list items that are wrong are left out where the schema says so`() throws {
        var skipped = 0
        try eachMember { name, member, schema, _, sample in
            guard let elements = sample[member]?.array, let good = elements.first else { return }
            var object = sample
            object[member] = [good, 12.5, good]
            let read = Result { try type(name).init(json: .object(object)) }
            if schema["x-deserialize-skip-invalid-items"] == true {
                skipped += 1
                let value = try read.get()
                #expect(value.json[member] == [good, good], "\(name).\(member)")
            } else {
                #expect(throws: CoreError.self, "\(name).\(member)") { try read.get() }
            }
        }
        #expect(skipped >= 27)
    }

    @Test func `null is told apart from absence, and from a value`() throws {
        try eachMember { name, member, schema, _, sample in
            let kinds = schema["type"]?.array ?? schema["anyOf"]?.array?.compactMap { $0["type"] } ?? []
            guard kinds.contains("null") else { return }
            var object = sample
            object[member] = .null
            let value = try type(name).init(json: .object(object))
            #expect(value.json == .object(object), "\(name).\(member)")
        }
    }

    /// Every member that a definition itself declares, with a sample of the definition that has it.
    private func eachMember(
        _ body: (_ name: String, _ member: String, _ schema: JSONValue, _ isRequired: Bool, _ sample: JSONObject) throws
            -> Void
    ) throws {
        for name in ACP.schemaTypes.keys.sorted() {
            guard let definition = schema.definitions[name], let properties = definition["properties"]?.object else {
                continue
            }
            let required = definition["required"]?.array ?? []
            let sample = try #require(schema.samples(of: name).first?.object, "\(name)")
            for property in properties {
                try body(name, property.key, property.value, required.contains(.string(property.key)), sample)
            }
        }
    }
}

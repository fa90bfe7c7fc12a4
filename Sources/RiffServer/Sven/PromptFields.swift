// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

/// Reads the texts of a JSON body, and says what is wrong with it in the words of the public server: its clients know
/// them. Unlike there, the values themselves are not sent back, since one of them is a secret.
struct PromptFields: Sendable {
    /// What is wrong with one field.
    struct Fault: Sendable, Hashable {
        let type: String
        /// The field, or `nil` for the body as a whole.
        let field: String?
        let text: String

        var json: JSONValue {
            let place: [JSONValue] = ["body"] + (field.map { [.string($0)] } ?? [])
            return ["type": .string(type), "loc": .array(place), "msg": .string(text)]
        }
    }

    /// The body cannot be taken (422).
    struct Refusal: Error {
        let faults: [Fault]
    }

    private let object: JSONObject
    private var faults: [Fault] = []

    /// Reads a body.
    ///
    /// - Throws: ``Refusal`` for one that is no JSON object, or does not say that it is JSON.
    init(_ body: [UInt8], _ fields: HTTPFields) throws(Refusal) {
        guard !body.isEmpty else { throw Refusal(faults: [Fault(type: "missing", field: nil, text: "Field required")]) }
        let json: JSONValue
        do {
            // A page in a browser cannot send this type to another site without being asked first.
            json = Self.isJSON(fields[.contentType] ?? "") ? try JSONValue(parsing: body) : .null
        } catch {
            throw Refusal(faults: [Fault(type: "json_invalid", field: nil, text: "JSON decode error")])
        }
        guard case .object(let object) = json else {
            let text = "Input should be a valid dictionary or object to extract fields from"
            throw Refusal(faults: [Fault(type: "model_attributes_type", field: nil, text: text)])
        }
        self.object = object
    }

    /// A text that must be there; what is wrong is thrown by ``check()``.
    mutating func required(_ name: String) -> String {
        guard object[name] != nil else {
            faults.append(Fault(type: "missing", field: name, text: "Field required"))
            return ""
        }
        if object[name] == .null { fail(name) }
        return optional(name) ?? ""
    }

    /// A text that may be absent or null.
    mutating func optional(_ name: String, limitBytes: Int = .max) -> String? {
        guard let value = object[name], value != .null else { return nil }
        guard let text = value.text else {
            fail(name)
            return nil
        }
        guard text.utf8.count <= limitBytes else {
            let message = "String should have at most \(limitBytes) characters"
            faults.append(Fault(type: "string_too_long", field: name, text: message))
            return nil
        }
        return text
    }

    /// - Throws: ``Refusal`` with everything that was wrong so far.
    func check() throws(Refusal) {
        if !faults.isEmpty { throw Refusal(faults: faults) }
    }

    private mutating func fail(_ name: String) {
        faults.append(Fault(type: "string_type", field: name, text: "Input should be a valid string"))
    }

    private static func isJSON(_ type: String) -> Bool {
        let bare = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        return bare == "application/json" || (bare.hasPrefix(bytes: "application/") && bare.hasSuffix("+json"))
    }
}

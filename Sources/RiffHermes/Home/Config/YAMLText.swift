// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
internal import Yams

/// Reads YAML that anybody may have written, into the one model of values.
///
/// What a small file can blow up to is bounded: its size, how deep it nests, and how many values it has once aliases
/// are filled in (a few lines of aliases of aliases are billions). Of a key that stands twice the last counts, as for
/// the agent.
enum YAMLText {
    static let limitBytes = 4 << 20
    static let depthLimit = 100
    static let valueLimit = 200_000
    /// The most anchors: aliases of aliases nest, too, and are given up one within another.
    static let anchorLimit = 10_000
    /// The parser calls itself for each of up to 1000 levels; a thread of a pool may have little room for that, so that
    /// it runs on one of its own, and its caller suspends meanwhile.
    private static let stackBytes = 64 << 20

    /// The value of the first document; `null` for an empty one.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`.
    static func value(of text: String, from name: String) async throws(DataError) -> JSONValue {
        guard text.utf8.count <= limitBytes else {
            throw DataError(.fileTooLarge, "\(name) has more than \(limitBytes) bytes of YAML.")
        }
        guard text.utf8.count(where: { $0 == UInt8(ascii: "&") }) <= anchorLimit else {
            throw DataError(.fileTooLarge, "\(name) has more than \(anchorLimit) anchors.")
        }
        guard YAMLGrowth(text).isHarmless else {
            throw DataError(.fileTooLarge, "\(name) has keys that are lists or maps, and would take for ever to read.")
        }
        let parsed = EventualValue<Result<JSONValue, DataError>>()
        let thread = Thread {
            let result: Result<JSONValue, DataError>
            do throws(DataError) { result = .success(try parse(text, name)) } catch { result = .failure(error) }
            parsed.resolve(result)
        }
        thread.stackSize = stackBytes
        thread.start()
        return try await parsed.value().get()
    }

    private static func parse(_ text: String, _ name: String) throws(DataError) -> JSONValue {
        let node: Node?
        do {
            node = try YAMLDuplicates.compose(text)
        } catch YamlError.memory {
            throw tooDeep(name)
        } catch YamlError.parser(_, let problem, _, _) where problem.lowercased().contains("maximum nesting level") {
            throw tooDeep(name)
        } catch {
            let place = (error as? YamlError).map { "\($0)" } ?? "it cannot be read"
            throw DataError(.fileMalformed, "\(name) is not YAML: \(place.prefix(200))", cause: error)
        }
        guard let node else { return .null }
        var left = valueLimit
        return try value(node, depth: 1, left: &left, name)
    }

    private static func tooDeep(_ name: String) -> DataError {
        DataError(.fileTooLarge, "\(name) nests more than \(depthLimit) levels deep.")
    }

    private static func value(
        _ node: Node,
        depth: Int,
        left: inout Int,
        _ name: String
    ) throws(DataError) -> JSONValue {
        guard depth <= depthLimit || node.scalar != nil else { throw tooDeep(name) }
        left -= 1
        guard left >= 0 else {
            throw DataError(.fileTooLarge, "\(name) has more than \(valueLimit) values, aliases included.")
        }
        switch node {
        case .scalar(let scalar): return value(scalar, node)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(element, depth: depth + 1, left: &left, name)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: [(String, JSONValue)] = []
            var merged = JSONObject()
            for (key, element) in mapping {
                let json = try value(element, depth: depth + 1, left: &left, name)
                guard let key = key.scalar?.string, !YAMLDuplicates.isHidden(key) else { continue }
                if key == "<<" {
                    // The first source that has a name gives its value. One step for all of them, so that it is linear.
                    merged.add(new: (json.array ?? [json]).lazy.flatMap { $0.object ?? [:] })
                    left -= merged.count
                } else {
                    members.append((key, json))
                }
            }
            var object = JSONObject(members)
            object.add(new: merged)
            return .object(object)
        case .alias:
            return .null
        }
    }

    private static func value(_ scalar: Node.Scalar, _ node: Node) -> JSONValue {
        switch node.tag {
        case Tag(.null): return .null
        case Tag(.bool): return node.bool.map { .bool($0) } ?? .string(scalar.string)
        case Tag(.int): return node.int.map { .integer(Int64($0)) } ?? .string(scalar.string)
        case Tag(.float): return node.float.flatMap { $0.isFinite ? .number($0) : nil } ?? .string(scalar.string)
        default: return .string(scalar.string)
        }
    }
}

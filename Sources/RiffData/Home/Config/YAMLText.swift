// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Yams

/// Reads YAML that anybody may have written, into the one model of values.
///
/// What a small file can blow up to is bounded: its size, how deep it nests, and how many values it has once aliases are
/// filled in (a few lines of aliases of aliases are billions).
enum YAMLText {
    static let limitBytes = 4 << 20
    static let depthLimit = 100
    static let valueLimit = 200_000

    /// The value of the first document; `null` for an empty one.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, `fileTooLarge`.
    static func value(of text: String, from name: String) throws(DataError) -> JSONValue {
        guard text.utf8.count <= limitBytes else {
            throw DataError(.fileTooLarge, "\(name) has more than \(limitBytes) bytes of YAML.")
        }
        // The parser calls itself for each level; it must not be led beyond its stack.
        guard mostLevels(in: text) <= depthLimit else {
            throw DataError(.fileTooLarge, "\(name) nests more than \(depthLimit) levels deep.")
        }
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            let place = (error as? YamlError).map { "\($0)" } ?? "it cannot be read"
            throw DataError(.fileMalformed, "\(name) is not YAML: \(place.prefix(200))", cause: error)
        }
        guard let node else { return .null }
        var left = valueLimit
        return try value(node, left: &left, name)
    }

    private static func value(_ node: Node, left: inout Int, _ name: String) throws(DataError) -> JSONValue {
        left -= 1
        guard left >= 0 else {
            throw DataError(.fileTooLarge, "\(name) has more than \(valueLimit) values, aliases included.")
        }
        switch node {
        case .scalar(let scalar): return value(scalar, node)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(element, left: &left, name)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: [(String, JSONValue)] = []
            var merged: [(String, JSONValue)] = []
            for (key, element) in mapping {
                let json = try value(element, left: &left, name)
                guard let key = key.scalar?.string else { continue }
                if key == "<<" {
                    for source in json.array ?? [json] {
                        for member in source.object ?? [:] where !merged.contains(where: { $0.0 == member.key }) {
                            merged.append((member.key, member.value))
                            left -= 1
                        }
                    }
                } else {
                    members.append((key, json))
                }
            }
            var object = JSONObject(members)
            for (key, json) in merged where object[key] == nil { object[key] = json }
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

    /// No less than how deep the text nests: brackets that are open at once, wherever they stand, the indentations that
    /// are open at once, and the dashes and question marks in front of a line.
    private static func mostLevels(in text: String) -> Int {
        var (open, most) = (0, 0)
        var indentations: [Int] = []
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let indentation = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
            while let last = indentations.last, last >= indentation { indentations.removeLast() }
            indentations.append(indentation)
            var dashes = 0
            for byte in line.dropFirst(indentation) {
                if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "?") { dashes += 1 } else if byte != 0x20 { break }
            }
            for byte in line {
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open = max(0, open - 1) }
                // A line of text has many dashes, and a file few levels: only what may begin entries counts.
                most = max(
                    most,
                    open + indentations.count + (dashes > 3 && line.count == indentation + dashes ? 0 : dashes)
                )
            }
        }
        return most
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A JSON text whose fields can be changed one by one, with every other byte left as it is: members this version does
/// not know, their order, white space, the way numbers and texts are written.
///
/// ```swift
/// var document = try JSONDocument(parsing: bytes)
/// try document.set(["jobs", 0, "enabled"], to: false)
/// ```
package struct JSONDocument: Sendable, Hashable {
    /// A step from a value to one inside of it.
    package enum Step: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        /// The member of an object; of several with one name the last.
        case member(String)
        /// The element of a list, from 0.
        case element(Int)

        /// The member of an object.
        package init(stringLiteral value: String) { self = .member(value) }
        /// The element of a list.
        package init(integerLiteral value: Int) { self = .element(value) }
    }

    /// The text, in UTF-8.
    package private(set) var bytes: [UInt8]
    /// The value of the text.
    package private(set) var value: JSONValue

    /// Takes over a text.
    ///
    /// - Throws: ``DataError`` with `fileMalformed`, naming the byte where reading stopped.
    package init(parsing bytes: [UInt8]) throws(DataError) {
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw DataError(.fileMalformed, error.message, cause: error)
        }
        self.bytes = bytes
    }

    /// The value at the end of a path; `nil` where there is none.
    package subscript(_ path: [Step]) -> JSONValue? {
        var value: JSONValue? = value
        for step in path {
            switch step {
            case .member(let name): value = value?[name]
            case .element(let place):
                // `nil` in a condition would be the value null.
                guard let list = value?.array, list.indices.contains(place) else { return Optional.none }
                value = list[place]
            }
        }
        return value
    }

    /// Replaces the value at the end of a path, or adds it: a member that is not there, or the element behind the last.
    /// A value that is there already leaves the text as it is.
    ///
    /// - Throws: ``DataError`` with `noSuchField` where all but the last step of the path does not lead to an object or
    ///   a list, or an element is beyond the list's end; `fileMalformed` for a value that nests too deep to be read
    ///   again. The text is then as it was.
    package mutating func set(_ path: [Step], to new: JSONValue) throws(DataError) {
        if let old = self[path], old.isIdentical(to: new) { return }
        let spans = JSONSpans(bytes: bytes)
        guard let last = path.last else { return try replace(spans.root, with: render(new, indentation: [])) }
        let parent = try span(of: path.dropLast(), in: spans)
        switch last {
        case .member(let name) where spans.isObject(parent):
            let members = spans.members(of: parent)
            if let place = members.lastIndex(where: { Self.isNamed(name, $0, spans) }) {
                try replace(
                    members[place].value,
                    with: render(new, indentation: indentation(of: members[place].name, spans))
                )
            } else {
                try add(new, named: name, to: parent, spans)
            }
        case .element(let place) where spans.isArray(parent):
            let elements = spans.elements(of: parent)
            if elements.indices.contains(place) {
                try replace(elements[place], with: render(new, indentation: indentation(of: elements[place], spans)))
            } else if place == elements.count {
                try add(new, named: nil, to: parent, spans)
            } else {
                throw Self.noField(path)
            }
        default: throw Self.noField(path)
        }
    }

    /// Takes a member or an element away. Nothing there leaves the text as it is.
    package mutating func remove(_ path: [Step]) throws(DataError) {
        guard self[path] != nil, let last = path.last else { return }
        let spans = JSONSpans(bytes: bytes)
        let parent = try span(of: path.dropLast(), in: spans)
        let all: [Range<Int>]
        let removed: Set<Int>
        switch last {
        case .member(let name):
            let members = spans.members(of: parent)
            all = members.map { $0.name.lowerBound..<$0.value.upperBound }
            // All of the name: an earlier one would count again.
            removed = Set(members.indices.filter { Self.isNamed(name, members[$0], spans) })
        case .element(let index):
            all = spans.elements(of: parent)
            removed = [index]
        }
        guard let end = all.last?.upperBound, !removed.isEmpty else { return }
        guard let first = all.indices.first(where: { !removed.contains($0) }) else {
            return try replace(parent.lowerBound + 1..<parent.upperBound - 1, with: [])
        }
        var kept: [UInt8] = []
        var at = all[first].lowerBound
        for place in all.indices where place > first && removed.contains(place) {
            kept += bytes[at..<all[place - 1].upperBound]
            at = all[place].upperBound
        }
        try replace(all[0].lowerBound..<end, with: kept + bytes[at..<max(at, end)])
    }

    // MARK: Places

    private func span(of path: ArraySlice<Step>, in spans: JSONSpans) throws(DataError) -> Range<Int> {
        var span = spans.root
        for step in path {
            switch step {
            case .member(let name) where spans.isObject(span):
                guard let member = spans.members(of: span).last(where: { Self.isNamed(name, $0, spans) }) else {
                    throw Self.noField(Array(path))
                }
                span = member.value
            case .element(let place) where spans.isArray(span):
                let elements = spans.elements(of: span)
                guard elements.indices.contains(place) else { throw Self.noField(Array(path)) }
                span = elements[place]
            default: throw Self.noField(Array(path))
            }
        }
        return span
    }

    /// Whether a member has a name, to the byte.
    private static func isNamed(_ name: String, _ member: JSONSpans.Member, _ spans: JSONSpans) -> Bool {
        // It was read before, so that it reads.
        (try? JSONValue(parsing: spans.bytes[member.name]))?.text?.isSame(bytes: name) == true
    }

    private static func noField(_ path: [Step]) -> DataError {
        let words = path.map { step in
            switch step {
            case .member(let name): ".\(name)"
            case .element(let place): "[\(place)]"
            }
        }
        return DataError(.noSuchField, "The JSON text has no place \(words.joined()).")
    }

    // MARK: Changes

    private mutating func replace(_ span: Range<Int>, with new: [UInt8]) throws(DataError) {
        var changed = bytes
        changed.replaceSubrange(span, with: new)
        // What is put there is JSON, but may nest deeper than what is read.
        do { value = try JSONValue(parsing: changed) } catch {
            throw DataError(.fileMalformed, "The change could not be read again: \(error.message)", cause: error)
        }
        bytes = changed
    }

    /// Adds behind the last entry, written as that one is: the space in front of it, and the space behind its colon.
    private mutating func add(_ new: JSONValue, named name: String?, to parent: Range<Int>, _ spans: JSONSpans)
        throws(DataError)
    {
        let label = name.map { JSONValue.string($0).bytes() }
        let members = name == nil ? [] : spans.members(of: parent)
        let entries =
            name == nil
            ? spans.elements(of: parent) : members.map { $0.name.lowerBound..<$0.value.upperBound }
        guard let last = entries.last else {
            let inner = indentation(of: parent, spans) + (unit.isEmpty ? [] : unit)
            let breaks = !unit.isEmpty
            var text: [UInt8] = breaks ? [0x0A] + inner : []
            if let label { text += label + [0x3A, 0x20] }
            text += render(new, indentation: inner)
            if breaks { text += [0x0A] + indentation(of: parent, spans) }
            return try replace(parent.lowerBound + 1..<parent.upperBound - 1, with: text)
        }
        let before = spans.space(before: last.lowerBound)
        var text: [UInt8] = [0x2C] + bytes[before]
        // A single entry beside its bracket has no space in front of it; others get one where the text is spaced.
        if entries.count == 1, before.isEmpty, isSpaced(members.last, spans) { text.append(0x20) }
        if let label {
            text += label
            if let member = members.last { text += bytes[member.name.upperBound..<member.value.lowerBound] }
        }
        text += render(new, indentation: indentation(of: last, spans))
        try replace(last.upperBound..<last.upperBound, with: text)
    }

    private func isSpaced(_ member: JSONSpans.Member?, _ spans: JSONSpans) -> Bool {
        guard let member else { return false }
        return bytes[member.name.upperBound..<member.value.lowerBound].contains(0x20)
    }

    /// The white space at the beginning of the line that a place is on.
    private func indentation(of span: Range<Int>, _ spans: JSONSpans) -> [UInt8] {
        let start = bytes[..<span.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return Array(bytes[start...].prefix { $0 == 0x20 || $0 == 0x09 })
    }

    /// One level of indentation as the text has it; empty for a text in one line.
    private var unit: [UInt8] {
        guard let line = bytes.firstIndex(of: 0x0A) else { return [] }
        let unit = bytes[(line + 1)...].prefix { $0 == 0x20 || $0 == 0x09 }
        return unit.isEmpty ? [0x20, 0x20] : Array(unit)
    }

    /// A value as text, its nested lines indented as the text's own are.
    private func render(_ value: JSONValue, indentation: [UInt8]) -> [UInt8] {
        let unit = unit
        guard !unit.isEmpty else { return value.bytes() }
        let inner = indentation + unit
        var parts: [[UInt8]] = []
        let brackets: (UInt8, UInt8)
        switch value {
        case .array(let elements) where !elements.isEmpty:
            brackets = (0x5B, 0x5D)
            parts = elements.map { render($0, indentation: inner) }
        case .object(let members) where !members.isEmpty:
            brackets = (0x7B, 0x7D)
            parts = members.map {
                JSONValue.string($0.key).bytes() + [0x3A, 0x20] + render($0.value, indentation: inner)
            }
        default: return value.bytes()
        }
        let lines = parts.map { [0x0A] + inner + $0 }
        return [brackets.0] + Array(lines.joined(separator: [0x2C])) + [0x0A] + indentation + [brackets.1]
    }
}

extension JSONValue {
    /// Whether two are the same to the letter: texts are equal to Swift also where their letters are written otherwise.
    fileprivate func isIdentical(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let left), .object(let right)):
            guard left == right else { return false }
            // Equal ones may differ in their order.
            let members = Dictionary(right.map { (Array($0.key.utf8), $0.value) }) { first, _ in first }
            return left.allSatisfy { members[Array($0.key.utf8)]?.isIdentical(to: $0.value) == true }
        default: return self == other
        }
    }
}

extension DataErrorCode {
    /// A file is not of the kind that its name says (JSON, YAML, a cron table).
    public static let fileMalformed = DataError.Code(rawValue: "fileMalformed")
    /// A field that was to be changed has no place in the file.
    package static let noSuchField = DataError.Code(rawValue: "noSuchField")
}

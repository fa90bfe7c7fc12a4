// Riff
// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object, in the order in which they were written; each name once.
///
/// Looking up walks the members: objects on a wire are small. Where a peer wrote a name twice, the last value counts.
public struct JSONObject: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let key: String
        /// Its value.
        public internal(set) var value: JSONValue
    }

    private var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// An object of these members; of members with one name the last counts.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init(uniquing: members.map { Member(key: $0.0, value: $0.1) })
    }

    /// Takes over members as they were read.
    init(uniquing members: [Member]) {
        self.members = members
        if !Self.isUnique(members) { removeOverwritten() }
    }

    private static let few = 16

    private static func isUnique(_ members: [Member]) -> Bool {
        // A walk is quickest for the few members that messages have; many would make it quadratic.
        guard members.count <= few else { return Set(members.lazy.map(\.key)).count == members.count }
        for index in members.indices.dropFirst() {
            let key = members[index].key
            for earlier in 0..<index where members[earlier].key == key { return false }
        }
        return true
    }

    private mutating func removeOverwritten() {
        var places: [String: Int] = [:]
        var kept: [Member] = []
        for member in members {
            if let place = places[member.key] {
                kept[place] = member
            } else {
                places[member.key] = kept.count
                kept.append(member)
            }
        }
        members = kept
    }

    /// How many members there are.
    public var count: Int { members.count }
    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }
    /// The names, in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a member; `nil` where there is none. Setting `nil` removes it, setting a new one adds it at the
    /// end.
    public subscript(_ key: String) -> JSONValue? {
        get {
            for member in members where member.key == key { return member.value }
            return nil
        }
        set {
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a member whose name is known to be new.
    package mutating func append(_ key: String, _ value: JSONValue) { members.append(Member(key: key, value: value)) }

    /// Makes room for members that will be added.
    package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    // MARK: Equality

    /// Whether both have the same members, in whatever order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left.members, right.members).allSatisfy({ $0.key == $1.key }) {
            return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
        }
        let others = Dictionary(right.members.lazy.map { ($0.key, $0.value) }) { first, _ in first }
        return left.members.allSatisfy { others[$0.key] == $0.value }
    }

    /// Hashes the members, whatever their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members { sum ^= member.hashValue }
        hasher.combine(sum)
    }
}

extension JSONObject: RandomAccessCollection {
    /// The first place.
    public var startIndex: Int { members.startIndex }
    /// The place behind the last.
    public var endIndex: Int { members.endIndex }
    /// The member at a place.
    public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of these members.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}

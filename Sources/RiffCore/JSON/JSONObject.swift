// Riff
// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object, in the order in which they were written; each name once. Names are compared by their
/// bytes (RFC 8259, section 8.3).
///
/// Looking up walks the members: objects on a wire are small. Where a peer wrote a name twice, the last value counts.
public struct JSONObject: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public let key: String
        /// The member's value.
        public internal(set) var value: JSONValue

        /// Whether two members have the same name, to the byte, and the same value.
        public static func == (left: Member, right: Member) -> Bool {
            isSame(left.key, right.key) && left.value == right.value
        }

        /// Hashes the name and the value.
        public func hash(into hasher: inout Hasher) {
            ByteName(key).hash(into: &hasher)
            hasher.combine(value)
        }
    }

    /// Whether two names are the same to the byte. Names that differ to Swift differ in their bytes as well, and that
    /// is found sooner.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left == right && left.utf8.elementsEqual(right.utf8)
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
        guard members.count <= few else { return Set(members.lazy.map { ByteName($0.key) }).count == members.count }
        for index in members.indices.dropFirst() {
            let key = members[index].key
            for earlier in 0..<index where Self.isSame(members[earlier].key, key) { return false }
        }
        return true
    }

    private mutating func removeOverwritten() {
        var places: [ByteName: Int] = [:]
        var kept: [Member] = []
        for member in members {
            let name = ByteName(member.key)
            if let place = places[name] {
                kept[place] = member
            } else {
                places[name] = kept.count
                kept.append(member)
            }
        }
        members = kept
    }

    /// The number of members.
    public var count: Int { members.count }
    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }
    /// The names, in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a member; `nil` where there is none. Setting `nil` removes it, setting a new one adds it at the
    /// end.
    public subscript(_ key: String) -> JSONValue? {
        get {
            for member in members where Self.isSame(member.key, key) { return member.value }
            return nil
        }
        set {
            let place = members.firstIndex { Self.isSame($0.key, key) }
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

    /// Adds the members of others whose names are new here, the first one of each name.
    ///
    /// Its work is linear: no name is looked for by a walk once there are many.
    package mutating func add(new others: some Sequence<Member>) {
        var others = others.makeIterator()
        while members.count <= Self.few, let member = others.next() {
            if self[member.key] == nil { members.append(member) }
        }
        guard var member = others.next() else { return }
        var names = Set(members.lazy.map { ByteName($0.key) })
        while true {
            if names.insert(ByteName(member.key)).inserted { members.append(member) }
            guard let next = others.next() else { return }
            member = next
        }
    }

    /// Sets members, and takes away those that are null in the changes. Linear also where there are many.
    package mutating func apply(_ changes: some Sequence<Member>) {
        var places: [ByteName: Int] = [:]
        places.reserveCapacity(members.count)
        for (place, member) in members.enumerated() { places[ByteName(member.key)] = place }
        var removed: Set<Int> = []
        for change in changes {
            let name = ByteName(change.key)
            if let place = places[name] {
                members[place].value = change.value
                if change.value == .null { removed.insert(place) } else { removed.remove(place) }
            } else if change.value != .null {
                places[name] = members.count
                members.append(change)
            }
        }
        if !removed.isEmpty { members = members.enumerated().filter { !removed.contains($0.offset) }.map(\.element) }
    }

    /// Makes room for members that will be added.
    package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    // MARK: Equality

    /// Whether both have the same members, in whatever order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left.members, right.members).allSatisfy({ isSame($0.key, $1.key) }) {
            return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
        }
        let others = Dictionary(right.members.lazy.map { (ByteName($0.key), $0.value) }) { first, _ in first }
        return left.members.allSatisfy { others[ByteName($0.key)] == $0.value }
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

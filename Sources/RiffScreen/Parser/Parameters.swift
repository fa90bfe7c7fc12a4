// Riff
// SPDX-License-Identifier: Apache-2.0

/// The numbers of a control sequence: at most 24 in 63 bytes, as in tmux, with the difference between `;` and `:`.
struct Parameters {
    private static let missing = UInt32.max
    private static let maximumCount = 24
    private static let maximumBytes = 63

    private var values: [UInt32] = []
    /// The number that is being read.
    private var current = missing
    /// Bit i is set where value i belongs to the one before it (`:` between them).
    private var joined: UInt32 = 0
    private var byteCount = 0

    init() { values.reserveCapacity(Self.maximumCount) }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        current = Self.missing
        joined = 0
        byteCount = 0
    }

    /// Takes a digit, `;` or `:`.
    ///
    /// - Returns: Whether there was room; a sequence with too many numbers means nothing.
    mutating func take(_ byte: UInt8) -> Bool {
        byteCount += 1
        guard byteCount <= Self.maximumBytes else { return false }
        if byte >= 0x3A {
            guard values.count < Self.maximumCount - 1 else { return false }
            values.append(current)
            current = Self.missing
            if byte == 0x3A { joined |= 1 << UInt32(values.count) }
            return true
        }
        let digit = UInt32(byte - 0x30)
        current = current == Self.missing ? digit : min(current * 10 + digit, 1 << 24)
        return true
    }

    /// Says that nothing more comes.
    mutating func finish() { if byteCount > 0 { values.append(current) } }

    var count: Int { values.count }

    /// The index of the first number that has others joined to it by a colon, which mean something to SGR alone.
    var firstGroup: Int? { joined == 0 ? nil : joined.trailingZeroBitCount - 1 }

    /// Leaves out the numbers from an index on.
    mutating func removeAll(from index: Int) { values.removeSubrange(index...) }

    /// A number; the default where it is missing.
    func value(_ index: Int, default fallback: Int = 0) -> Int {
        guard index < values.count, values[index] != Self.missing else { return fallback }
        return Int(values[index])
    }

    /// A count, which is at least 1.
    func countValue(_ index: Int = 0) -> Int { max(value(index, default: 1), 1) }

    /// Whether a number was left out before a `;`, or never came.
    func isMissing(_ index: Int) -> Bool { index >= values.count || values[index] == Self.missing }

    /// Returns a number without others joined to it; -1 if it is missing or has others joined to it.
    func single(_ index: Int) -> Int { endOfGroup(index) == index + 1 ? value(index, default: -1) : -1 }

    /// The index after the numbers that are joined to this one by `:`.
    func endOfGroup(_ index: Int) -> Int {
        var next = index + 1
        while next < values.count, joined & (1 << UInt32(next)) != 0 { next += 1 }
        return next
    }
}

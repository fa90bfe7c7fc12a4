// Riff
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends an integer, least significant byte first.
    package mutating func appendLittleEndian<Value: FixedWidthInteger>(_ value: Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }

    /// Reads an integer that starts at `offset`, least significant byte first. The bytes must be there.
    package func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
        var value: Value = 0
        for index in 0..<(Value.bitWidth / 8) {
            value |= Value(truncatingIfNeeded: self[offset + index]) << Value(index * 8)
        }
        return value
    }

    /// Appends an integer, most significant byte first.
    package mutating func appendBigEndian<Value: FixedWidthInteger>(_ value: Value) {
        appendLittleEndian(value.byteSwapped)
    }

    /// Reads an integer that starts at `offset`, most significant byte first. The bytes must be there.
    package func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
        littleEndian(type, at: offset).byteSwapped
    }
}

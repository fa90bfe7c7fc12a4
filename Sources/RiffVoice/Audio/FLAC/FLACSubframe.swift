// Riff
// SPDX-License-Identifier: Apache-2.0

/// One channel of a FLAC frame (RFC 9639, section 9.2): the same value throughout, differences of an order of 0 to 4 in
/// Rice codes, or the samples as they are, whichever is shortest.
struct FLACSubframe: Sendable {
    private enum Kind: Sendable {
        case constant
        case verbatim
        case fixed(order: Int, residual: [UInt32], RiceCode)
    }

    /// The most bits that it takes.
    let bits: Int

    private let samples: [Int32]
    private let width: Int
    private let kind: Kind

    /// A plan for these samples; at least one.
    ///
    /// - Parameters:
    ///   - samples: Up to 65,535 of them.
    ///   - width: Bits of one sample.
    init(_ samples: [Int32], width: Int) {
        (self.samples, self.width) = (samples, width)
        if samples.allSatisfy({ $0 == samples[0] }) {
            (kind, bits) = (.constant, 8 + width)
            return
        }
        let (order, differences) = FLACSubframe.differences(of: samples)
        // Small numbers of either sign become small numbers.
        let residual = differences.dropFirst(order).map { UInt32(bitPattern: $0 << 1 ^ $0 >> 31) }
        let code = RiceCode(residual, blockSize: samples.count, order: order)
        let fixed = 8 + order * width + code.bits
        let verbatim = 8 + samples.count * width
        (kind, bits) =
            fixed < verbatim ? (.fixed(order: order, residual: residual, code), fixed) : (.verbatim, verbatim)
    }

    func write(to writer: inout BitWriter) {
        switch kind {
        case .constant:
            writer.append(0b0000_0000, bits: 8)
            writer.append(Int(samples[0]), bits: width)
        case .verbatim:
            writer.append(0b0000_0010, bits: 8)
            for sample in samples { writer.append(Int(sample), bits: width) }
        case .fixed(let order, let residual, let code):
            writer.append(0b0001_0000 | order << 1, bits: 8)
            for sample in samples.prefix(order) { writer.append(Int(sample), bits: width) }
            code.write(residual, to: &writer)
        }
    }

    /// The order whose differences are smallest, and those differences; the first `order` of them mean nothing.
    private static func differences(of samples: [Int32]) -> (order: Int, differences: [Int32]) {
        func size(_ differences: [Int32]) -> Int { differences.dropFirst(4).reduce(0) { $0 + Int(abs($1)) } }
        var best = (order: 0, differences: samples, size: size(samples))
        var differences = samples
        for order in 1...4 where samples.count > order {
            // From the end, so that each sees its neighbor as it was.
            for index in stride(from: samples.count - 1, through: order, by: -1) {
                differences[index] -= differences[index - 1]
            }
            let size = size(differences)
            if size < best.size { best = (order, differences, size) }
        }
        return (best.order, best.differences)
    }
}

/// The packing of a channel's differences: in equal parts, each with a number of low bits that are written as they are,
/// while the rest is counted (RFC 9639, section 9.2.7).
struct RiceCode: Sendable {
    /// The most bits that it takes.
    private(set) var bits = Int.max

    private var partitionOrder = 0
    /// One for each part, 0 to 14.
    private var parameters: [Int] = []
    private let blockSize: Int
    private let order: Int

    /// The shortest code of up to 64 parts.
    init(_ residual: [UInt32], blockSize: Int, order: Int) {
        (self.blockSize, self.order) = (blockSize, order)
        var parts = min(6, blockSize.trailingZeroBitCount)
        while parts > 0, blockSize >> parts <= order { parts -= 1 }
        var sums = [Int](repeating: 0, count: 1 << parts)
        let length = blockSize >> parts
        for (index, value) in residual.enumerated() { sums[(index + order) / length] += Int(value) }
        while true {
            let chosen = sums.enumerated().map { part, sum in RiceCode.choose(count(part, of: sums.count), sum) }
            let total = chosen.reduce(6) { $0 + 4 + $1.bits }
            if total < bits { (bits, partitionOrder, parameters) = (total, parts, chosen.map(\.parameter)) }
            guard parts > 0 else { return }
            parts -= 1
            sums = stride(from: 0, to: sums.count, by: 2).map { sums[$0] + sums[$0 + 1] }
        }
    }

    func write(_ residual: [UInt32], to writer: inout BitWriter) {
        writer.append(0b00, bits: 2)
        writer.append(partitionOrder, bits: 4)
        var index = 0
        for (part, parameter) in parameters.enumerated() {
            writer.append(parameter, bits: 4)
            for value in residual[index..<(index + count(part, of: parameters.count))] {
                writer.appendUnary(Int(value >> UInt32(parameter)))
                writer.append(Int(value), bits: parameter)
            }
            index += count(part, of: parameters.count)
        }
    }

    /// The first part has the samples in it that are not predicted.
    private func count(_ part: Int, of parts: Int) -> Int { blockSize / parts - (part == 0 ? order : 0) }

    private static func choose(_ count: Int, _ sum: Int) -> (parameter: Int, bits: Int) {
        var best = (parameter: 0, bits: Int.max)
        for parameter in 0...14 {
            let bits = count * (parameter + 1) + sum >> parameter
            if bits < best.bits { best = (parameter, bits) }
        }
        return best
    }
}

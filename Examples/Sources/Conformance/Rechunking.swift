// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How the bytes of a case arrive: a parser has to give the same result for each.
enum Rechunking: ExpressibleByArgument {
    /// As the case has them.
    case asIs
    /// One by one.
    case single
    /// All at once.
    case whole
    /// In pieces of chance, 0 to 16 bytes long, the same each time for one seed.
    case random(UInt64)

    init?(argument: String) {
        switch argument {
        case "asis": self = .asIs
        case "1": self = .single
        case "whole": self = .whole
        default:
            guard argument.hasPrefix("random:"), let seed = UInt64(argument.dropFirst(7)) else { return nil }
            self = .random(seed)
        }
    }

    var defaultValueDescription: String { "asis" }

    func cut(_ chunks: [[UInt8]]) -> [[UInt8]] {
        switch self {
        case .asIs: return chunks
        case .single: return chunks.flatMap(\.self).map { [$0] }
        case .whole: return [chunks.flatMap(\.self)]
        case .random(let seed):
            var state = seed
            var rest = chunks.flatMap(\.self)[...]
            var parts: [[UInt8]] = []
            while !rest.isEmpty {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let part = rest.prefix(Int(state >> 33) % 17)
                parts.append(Array(part))
                rest = rest.dropFirst(part.count)
            }
            return parts
        }
    }
}

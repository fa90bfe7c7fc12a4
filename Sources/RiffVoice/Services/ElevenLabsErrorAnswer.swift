// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `{"detail":{"status","message"}}`, `{"detail":[{"loc","msg","type"}]}` or `{"detail":"..."}`.
struct ElevenLabsErrorAnswer: Decodable {
    struct Detail: Decodable {
        let status: String?
        let code: String?
    }
    struct Problem: Decodable {
        let loc: [Place]
    }
    /// A step of a path in the request: a name or an index.
    enum Place: Decodable {
        case name(String)
        case index
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) { self = .name(name) } else { self = .index }
        }
    }

    let word: String?

    enum CodingKeys: CodingKey { case detail }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // One of three forms: a mismatch only means that it is another one.
        if let detail = try? container.decode(Detail.self, forKey: .detail) {
            word = detail.status ?? detail.code
        } else if let problems = try? container.decode([Problem].self, forKey: .detail) {
            // The name of the field that was refused.
            word = problems.first?.loc.compactMap { if case .name(let name) = $0 { name } else { nil } }.last
        } else {
            word = nil
        }
    }

    /// The service's word for the error; `nil` where the body has none, as from a proxy on the way.
    static func word(in body: [UInt8]) -> String? {
        let answer = try? JSONDecoder().decode(ElevenLabsErrorAnswer.self, from: Data(body))
        return ServiceFailure.word(answer?.word)
    }
}

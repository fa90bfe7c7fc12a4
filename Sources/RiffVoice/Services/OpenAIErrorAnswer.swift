// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `{"error":{"message","type","param","code"}}`; compatible servers leave parts of it out.
struct OpenAIErrorAnswer: Decodable {
    struct Problem: Decodable {
        let type: String?
        let code: String?

        enum CodingKeys: CodingKey { case type, code }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Some servers put a number here, which says no more than the status does.
            type = try? container.decode(String.self, forKey: .type)
            code = try? container.decode(String.self, forKey: .code)
        }
    }

    let error: Problem

    /// The service's word for the error; `nil` where the body has none, as from a proxy on the way.
    static func word(in body: [UInt8]) -> String? {
        let answer = try? JSONDecoder().decode(OpenAIErrorAnswer.self, from: Data(body))
        return ServiceFailure.word(answer?.error.code) ?? ServiceFailure.word(answer?.error.type)
    }
}

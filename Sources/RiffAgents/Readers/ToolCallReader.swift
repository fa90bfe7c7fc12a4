// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension AgentFacts {
    /// A tool's use as a question about it would name it.
    func question(
        tool: String,
        input: JSONValue?,
        id: String? = nil,
        binding: AgentQuestion.Binding? = nil
    ) -> AgentQuestion {
        let word = tools[ByteName(tool)]
        let subject = word?.subjects.lazy.compactMap { input?[$0] }.compactMap(Self.text).first ?? ""
        let options = input?["questions"]?.array?.first?["options"]?.array?.compactMap { $0["label"]?.text } ?? []
        return AgentQuestion(
            kind: word?.kind ?? .permission,
            tool: word?.name ?? tool,
            subject: subject,
            id: id,
            options: options.map { AgentQuestion.Option($0) },
            binding: binding
        )
    }

    /// The text of an input's member; of a list of questions the first one's.
    private static func text(_ value: JSONValue) -> String? {
        if let text = value.text { return text }
        guard let list = value.array else { return nil }
        if let question = list.first?["question"]?.text { return question }
        let words = list.compactMap(\.text)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

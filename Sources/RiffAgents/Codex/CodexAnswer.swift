// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Answers to requests of Codex's app-server, in the words of its schema of version 0.163.0.
enum CodexAnswer {
    /// The result for a request; `nil` if the request does not take such an answer.
    static func result(_ answer: QuestionAnswer, to method: String, _ parameters: JSONValue) -> JSONValue? {
        switch method {
        case "item/commandExecution/requestApproval", "item/fileChange/requestApproval":
            switch answer {
            case .allow: ["decision": "accept"]
            // The turn goes on; the model is told that it may not, and not why.
            case .deny: ["decision": "decline"]
            case .cancel: ["decision": "cancel"]
            case .choose: nil
            }
        case "item/permissions/requestApproval":
            switch answer {
            case .allow: parameters["permissions"].map { ["permissions": $0, "scope": "turn"] }
            case .deny: ["permissions": .object([:]), "scope": "turn"]
            case .cancel, .choose: nil
            }
        case "item/tool/requestUserInput": choice(answer, parameters)
        default: nil
        }
    }

    private static func choice(_ answer: QuestionAnswer, _ parameters: JSONValue) -> JSONValue? {
        guard case .choose(let texts) = answer, let questions = parameters["questions"]?.array,
            questions.count == texts.count
        else { return nil }
        var answers = JSONObject()
        for (question, text) in zip(questions, texts) {
            guard let id = CodexName.read(question["id"]), answers[id] == nil else { return nil }
            answers.write(id, JSONValue.object(["answers": [.string(text)]]))
        }
        return ["answers": .object(answers)]
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension AgentFacts {
    /// The most bytes of a facts file.
    public static let limitBytes = 1 << 20

    /// Reads a facts file.
    ///
    /// - Parameter bytes: The file, JSON.
    /// - Throws: ``CoreError`` with `invalidJSON`, or `unexpectedJSON` if the format is another one, a member is of
    ///   the wrong kind, or a meaning is none that this version has.
    public init(parsing bytes: [UInt8]) throws(CoreError) {
        guard bytes.count <= Self.limitBytes else {
            throw CoreError(.unexpectedJSON, "a facts file has at most \(Self.limitBytes) bytes")
        }
        try self.init(json: try JSONValue(parsing: bytes))
    }

    package init(json: JSONValue) throws(CoreError) {
        guard json["format"]?.integer == Int64(Self.format) else {
            throw CoreError(.unexpectedJSON, "format: \(Self.format) is expected")
        }
        let reader = FactsReader(json)
        agent = AgentKind(rawValue: try reader.text("agent"))
        seenVersion = try reader.text("seenVersion")
        programs = try reader.texts("programs")
        status = try reader.words("status")
        waitingFor = try reader.words("waitingFor")
        programStatusApp = json["programStatusApp"]?.text ?? ""
        programStatus = try reader.words("programStatus")
        hooks = try reader.words("hooks")
        records = try reader.words("records")
        threads = try reader.words("threads")
        requests = try reader.names("requests")
        tools = try reader.tools("tools")
        promptWrapper = json["promptWrapper"]?.text ?? ""
        screen = try FactsReader(json["screen"] ?? .object(JSONObject())).screen()
        launch = try FactsReader(json["launch"] ?? .object(JSONObject())).launch()
        places = try FactsReader(json["places"] ?? .object(JSONObject())).places()
    }
}

/// Reads the members of a facts file.
struct FactsReader {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    func text(_ name: String) throws(CoreError) -> String {
        guard let text = json[name]?.text else { throw wrong(name, "a text") }
        return text
    }

    func texts(_ name: String) throws(CoreError) -> [String] {
        guard let member = json[name] else { return [] }
        guard let array = member.array else { throw wrong(name, "a list of texts") }
        var texts: [String] = []
        for element in array {
            guard let text = element.text else { throw wrong(name, "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    func names(_ name: String) throws(CoreError) -> [ByteName: String] {
        guard let member = json[name] else { return [:] }
        guard let object = member.object else { throw wrong(name, "an object") }
        var names: [ByteName: String] = [:]
        for member in object {
            guard let text = member.value.text else { throw wrong("\(name).\(member.key)", "a text") }
            names[ByteName(member.key)] = text
        }
        return names
    }

    func words<Word: RawRepresentable<String>>(_ name: String) throws(CoreError) -> [ByteName: Word] {
        var words: [ByteName: Word] = [:]
        for (key, text) in try names(name) {
            guard let word = Word(rawValue: text) else { throw wrong("\(name).\(key.text)", "a known meaning") }
            words[key] = word
        }
        return words
    }

    func tools(_ name: String) throws(CoreError) -> [ByteName: AgentFacts.ToolWord] {
        guard let member = json[name] else { return [:] }
        guard let object = member.object else { throw wrong(name, "an object") }
        var tools: [ByteName: AgentFacts.ToolWord] = [:]
        for member in object {
            let reader = FactsReader(member.value)
            tools[ByteName(member.key)] = AgentFacts.ToolWord(
                name: try reader.text("name"),
                kind: AgentQuestion.Kind(rawValue: member.value["kind"]?.text ?? "permission"),
                subjects: try reader.texts("subjects")
            )
        }
        return tools
    }

    func signs(_ name: String) throws(CoreError) -> [ScreenFacts.Sign] {
        guard let member = json[name] else { return [] }
        guard let array = member.array else { throw wrong(name, "a list") }
        var signs: [ScreenFacts.Sign] = []
        for element in array {
            let reader = FactsReader(element)
            let text = try reader.text("text")
            // An empty text is on every screen.
            guard !text.isEmpty else { throw wrong(name, "a text that is not empty") }
            signs.append(ScreenFacts.Sign(word: try reader.text("is"), text: text))
        }
        return signs
    }

    func screen() throws(CoreError) -> ScreenFacts {
        var screen = ScreenFacts()
        if let composer = json["composer"] {
            let reader = FactsReader(composer)
            screen.composer = ScreenFacts.Composer(
                sign: try reader.text("sign"),
                rule: composer["rule"]?.text ?? "",
                footers: try reader.texts("footers"),
                modes: try reader.texts("modes"),
                scrolled: composer["scrolled"]?.text ?? "",
                pastes: try reader.texts("pastes")
            )
        }
        if let keys = json["answerKeys"] {
            guard let word = keys.text.flatMap(ScreenFacts.AnswerKeys.init) else {
                throw wrong("answerKeys", "a known kind")
            }
            screen.answerKeys = word
        }
        screen.pointers = try texts("pointers")
        screen.questions = try signs("questions")
        screen.titles = try signs("titles")
        screen.dialogs = try signs("dialogs")
        screen.holds = try signs("holds")
        screen.working = try signs("working")
        screen.interrupted = try signs("interrupted")
        screen.background = try signs("background")
        screen.trouble = try signs("trouble")
        screen.waitingTitles = try signs("waitingTitles")
        screen.subjectRule = json["subjectRule"]?.text ?? ""
        screen.subjectMarks = try texts("subjectMarks")
        screen.allowing = try texts("allowing")
        screen.deniesByEscape = json["deniesByEscape"]?.bool ?? false
        return screen
    }

    func wrong(_ name: String, _ expected: String) -> CoreError {
        CoreError(.unexpectedJSON, "\(name): \(expected) is expected")
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

// Three messages share the number 60: the method that was asked for says which of them it is.

/// A key would do (RFC 4252 section 7).
package struct SSHKeyAcceptable: SSHMessage {
    package static let number: UInt8 = 60
    package var algorithm: String
    package var blob: [UInt8]

    package init(algorithm: String, blob: [UInt8]) {
        self.algorithm = algorithm
        self.blob = blob
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        algorithm = try reader.readName()
        blob = Array(try reader.readString())
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: algorithm)
        writer.write(string: blob)
    }
}

/// The password has to be replaced (RFC 4252 section 8).
package struct SSHPasswordChangeRequest: SSHMessage {
    package static let number: UInt8 = 60
    package var prompt: String

    package init(prompt: String) { self.prompt = prompt }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        prompt = try reader.readText()
        _ = try reader.readRest()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: prompt)
        writer.write(text: "")
    }
}

/// Questions for a person (RFC 4256 section 3.2).
package struct SSHQuestions: SSHMessage {
    package static let number: UInt8 = 60
    /// The most in one message.
    package static let limit = 64
    package var name: String
    package var instruction: String
    package var prompts: [Prompt]

    /// One question.
    package struct Prompt: Sendable, Hashable {
        package var text: String
        /// Whether the answer may be shown while it is typed.
        package var isEchoed: Bool

        package init(text: String, isEchoed: Bool) {
            self.text = text
            self.isEchoed = isEchoed
        }
    }

    package init(name: String, instruction: String, prompts: [Prompt]) {
        self.name = name
        self.instruction = instruction
        self.prompts = prompts
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        name = try reader.readText()
        instruction = try reader.readText()
        _ = try reader.readString()
        let count = try reader.readUInt32()
        guard count <= Self.limit else { throw SSHWireReader.malformed }
        prompts = []
        for _ in 0..<count {
            let text = try reader.readText()
            prompts.append(Prompt(text: text, isEchoed: try reader.readBool()))
        }
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: name)
        writer.write(text: instruction)
        writer.write(text: "")
        writer.write(uint32: UInt32(prompts.count))
        for prompt in prompts {
            writer.write(text: prompt.text)
            writer.write(bool: prompt.isEchoed)
        }
    }
}

/// The answers to questions (RFC 4256 section 3.4).
package struct SSHAnswers: SSHMessage {
    package static let number: UInt8 = 61
    package var answers: [[UInt8]]

    package init(answers: [[UInt8]]) { self.answers = answers }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        let count = try reader.readUInt32()
        guard count <= SSHQuestions.limit else { throw SSHWireReader.malformed }
        answers = []
        for _ in 0..<count { answers.append(Array(try reader.readString())) }
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(uint32: UInt32(answers.count))
        for answer in answers { writer.write(string: answer) }
    }
}

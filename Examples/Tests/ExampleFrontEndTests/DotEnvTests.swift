// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleFrontEnd
import Testing

@Suite struct DotEnvTests {
    @Test(arguments: [
        ("A=b", "b"), (" A = b ", "b"), ("export A=b", "b"), ("A=", ""), ("A=''", ""), ("A=\"\"", ""),
        ("A=b c # d", "b c"),
        ("A=b#c", "b#c"), ("A=#c", ""), ("A='b # \\n$C'", "b # \\n$C"), ("A=\"b\\n\\\"\\\\\\x\"", "b\n\"\\\\x"),
        ("A='b' # c", "b"), ("# B=c\n\nA=b\r\n", "b"), ("A=1\nA=2", "2"), ("A=a=b", "a=b"), ("A=日本", "日本"),
    ])
    func `a variable is read`(text: String, value: String) throws {
        #expect(try DotEnv.variables(in: text) == ["A": value])
    }

    @Test(arguments: [
        "topsecret", "=topsecret", "1A=topsecret", "A B=topsecret", "A='topsecret", "A=\"topsecret\\",
        "A='topsecret' x",
    ])
    func `another line is an error that names its number and quotes nothing`(line: String) {
        let error = #expect(throws: DotEnvError.self) { _ = try DotEnv.variables(in: "B=c\n\(line)\n") }
        #expect(error?.line == 2 && error?.description.contains("Line 2 ") == true)
        #expect(error?.description.contains("topsecret") == false)
    }
}

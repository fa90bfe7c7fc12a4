// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import Testing

struct ShellProcessTests {
    @Test(arguments: [
        "-zsh", "-bash", "bash", "/bin/bash --login", "bash --norc --noprofile -i", "zsh -il", "fish", "dash +m",
        "bash --rcfile /home/me/.rc -i", "zsh -o vi", "/usr/bin/fish -l",
    ])
    func `a shell that takes commands from the terminal is at its prompt`(line: String) {
        #expect(ShellProcess.isAtItsPrompt([line]))
    }

    @Test(arguments: [
        [], [""], ["bash deploy.sh"], ["/bin/bash ./deploy"], ["bash -c read x"], ["sh -ec read x"],
        ["bash", "sleep 5"],
        ["vim notes"], ["zsh -o"], ["fish --command=read"], ["pwsh --command read"], ["bash -i script"],
    ])
    func `a script, a command of its own and other programs are not`(lines: [String]) {
        #expect(!ShellProcess.isAtItsPrompt(lines))
    }
}

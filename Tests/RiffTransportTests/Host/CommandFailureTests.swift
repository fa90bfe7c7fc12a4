// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct CommandFailureTests {
    @Test(
        arguments: [
            (127, "sh: 1: nosuch: not found", .programNotFound),
            (126, "sh: 1: ./notes.txt: Permission denied", .programNotExecutable),
            (1, "cat: /root/x: Permission denied", .permissionDenied),
            (1, "rm: cannot remove 'x': Operation not permitted", .permissionDenied),
            (1, "ls: cannot access '/none': No such file or directory", .fileNotFound),
            (1, "tee: /data/x: No space left on device\n", .noSpace),
            (1, "cp: error writing 'x': Disk quota exceeded", .noSpace),
            (1, "touch: cannot touch 'x': Read-only file system", .readOnlyFileSystem),
            (2, "sh: 1: Cannot fork: Resource temporarily unavailable", .outOfResources),
            (255, "git@host: Permission denied (publickey).", .notAuthorized),
            (1, "Password change required but no TTY available.", .notAuthorized),
            (255, "ssh: Could not resolve hostname nowhere: Name or service not known", .hostNotFound),
            (255, "ssh: connect to host h port 22: Connection refused", .connectionRefused),
            (255, "ssh: connect to host h port 22: No route to host", .unreachable),
            (255, "Host key verification failed.", .remoteHostKeyRefused),
            (255, "kex_exchange_identification: Connection closed by remote host", .connectionLost),
            (137, "", .commandKilled),
            (1, "something else", .commandFailed),
            (1, "warning: No such file or directory in profile\ncp: x: No space left on device", .noSpace),
        ] as [(Int32, String, TransportError.Code)]
    )
    func `what a program wrote becomes a code`(status: Int32, words: String, code: TransportError.Code) {
        let result = CommandResult(output: [], diagnostics: Array(words.utf8), exit: .exited(status))
        #expect(result.failure(of: "SECRET=1 program --token x", on: "box")?.code == code)
    }

    @Test func `success is no failure, and a signal is one`() throws {
        #expect(CommandResult(output: [], exit: .exited(0)).failure(of: "true", on: "box") == nil)
        let killed = CommandResult(output: [], exit: .signaled("KILL"))
        #expect(killed.failure(of: "sleep 9", on: "box")?.code == .commandKilled)
        let error = #expect(throws: TransportError.self) { try killed.requireSuccess(of: "sleep 9", on: "box") }
        #expect(error?.message == "sleep failed on box (SIGKILL).")
    }

    @Test func `a message names the program and its last words, and nothing of its arguments`() {
        let result = CommandResult(output: [], diagnostics: Array("a\nlast \u{1B}[31mwords\n".utf8), exit: .exited(4))
        let message = result.failure(of: "TOKEN=hidden curl --user me:hidden", on: "box")?.message
        #expect(message?.hasPrefix("curl failed on box (status 4): last ") == true)
        #expect(message?.contains("hidden") == false && message?.contains("\u{1B}") == false)
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(2)))
    struct RealCommandFailureTests {
        @Test(
            arguments: [
                ("riff-no-such-program --x", .programNotFound),
                ("cat /no/such/file", .fileNotFound),
                ("sh -c 'kill -9 $$'", .commandKilled),
                ("cat /etc/passwd >/dev/full", .noSpace),
                ("/etc/passwd", .programNotExecutable),
            ] as [(String, TransportError.Code)]
        )
        func `this machine's own shell and programs are understood`(command: String, code: TransportError.Code)
            async throws
        {
            let result = try await LocalHostSession(shell: "/bin/sh").run("export LC_ALL=C; \(command)")
            #expect(result.failure(of: command, on: "here")?.code == code)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffShare
import RiffTransport
import TestSupport
import Testing

/// Another process at the same inbox, written in another language from the rules alone: names, temporary names, links,
/// and the lock on the file itself.
actor InboxPeer {
    static let python = ShellProgram.find("python3")

    private let process: LocalProcess
    private var unread: [UInt8] = []

    private init(_ process: LocalProcess) { self.process = process }

    /// Runs it for the time of `body`.
    static func with<Value>(_ inbox: String, _ body: (InboxPeer) async throws -> Value) async throws -> Value {
        let python = try #require(python)
        let process = try await LocalProcess.start(LocalCommand(python.path, ["-u", "-c", script, inbox]))
        let result: Result<Value, any Error>
        do { result = .success(try await body(InboxPeer(process))) } catch { result = .failure(error) }
        await process.close()
        return try result.get()
    }

    /// Gives a command, which the script explains, and returns its answer.
    func ask(_ command: String) async throws -> String {
        try await process.write(Array("\(command)\n".utf8))
        for try await bytes in process.output {
            unread += bytes
            guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            defer { unread.removeSubrange(...end) }
            return String(decoding: unread[..<end], as: UTF8.self)
        }
        Issue.record("the peer ended at \(command)")
        throw CancellationError()
    }

    /// Ends it as a crash would, and returns when it is gone.
    func crash() async throws {
        #expect(kill(process.processID, SIGKILL) == 0)
        #expect(try await process.exitStatus() == .signaled("KILL"))
    }

    private static let script = """
        import fcntl, os, sys, time, uuid
        inbox = sys.argv[1]
        os.makedirs(inbox, mode=0o700, exist_ok=True)
        held = {}
        def deposit(body, finish=True):
            temporary = os.path.join(inbox, ".riff-%d" % uuid.uuid4().int)
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(file, body)
            os.fsync(file)
            os.close(file)
            if not finish: return temporary
            name = "%d-%s.png" % (time.time(), str(uuid.uuid4()).upper())
            os.link(temporary, os.path.join(inbox, name))
            os.unlink(temporary)
            return name
        def items():
            return sorted(name for name in os.listdir(inbox) if not name.startswith("."))
        def claim(name):
            path = os.path.join(inbox, name)
            try: file = os.open(path, os.O_RDONLY)
            except FileNotFoundError: return False
            try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return False
            try: same = os.stat(path).st_ino == os.fstat(file).st_ino
            except FileNotFoundError: same = False
            if not same:
                os.close(file)
                return False
            held[name] = file
            return True
        png = b"\\x89PNG\\r\\n\\x1a\\n" + b"x" * 100000
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            if word == "deposit": print(" ".join(deposit(png) for _ in range(int(rest))))
            elif word == "half": print(deposit(png[:5000], finish=False))
            elif word == "claim": print("yes" if claim(rest) else "no")
            elif word == "drain":
                taken = []
                for name in items():
                    if not claim(name): continue
                    taken.append(name)
                    os.unlink(os.path.join(inbox, name))
                    os.close(held.pop(name))
                print(" ".join(taken) or "nothing")
        """
}

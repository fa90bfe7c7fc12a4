// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

struct SafeKeyCheckTests {
    @Test func `a server that has all of it passes, and tells its prefix`() {
        let check = SafeKeyCheck(output: RecordedSafeKeys.text, server: TmuxServer())
        #expect(check.faults == [])
        #expect(check.isPassed)
        #expect(check.prefixes == [2])
    }

    @Test(arguments: [
        ("F12                  if-shell", "F12                  send-keys", "F12 in riff-root"),
        ("copy-mode    F12       copy-mode -q", "copy-mode    F12       send-keys -X cancel", "F12 in copy-mode"),
        ("C-S-F11              send-keys Escape\n", "C-S-F11\n", "C-S-F11 in riff-root"),
        ("copy-mode    C-S-F12", "copy-mode    C-S-F10", "C-S-F12 in copy-mode"),
        ("riff-input C-c ", "riff-input C-d ", "C-c in riff-input"),
        ("1700000000 0 riff-root", "1700000000 1 riff-root", "assume-paste-time 1"),
        ("0 riff-root C-b", "0 root C-b", "key-table root"),
        ("riff-options $3 1700000000 0 riff-root C-b None", "", "the session's options"),
        ("session_id},$3}", "session_id},$4}", "the key of session $3"), ("C-b None", "C-c None", "prefix C-c"),
        ("C-b None", "C-b C-c", "prefix C-c"),
        ("\"copy-mode -q\"", "{ copy-mode -q }", "C-c in riff-input"),
    ])
    func `whatever is missing fails it`(_ part: String, _ other: String, _ fault: String) {
        let check = SafeKeyCheck(output: RecordedSafeKeys.text.replacing(part, with: other), server: TmuxServer())
        #expect(check.faults.contains(fault))
        #expect(!check.isPassed)
    }

    @Test(
        arguments: [
            ("C-b None", [2]), ("C-a C-b", [1, 2]), ("` None", [0x60]), ("C-Space M-a", [0]), ("None None", []),
            ("C-\\ F1", [0x1C]),
        ] as [(String, Set<UInt8>)]
    )
    func `prefix keys of one byte are known`(_ keys: String, _ prefixes: Set<UInt8>) {
        let check = SafeKeyCheck(output: RecordedSafeKeys.text.replacing("C-b None", with: keys), server: TmuxServer())
        #expect(check.prefixes == prefixes)
    }

    @Test func `nothing at all fails it`() {
        for output in [
            "", "\n", "no server running", "bind-key", "bind-key -T", "riff-options",
            "riff-options $3 1700000000 0 riff-root",
        ] {
            #expect(!SafeKeyCheck(output: output, server: TmuxServer()).isPassed)
        }
    }

    @Test func `it is installed by arguments that tmux takes in quoted form`() throws {
        let line = try TmuxServer().installSafeKeys(for: .base)
        for part in [
            "id=$(tmux -u -L riff display-message -p -t '=riff:' '#{session_id}') && n=$((${id#?} % 65520)) && key=$(printf ",
            " && tmux -u -L riff set-option -g assume-paste-time 0 \\; ",
            " \\; set-option -q -t '=riff:' key-table riff-root \\; ",
            " \\; bind-key -T riff-root \"$key\" if-shell -F '#{!=:#{session_id},'\"$id\"'}' detach-client \\; ",
            " \\; bind-key -T root F12 if-shell -F '#{pane_in_mode}' 'copy-mode -q' \\; ",
            " \\; bind-key -T riff-root F12 if-shell -F '#{pane_in_mode}' 'copy-mode -q' \\; ",
            " \\; bind-key -T copy-mode-vi F12 copy-mode -q \\; ",
            " \\; bind-key -T riff-input C-c if-shell -F '#{pane_in_mode}' 'copy-mode -q' \\; ",
            " \\; list-keys -T riff-input \\; display-message -p -t '=riff:' ",
        ] { #expect(line.contains(part), "\(part) in \(line)") }
    }
}

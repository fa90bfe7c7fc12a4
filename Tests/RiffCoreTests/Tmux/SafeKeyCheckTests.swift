// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct SafeKeyCheckTests {
    /// What tmux 3.3a writes, without most of its own bindings.
    static let listing = """
        bind-key -T root F12                  if-shell -F "#{pane_in_mode}" "copy-mode -q"
        bind-key -T root MouseDown1Pane       select-pane -t = \\; send-keys -M
        bind-key -T root WheelUpPane          if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M }
        bind-key -T root C-S-F11              send-keys Escape
        bind-key -T root C-S-F12              switch-client -T riff-input
        bind-key    -T copy-mode    F12       copy-mode -q
        bind-key -r -T copy-mode-vi C-S-F12   switch-client -T riff-input
        bind-key    -T copy-mode    C-S-F12   switch-client -T riff-input
        bind-key    -T copy-mode-vi F12       copy-mode -q
        bind-key    -T copy-mode-vi \\"        send-keys -X x
        bind-key -T riff-input C-c     if-shell -F "#{pane_in_mode}" "copy-mode -q"
        bind-key -T riff-input C-S-F12 switch-client -T riff-input
        riff-options $3 0 root C-b None
        """

    @Test func `a server that has all of it passes, and tells its prefix`() {
        let check = SafeKeyCheck(output: Self.listing)
        #expect(check.faults == [])
        #expect(check.isPassed)
        #expect(check.prefixes == [2])
    }

    @Test(arguments: [
        ("F12                  if-shell", "F12                  send-keys", "F12 in root"),
        ("copy-mode    F12       copy-mode -q", "copy-mode    F12       send-keys -X cancel", "F12 in copy-mode"),
        ("C-S-F11              send-keys Escape\n", "C-S-F11\n", "C-S-F11 in root"),
        ("copy-mode    C-S-F12", "copy-mode    C-S-F10", "C-S-F12 in copy-mode"),
        ("riff-input C-c ", "riff-input C-d ", "C-c in riff-input"),
        ("riff-options $3 0 root", "riff-options $3 1 root", "assume-paste-time 1"),
        ("riff-options $3 0 root", "riff-options $3 0 mine", "key-table mine"),
        ("riff-options $3 0 root C-b None", "", "the session's options"),
        ("\"copy-mode -q\"", "{ copy-mode -q }", "C-c in riff-input"),
    ])
    func `whatever is missing fails it`(_ part: String, _ other: String, _ fault: String) {
        let check = SafeKeyCheck(output: Self.listing.replacing(part, with: other))
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
        let check = SafeKeyCheck(output: Self.listing.replacing("C-b None", with: keys))
        #expect(check.prefixes == prefixes)
    }

    @Test func `nothing at all fails it`() {
        for output in [
            "", "\n", "no server running", "bind-key", "bind-key -T", "riff-options", "riff-options $3 0 root",
        ] {
            #expect(!SafeKeyCheck(output: output).isPassed)
        }
    }

    @Test func `it is installed by arguments that tmux takes in quoted form`() throws {
        let line = try TmuxServer().installSafeKeys(for: .base).line()
        for part in [
            "tmux -u -L riff set-option -g assume-paste-time 0 \\; ",
            " \\; bind-key -T root F12 if-shell -F '#{pane_in_mode}' 'copy-mode -q' \\; ",
            " \\; bind-key -T copy-mode-vi F12 copy-mode -q \\; ",
            " \\; bind-key -T riff-input C-c if-shell -F '#{pane_in_mode}' 'copy-mode -q' \\; ",
            " \\; list-keys -T riff-input \\; display-message -p -t '=riff:' ",
        ] { #expect(line.contains(part), "\(part) in \(line)") }
    }
}

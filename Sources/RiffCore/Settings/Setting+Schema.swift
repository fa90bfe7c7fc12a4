// Riff
// SPDX-License-Identifier: Apache-2.0

// The settings of Riff. Names and defaults are part of the contract between front ends that share a store.

extension Setting where Value == String {
    /// The active host's DNS name or IP address; empty until there is one. See ``HostProfiles``.
    public static var host: Setting<String> { Setting(.host, .connection, default: "") }
    /// The account on the active host; empty until there is one.
    public static var user: Setting<String> { Setting(.user, .connection, default: "") }
    /// The effort of `claude`'s thinking, as its own option takes it.
    public static var effort: Setting<String> { Setting(SettingName("riff.claude.effort"), .claude, default: "max") }
}

extension Setting where Value == Int {
    /// The port of the active host's SSH server.
    public static var port: Setting<Int> { Setting(.port, .connection, default: 22, in: 1...65_535) }
}

extension Setting where Value == Duration {
    /// The time limit for a management command, the dial included (``ManagementTiming``).
    public static var managementTimeout: Setting<Duration> {
        Setting(
            seconds: SettingName("riff.ssh.managementTimeout"),
            .connection,
            isInternal: true,
            default: ManagementTiming.defaultTimeout
        )
    }
}

extension Setting where Value == Bool {
    /// Whether dictation presses Return, however the recording was ended.
    public static var autoSubmit: Setting<Bool> {
        Setting(SettingName("riff.voice.autoSubmit"), .voice, default: false)
    }
    /// Whether the agent's answers are read aloud.
    public static var narrate: Setting<Bool> { Setting(SettingName("riff.voice.narrate"), .voice, default: false) }
    /// Whether `claude` in a new session asks for no permission.
    public static var skipPermissions: Setting<Bool> {
        Setting(SettingName("riff.claude.skipPermissions"), .claude, default: false)
    }
    /// Whether each new session of `claude` gets a git worktree of its own.
    public static var worktree: Setting<Bool> { Setting(SettingName("riff.claude.worktree"), .claude, default: false) }
    /// Whether onboarding came to its end; see ``Onboarding``.
    public static var onboardingCompleted: Setting<Bool> {
        Setting(SettingName("riff.onboarding.completed"), .connection, isInternal: true, default: false)
    }
}

extension Setting where Value == Int? {
    /// The window in tokens after which `claude` compacts its context; blank leaves it to `claude`.
    public static var contextTokens: Setting<Int?> {
        Setting(SettingName("riff.claude.contextTokens"), .claude, default: 200_000, in: 1...100_000_000)
    }
}

extension Setting where Value == Harness {
    /// The program that a plain tap on "new session" starts.
    public static var harness: Setting<Harness> {
        Setting(
            SettingName("riff.ssh.harness"),
            .session,
            default: .claude,
            read: { Harness($0) },
            write: { $0.rawString }
        )
    }
}

extension Setting where Value == StartDirectory {
    /// The directory that new sessions start in.
    public static var startDirectory: Setting<StartDirectory> {
        Setting(
            .startDirectory,
            .session,
            default: .home,
            // What cannot be a directory is told as an unreadable setting.
            read: { try? StartDirectory($0) },
            write: { $0.rawValue }
        )
    }
}

extension Setting where Value == RecentStartDirectories {
    /// Directories that sessions were started in, the latest first: suggestions only. One a line.
    public static var recentStartDirectories: Setting<RecentStartDirectories> {
        Setting(
            SettingName("riff.ssh.recentStartDirs"),
            .session,
            isInternal: true,
            default: RecentStartDirectories(),
            read: { RecentStartDirectories(text: $0) },
            write: { $0.text }
        )
    }
}

extension Setting where Value == SessionName? {
    /// The session that was shown last, of a front end that knew one host; see ``lastActiveSession(on:)``.
    package static var lastActiveSession: Setting<SessionName?> {
        sessionName(SettingName("lastActiveSessionName"))
    }

    /// The session of a host that was shown last.
    ///
    /// - Parameter host: The host's account and address, such as `me@box:22`.
    /// - Returns: The setting that belongs to the host.
    package static func lastActiveSession(on host: String) -> Setting<SessionName?> {
        sessionName(SettingName("lastActiveSessionName.\(host)"))
    }

    private static func sessionName(_ name: SettingName) -> Setting<SessionName?> {
        Setting(
            name,
            .session,
            isInternal: true,
            default: nil,
            read: { .some(SessionName(listed: $0)) },
            write: { $0?.rawValue ?? "" }
        )
    }
}

/// All settings of Riff.
public enum SettingsSchema {
    /// Each setting, in the order of a settings page.
    public static var all: [SettingDescription] {
        [
            Setting.host.description, Setting.port.description, Setting.user.description,
            Setting.managementTimeout.description, Setting.onboardingCompleted.description,
            Setting.autoSubmit.description, Setting.narrate.description,
            Setting.harness.description, Setting.startDirectory.description,
            Setting.recentStartDirectories.description, Setting.lastActiveSession.description,
            Setting.skipPermissions.description, Setting.worktree.description, Setting.effort.description,
            Setting.contextTokens.description,
        ]
    }

    /// The settings of one group that have a row on a settings page.
    public static func rows(of group: SettingGroup) -> [SettingDescription] {
        all.filter { $0.group == group && !$0.isInternal }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: SSHHost
/// The folder in which the Hermes agent keeps everything (`~/.hermes`, `$HERMES_HOME`), or the one of a profile, on any
/// host: the entry point to its files.
///
/// ```swift
/// let home = try await HermesHome.locate(on: host)
/// let jobs = try await home.cron.read()
/// let memory = try await home.memory(.memory).read()
/// ```
public struct HermesHome: Sendable {
    /// The host of the home.
    package let host: any HostSession
    /// The folder's absolute path.
    public let path: String
    /// The profile that the folder is of; `nil` for the default one.
    public let profile: String?
    /// The path of the default profile's folder, which has the others in it.
    public let rootPath: String

    /// Creates a home at a known place.
    ///
    /// - Parameters:
    ///   - path: The folder's path on the host, without a slash at its end.
    ///   - host: The host.
    ///   - profile: The profile, where it is not the default one: its folder is `profiles/NAME` below `path`.
    public init(_ path: String, on host: any HostSession, profile: HermesProfileName? = nil) {
        self.host = host
        rootPath = path
        self.profile = profile?.rawValue
        self.path = profile.map { "\(path)/profiles/\($0.rawValue)" } ?? path
    }

    /// Finds the home as the agent itself does: `$HERMES_HOME` of the login shell, or `~/.hermes`; then the profile
    /// that `active_profile` names, unless another is asked for.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - profile: The profile; `nil` takes the active one.
    /// - Returns: The home, which is there.
    /// - Throws: ``DataError`` with `homeMissing` or `profileMissing`; the host's own errors.
    public static func locate(
        on host: any HostSession,
        profile: HermesProfileName? = nil
    ) async throws -> HermesHome {
        let script = #"printf '\n%s\n' "riff-home ${HERMES_HOME:-$HOME/.hermes}""#
        let command = try LoginShellCommand(try ShellQuoting.join(["sh", "-c", script])).line
        let answer = try await host.run(command)
        guard let line = answer.text.byteLines.compactMap({ $0.dropping(prefix: "riff-home ") }).last else {
            let failure = answer.failure(of: "sh", on: "the host")
            throw DataError(.homeMissing, "The host did not tell where its Hermes home is.", cause: failure)
        }
        let path = String(line.droppingLast(byte: "/"))
        guard try await host.status(of: path)?.kind == .directory else {
            throw DataError(
                .homeMissing,
                "There is no Hermes home at \(path). Is Hermes installed for this account, and was it started once?"
            )
        }
        let root = HermesHome(path, on: host)
        let wanted = if let profile { profile } else { try await root.activeProfile() }
        guard let wanted else { return root }
        let home = HermesHome(path, on: host, profile: wanted)
        guard try await host.status(of: home.path)?.kind == .directory else {
            throw DataError(
                .profileMissing,
                "The Hermes home \(path) has no profile \"\(wanted.rawValue)\".",
                recovery: .openSettings(.profile)
            )
        }
        return home
    }

    /// Why a name is none of a file in one folder; `nil` for one that is.
    static func refusal(of name: String) -> DataError? {
        let isPlain = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
        guard !isPlain else { return nil }
        return DataError(.invalidValue, "\"\(InertText.line(name))\" is no name of a file in a folder.")
    }

    /// A file below the home, by its path from there.
    func file(_ name: String, limitBytes: Int = 16 << 20, lock: String? = nil) -> HostFile {
        HostFile(
            "\(path)/\(name)",
            on: host,
            below: path,
            limitBytes: limitBytes,
            lockPath: lock.map { "\(path)/\($0)" }
        )
    }
}

extension DataErrorCode {
    /// There is no Hermes home where one is looked for.
    public static let homeMissing = DataError.Code(rawValue: "homeMissing")
    /// The Hermes home has no such profile.
    public static let profileMissing = DataError.Code(rawValue: "profileMissing")
}

extension SettingName {
    /// The profile of Hermes.
    public static let profile = SettingName("profile")
}

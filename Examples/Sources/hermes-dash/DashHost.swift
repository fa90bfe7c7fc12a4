// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffHermes
import RiffTransport

/// A Hermes home on a machine that is reached.
struct DashHost: Sendable {
    let home: HermesHome
    /// What to call it.
    let name: String
    private let ssh: SSHHost?

    /// Reaches the machine, finds the home, does something with it and lets go of it.
    static func with<Value>(
        _ options: DashOptions,
        _ body: (DashHost) async throws -> Value
    ) async throws -> Value {
        var ssh: SSHHost?
        let result: Result<Value, any Error>
        do {
            if let host = try options.host() { ssh = try await HostOpening(host).connect() }
            result = .success(try await body(find(options, ssh)))
        } catch {
            result = .failure(error)
        }
        await ssh?.shutdown()
        do {
            return try result.get()
        } catch let error as any RiffError {
            throw ExampleFailure(error.message)
        }
    }

    private static func find(_ options: DashOptions, _ ssh: SSHHost?) async throws -> DashHost {
        let session: any HostSession = if let ssh { ssh } else { LocalHostSession() }
        let home: HermesHome
        if let path = options.home {
            home = HermesHome(place(path, isHere: ssh == nil), on: session, profile: try options.profileName())
        } else if options.profile == "default" {
            let active = try await HermesHome.locate(on: session)
            home = HermesHome(active.rootPath, on: session)
        } else {
            home = try await HermesHome.locate(on: session, profile: try options.profileName())
        }
        let machine = options.on.map { $0 + ":" } ?? ""
        return DashHost(home: home, name: machine + home.path, ssh: ssh)
    }

    /// On a host, paths go on from the account's home directory.
    private static func place(_ path: String, isHere: Bool) -> String {
        if isHere { return trimmed(absolutePath(path)) }
        return trimmed(path.hasPrefix("~/") ? String(path.dropFirst(2)) : path)
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? trimmed(String(path.dropLast())) : path
    }

    /// Its database.
    func database() async throws -> HermesDatabase {
        let path = home.path + "/state.db"
        guard let ssh else { return try await HermesDatabase.open(path) }
        return try await HermesDatabase.open(path, on: ssh, hostName: ssh.configuration.address.description)
    }

    /// How often to look whether something changed: what a look costs here and there.
    var interval: Duration { ssh == nil ? .milliseconds(500) : .seconds(2) }
}

/// Where days and hours are the person's: as TZ or the system says.
func personsTimeZone() -> TimeZone { TimeZone.autoupdatingCurrent }

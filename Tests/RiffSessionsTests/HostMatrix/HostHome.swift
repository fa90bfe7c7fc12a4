// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting

/// The home folder of a set-up's account, and a server for it.
struct HostHome {
    let setup: HostSetup
    let path: String

    /// Makes the folder and what is in it.
    ///
    /// - Parameters:
    ///   - setup: The set-up.
    ///   - folder: A folder that is removed afterwards.
    /// - Returns: The home folder.
    /// - Throws: The file system's error.
    static func make(_ setup: HostSetup, in folder: String) async throws -> HostHome {
        let home = HostHome(setup: setup, path: "\(folder)/home")
        let target = setup.home == .link ? "\(folder)/elsewhere" : home.path
        if setup.home != .missing { try await home.fill(target) }
        if setup.home == .link {
            try FileManager.default.createSymbolicLink(atPath: home.path, withDestinationPath: target)
        }
        return home
    }

    private func fill(_ folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in setup.files.merging([".tmux.conf": setup.tmux + "\n"], uniquingKeysWith: { $1 }) {
            let file = "\(folder)/\(name)"
            let parent = (file as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            if name == setup.ownShell {
                try await SystemProgram.writeScript(text, to: file)
            } else {
                try "\(filled(text))\n".write(toFile: file, atomically: true, encoding: .utf8)
            }
        }
        guard !setup.programs.isEmpty else { return }
        try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
        for program in setup.programs {
            guard let path = SystemProgram.path(program) else { continue }
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/bin/\(program)", withDestinationPath: path)
        }
    }

    /// How the server is started.
    func options() throws -> ThrowawaySSHServer.Options {
        var options = ThrowawaySSHServer.Options()
        options.variables = setup.variables.mapValues(filled)
        options.variables["HOME"] = path
        options.shell = setup.ownShell.map { "\(path)/\($0)" } ?? SystemProgram.path(setup.shell)
        let mounting = "mount -t tmpfs -o size=64k,mode=700 tmpfs \(path)"
        switch setup.home {
        case .readOnly: options.mountScript = "\(mounting) && mount -o remount,ro \(path)\n"
        // Writing it full fails at its end, as it should.
        case .full:
            options.mountScript = "\(mounting) || exit 1\nhead -c 100000 /dev/zero >\(path)/full 2>/dev/null\ntrue\n"
        case .plain, .missing, .link: break
        }
        setup.server(&options)
        if options.forceCommand != nil { options.shell = nil }
        return options
    }

    private func filled(_ text: String) -> String { text.replacingOccurrences(of: "@HOME@", with: path) }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACPKeeper {
    /// The script that keeps agents, as a part of a host's kit. With it the keeper lies in the kit's folder; without
    /// it, ``ACPKeeper`` puts it below `~/.local/state/riff` when it starts an agent.
    public static let kitPart = HostKitPart(
        "keeper",
        version: 1,
        file: "bin/\(KeeperScript.file)",
        text: KeeperScript.text
    )
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension Problem {
    /// Whether a file was changed by another program since it was read.
    package var isConflict: Bool { code == DataError(.fileChanged, "").stableCode }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension Problem {
    /// Whether a file was changed by another program since it was read.
    package var isConflict: Bool { code == DataError(.fileChanged, "").stableCode }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Returns when every task of the main actor that was made before has come to where it waits for something else.
@MainActor
package func everybodyWaits() async { await Task { @MainActor in }.value }

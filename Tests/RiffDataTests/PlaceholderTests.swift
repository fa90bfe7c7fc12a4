// Riff
// SPDX-License-Identifier: Apache-2.0

@testable import RiffData
import Testing

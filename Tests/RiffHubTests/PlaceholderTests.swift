// Riff
// SPDX-License-Identifier: Apache-2.0

@testable import RiffHub
import Testing

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The link reference definitions that are known. The first of a label counts.
struct LinkDefinitions: Sendable {
    private var definitions: [LinkLabel: LinkDefinition] = [:]

    /// Notes a definition.
    ///
    /// - Returns: Whether the label was unknown.
    mutating func add(_ definition: LinkDefinition) -> Bool {
        let entry = definitions[definition.label]
        if entry == nil { definitions[definition.label] = definition }
        return entry == nil
    }

    /// The definition of a label; nil if it is not defined.
    subscript(label: LinkLabel) -> LinkDefinition? { definitions[label] }
}

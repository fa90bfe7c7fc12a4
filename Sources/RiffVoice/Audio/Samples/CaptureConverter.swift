// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Brings what a capture gives into one format, whatever the device changes to meanwhile.
///
/// At a change everything of the old format is given out before anything of the new one: nothing is lost, and each
/// stretch keeps its pitch. Its length is rounded up to a whole frame for each stretch.
package struct CaptureConverter: Sendable {
    /// The format that the device gives now.
    package private(set) var input: AudioFormat
    /// What is given out.
    package let output: AudioFormat

    private var converter: PCMConverter

    /// A converter of a capture that begins.
    ///
    /// - Throws: ``CoreError`` as ``PCMConverter/init(from:to:)`` throws.
    package init(from input: AudioFormat, to output: AudioFormat) throws(CoreError) {
        converter = try PCMConverter(from: PCMConverter.Layout(input), to: output)
        (self.input, self.output) = (input, output)
    }

    /// Takes the next event.
    ///
    /// - Returns: Whole frames of the output format, as far as they are certain.
    /// - Throws: ``CoreError`` as ``PCMConverter/init(from:to:)`` throws, for a change to a format that cannot be
    ///   converted; ``finish()`` then still gives what came before it.
    package mutating func convert(_ event: CaptureEvent) throws(CoreError) -> [UInt8] {
        switch event {
        case .frames(let frames): return converter.convert(frames)
        case .formatChanged(let format):
            guard format != input else { return [] }
            let next = try PCMConverter(from: PCMConverter.Layout(format), to: output)
            let rest = converter.finish()
            (converter, input) = (next, format)
            return rest
        }
    }

    /// Gives the frames that a change of rate still held.
    package mutating func finish() -> [UInt8] { converter.finish() }
}

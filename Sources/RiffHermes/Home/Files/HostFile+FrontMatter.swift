// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import RiffTransport

extension HostFile {
    /// Reads one text of a folder of many. One that cannot be read has its problem, so that it does not hide the
    /// others.
    ///
    /// - Throws: What is wrong with the way to the host, and not with the file; `CancellationError`.
    func frontMatter(name: String) async throws -> (text: FrontMatterText, revision: HostFile.Revision) {
        do {
            let contents = try await read()
            return (await FrontMatterText(contents.text, name: name), contents.revision)
        } catch let error as DataError {
            return (FrontMatterText(problem: error), .absent)
        } catch let error as TransportError where [.permissionDenied, .fileFailed].contains(error.code) {
            return (FrontMatterText(problem: DataError(.fileUnreadable, error.message, cause: error)), .absent)
        }
    }
}

extension DataErrorCode {
    /// The host refuses to read a file; the message has its words.
    package static let fileUnreadable = DataError.Code(rawValue: "fileUnreadable")
}

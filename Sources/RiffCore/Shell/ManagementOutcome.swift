// Riff
// SPDX-License-Identifier: Apache-2.0

/// The outcome of a ``ManagementCommand``: the ways to have no output are told apart, because an empty list is a fact
/// about the host and a connection that died is not.
public enum ManagementOutcome: Sendable {
    /// The command ended. Its output may be empty; its status is what `sh` calls `$?`, 0 to 255.
    case output([UInt8], status: Int)
    /// The time was over before the end marker; with the output until then.
    case timeout(partial: [UInt8])
    /// The channel was closed before any output of the command came.
    case closedEmpty
    /// The channel was closed in the middle of the output.
    case closedEarly(partial: [UInt8])
    /// No channel could be opened.
    case connect(any RiffError)
    /// The account's login shell cannot be used.
    case unsupportedShell(UnsupportedShell)
    /// There was more output than the caller allowed, in bytes.
    case outputTooLarge(limit: Int)

    /// The output and the status, or an error for a person.
    ///
    /// - Parameter host: The host's name, for the message.
    /// - Returns: The output's bytes and the command's status.
    /// - Throws: ``CoreError`` with `managementTimeout`, `managementClosed`, `managementOutputTooLarge` or
    ///   `unsupportedShell`; the error of ``connect(_:)`` as it is.
    public func get(host: String) throws -> (output: [UInt8], status: Int) {
        switch self {
        case .output(let bytes, let status): return (bytes, status)
        case .timeout:
            throw CoreError(.managementTimeout, "\(host) did not answer in time. Try again.", recovery: .retry)
        case .closedEmpty:
            let message = "\(host) closed the connection before the command ran. Try again."
            throw CoreError(.managementClosed, message, recovery: .retry)
        case .closedEarly:
            let message = "\(host) closed the connection while the command ran. Try again."
            throw CoreError(.managementClosed, message, recovery: .retry)
        case .connect(let error): throw error
        case .unsupportedShell(let shell): throw shell.error(host: host)
        case .outputTooLarge(let limit):
            let message = "A command on \(host) wrote more than \(limit) bytes, which is the most that is taken."
            throw CoreError(.managementOutputTooLarge, message)
        }
    }
}

extension CoreErrorCode {
    /// A management command did not end in time.
    public static let managementTimeout = CoreError.Code(rawValue: "managementTimeout")
    /// The connection was closed before a management command ended.
    public static let managementClosed = CoreError.Code(rawValue: "managementClosed")
    /// A management command wrote more than was allowed.
    public static let managementOutputTooLarge = CoreError.Code(rawValue: "managementOutputTooLarge")
}

import Foundation

/// An error of the content server, or of the device's files.
///
/// Equality compares the code only.
public struct DeliveryError: Error, LocalizedError, Equatable, CustomStringConvertible, Sendable {
    /// An error code: a known one, or any other of the server.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as the server spells it.
        public let rawValue: String

        /// Makes a code from the server's spelling.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // Codes of the server.
        /// The request is malformed.
        public static let malformedRequest = Code(rawValue: "malformedRequest")
        /// The store refused the receipt; ``DeliveryError/status`` has verifyReceipt's status.
        public static let receiptInvalid = Code(rawValue: "receiptInvalid")
        /// The receipt belongs to another app.
        public static let receiptForAnotherApp = Code(rawValue: "receiptForAnotherApp")
        /// The server can't verify the receipt now. Try again later.
        public static let storeUnavailable = Code(rawValue: "storeUnavailable")
        /// The token is missing or has expired, or the password is wrong.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The grant doesn't open the content, or its purchase was refunded.
        public static let notGranted = Code(rawValue: "notGranted")
        /// The server has no such content.
        public static let contentNotFound = Code(rawValue: "contentNotFound")

        // Codes of the device.
        /// The receipt on the device doesn't have the purchase, for which it would be stored.
        public static let receiptOutdated = Code(rawValue: "receiptOutdated")
        /// The server can't be reached, or a download was interrupted too often.
        public static let noConnection = Code(rawValue: "noConnection")
        /// The server's answer is malformed.
        public static let malformedAnswer = Code(rawValue: "malformedAnswer")
        /// The file on the server is newer than the grant.
        public static let contentChanged = Code(rawValue: "contentChanged")
        /// The complete file has the wrong SHA-256, twice.
        public static let digestMismatch = Code(rawValue: "digestMismatch")
        /// The device's disk is full.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The destination can't be written.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The destination's folder is missing, or the device's files have another error.
        public static let fileSystem = Code(rawValue: "fileSystem")
        /// The download or its task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The error code.
    public let code: Code
    /// The problem, for people.
    public let reason: String
    /// Status of verifyReceipt, for ``Code/receiptInvalid``.
    public let status: Int?

    init(_ code: Code, reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    /// Reads the error of a server's answer.
    init(status: Int, body: Data) {
        if let content = try? JSONDecoder().decode(ErrorAnswer.self, from: body).error {
            self.init(Code(rawValue: content.code), reason: content.message, status: content.status)
            return
        }
        let code: Code =
            switch status {
            case 401: .unauthorized
            case 403: .notGranted
            case 404: .contentNotFound
            case 500...: .storeUnavailable
            default: .malformedAnswer
            }
        self.init(code, reason: "the server answered with HTTP status \(status)")
    }

    init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .diskFull: .diskFull
            case .permissionDenied: .permissionDenied
            case .notFound, .fileTooLarge, .tampered, .locked, .other: .fileSystem
            }
        self.init(code, reason: "\(error.path): \(error.reason)")
    }

    init(wrapping error: any Error) {
        switch error {
        case let error as DeliveryError: self = error
        case let error as FileError: self.init(error)
        case let error as TransportError: self.init(.noConnection, reason: error.reason)
        case is CancellationError: self.init(.cancelled, reason: "cancelled")
        default: self.init(.fileSystem, reason: String(describing: error))
        }
    }

    public var description: String {
        let number = status.map { " (status \($0))" } ?? ""
        return "\(code.rawValue): \(reason)\(number)"
    }

    public var errorDescription: String? { description }
    public static func == (one: DeliveryError, other: DeliveryError) -> Bool { one.code == other.code }
}

import Foundation

/// What kept the seller's server from delivering, or the device from keeping what came.
///
/// Equality looks at the code only.
public struct DeliveryError: Error, LocalizedError, Equatable, CustomStringConvertible, Sendable {
    /// A set that may grow: the server's words are taken over as they are.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // The server's words.
        public static let malformedRequest = Code(rawValue: "malformedRequest")
        /// The store said that the receipt is none or not authentic; ``DeliveryError/status`` has its number.
        public static let receiptInvalid = Code(rawValue: "receiptInvalid")
        public static let receiptForAnotherApp = Code(rawValue: "receiptForAnotherApp")
        /// The seller's server could not verify the receipt now: nothing is granted on doubt. Try again later.
        public static let storeUnavailable = Code(rawValue: "storeUnavailable")
        /// No grant, one that is over, or a wrong password.
        public static let unauthorized = Code(rawValue: "unauthorized")
        public static let notGranted = Code(rawValue: "notGranted")
        public static let contentNotFound = Code(rawValue: "contentNotFound")

        // The device's own.
        /// The server can't be reached, or a download broke off more often than it is resumed.
        public static let noConnection = Code(rawValue: "noConnection")
        public static let malformedAnswer = Code(rawValue: "malformedAnswer")
        /// The file arrived whole, twice, and is not the one that was promised.
        public static let digestMismatch = Code(rawValue: "digestMismatch")
        public static let diskFull = Code(rawValue: "diskFull")
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The destination's folder isn't there, or another error of the device's files.
        public static let fileSystem = Code(rawValue: "fileSystem")
        public static let cancelled = Code(rawValue: "cancelled")
    }

    public let code: Code
    /// For a person.
    public let reason: String
    /// verifyReceipt's number, for ``Code/receiptInvalid``.
    public let status: Int?

    init(_ code: Code, reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    /// The error in the server's answer.
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

    init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .diskFull: .diskFull
            case .permissionDenied: .permissionDenied
            case .notFound, .fileTooLarge, .tampered, .other: .fileSystem
            }
        self.init(code, reason: "\(error.path): \(error.reason)")
    }

    init(wrapping error: any Error) {
        switch error {
        case let error as DeliveryError: self = error
        case let error as StorageError: self.init(error)
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

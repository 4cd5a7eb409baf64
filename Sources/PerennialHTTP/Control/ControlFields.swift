import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// Reads the texts that requests of control/v1 hold.
enum ControlFields {
    /// - Throws: ``APIError`` `malformedRequest` with the values there are.
    static func value<Value: RawRepresentable<String> & CaseIterable>(_ text: String, field: String) throws -> Value {
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError(.badRequest, "malformedRequest", "\(field) is one of: \(allowed)", field: field)
        }
        return value
    }

    /// Checks the ID of a device, before an account is made for it.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    static func check(deviceID: String, field: String) throws {
        guard UUID(uuidString: deviceID) != nil else {
            throw APIError(.badRequest, "malformedRequest", "\(field) is a UUID", field: field)
        }
    }

    /// Checks the version of an app on a device.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    static func check(appVersion: String, field: String) throws {
        let longest = Accounts.maximumVersionLength
        guard (1...longest).contains(appVersion.utf8.count), !appVersion.utf8.contains(0) else {
            throw APIError(.badRequest, "malformedRequest", "\(field) has 1 to \(longest) bytes", field: field)
        }
    }

    /// - Throws: ``APIError`` `malformedRequest`.
    static func time(_ text: String, field: String) throws -> Instant {
        guard let time = Instant(rfc3339: text) else {
            throw APIError(
                .badRequest, "malformedRequest", "\(field) is a time such as 2026-01-31T10:00:00Z", field: field)
        }
        return time
    }

    /// - Throws: ``APIError`` `malformedRequest`.
    static func duration(_ text: String, field: String) throws -> CalendarDuration {
        do {
            return try CalendarDuration(iso8601: text)
        } catch {
            throw APIError(.badRequest, "malformedRequest", "\(field): \(error.reason)", field: field)
        }
    }
}

extension QueryParameter {
    static let bundleID = QueryParameter(
        "bundleId", isRequired: true, .nonempty("An app's bundle ID, such as com.example.magazine")
    )
    static let account = QueryParameter(
        "account", isRequired: true, .nonempty("An account's name"))
}

extension Call {
    /// The app that the query names.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    func bundleIDOfQuery() throws -> App.BundleID { App.BundleID(rawValue: try required(.bundleID)) }
}

extension RequestContext {
    /// The transaction that the path names.
    ///
    /// - Throws: ``APIError`` `transactionNotFound`.
    func namedTransaction() throws -> TransactionID {
        try transactionID(orThrow: "a transaction is named by its number")
    }

    /// The original transaction of the subscription that the path names.
    ///
    /// - Throws: ``APIError`` `transactionNotFound`.
    func namedSubscription() throws -> TransactionID {
        try transactionID(orThrow: "a subscription is named by its original transaction's number")
    }

    private func transactionID(orThrow reason: String) throws -> TransactionID {
        guard let id = parameters.get("id").flatMap({ TransactionID($0) }) else {
            throw APIError(.notFound, "transactionNotFound", reason)
        }
        return id
    }

    /// A number in the path.
    ///
    /// - Throws: ``APIError`` with the code.
    func namedNumber(orThrow code: String, _ reason: String) throws -> Int64 {
        guard let number = parameters.get("id").flatMap({ Int64($0) }) else { throw APIError(.notFound, code, reason) }
        return number
    }
}

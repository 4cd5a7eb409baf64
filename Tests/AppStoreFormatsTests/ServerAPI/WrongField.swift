import AppStoreFormats
import Foundation
import Testing

/// A valid body with one field replaced or left out, and the number it is refused with; `nil` where it is taken.
struct WrongField: Sendable, CustomTestStringConvertible {
    let field: String
    /// JSON; `nil` leaves the field out.
    let value: String?
    let code: Int64?

    init(_ field: String, _ value: String?, _ code: Int64?) {
        self.field = field
        self.value = value
        self.code = code
    }

    var testDescription: String { "\(field): \((value ?? "missing").prefix(60))" }

    /// - Parameter valid: The members of a body that is taken, each as JSON.
    func body(from valid: [String: String]) -> [UInt8] {
        var members = valid
        members[field] = value
        return Array("{\(members.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ","))}".utf8)
    }

    /// Reads a body with one wrong field and returns the error code, or none.
    func outcome(_ valid: [String: String], _ read: (ServerAPIRequestBody) throws -> Void) -> Int64? {
        do {
            try read(try ServerAPIRequestBody(body(from: valid)))
            return nil
        } catch {
            return (error as? ServerAPIError)?.code.rawValue ?? -1
        }
    }
}

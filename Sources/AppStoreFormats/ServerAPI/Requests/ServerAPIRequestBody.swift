import Foundation

/// The JSON object of a request, read field by field: each wrong field has a number of its own in the App Store Server
/// API, so that a decoder's own errors don't say enough.
package struct ServerAPIRequestBody: Decodable {
    /// A field by any name.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let fields: KeyedDecodingContainer<Name>

    package init(from decoder: any Decoder) throws {
        fields = try decoder.container(keyedBy: Name.self)
    }

    /// Parses a body.
    /// - Throws: ``ServerAPIError`` 4000000 for bytes that are not a JSON object.
    package init(_ bytes: some Sequence<UInt8>) throws {
        do {
            self = try JSONDecoder().decode(ServerAPIRequestBody.self, from: Data(bytes))
        } catch {
            throw ServerAPIError(.generalBadRequest, nil, "the body is a JSON object")
        }
    }

    /// A field that must be there and of the type.
    func required<Value: Decodable>(
        _ name: String, _ code: ServerAPIErrorCode, _ reason: String, as type: Value.Type = Value.self
    ) throws -> Value {
        do {
            return try fields.decode(type, forKey: Name(name))
        } catch {
            throw ServerAPIError(code, name, reason)
        }
    }

    /// A field that may be missing or null; if it is there, it is of the type.
    func optional<Value: Decodable>(
        _ name: String, _ code: ServerAPIErrorCode, _ reason: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        do {
            return try fields.decodeIfPresent(type, forKey: Name(name))
        } catch {
            throw ServerAPIError(code, name, reason)
        }
    }

    func integer(_ name: String, in range: ClosedRange<Int32>, _ code: ServerAPIErrorCode) throws -> Int32 {
        let reason = "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)"
        let value = try required(name, code, reason, as: Int32.self)
        guard range.contains(value) else { throw ServerAPIError(code, name, reason) }
        return value
    }

    /// - Parameter missing: The number for a text that isn't there; `code` where left out.
    func text(
        _ name: String, upTo length: Int, _ code: ServerAPIErrorCode,
        missing: ServerAPIErrorCode? = nil
    ) throws -> String {
        let reason = "\(name) is a string of 1 to \(length) characters"
        let value = try required(name, missing ?? code, reason, as: String.self)
        guard !value.isEmpty else { throw ServerAPIError(missing ?? code, name, reason) }
        guard value.unicodeScalars.count <= length else { throw ServerAPIError(code, name, reason) }
        return value
    }

    func uuid(_ name: String, _ code: ServerAPIErrorCode) throws -> UUID {
        let reason = "\(name) is a UUID"
        guard let value = UUID(uuidString: try required(name, code, reason, as: String.self)) else {
            throw ServerAPIError(code, name, reason)
        }
        return value
    }

    /// One of a closed set of strings.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ code: ServerAPIErrorCode, of type: Value.Type = Value.self
    ) throws -> Value {
        let reason = "\(name) is one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))"
        guard let value = Value(rawValue: try required(name, code, reason, as: String.self)) else {
            throw ServerAPIError(code, name, reason)
        }
        return value
    }

    func optionalChoice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ code: ServerAPIErrorCode, of type: Value.Type = Value.self
    ) throws -> Value? {
        let reason = "\(name) is one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))"
        guard let text = try optional(name, code, reason, as: String.self) else { return nil }
        guard let value = Value(rawValue: text) else { throw ServerAPIError(code, name, reason) }
        return value
    }
}

/// The body of Set App Account Token.
public struct UpdateAppAccountTokenRequest: Hashable, Sendable, Codable {
    /// The app's own identifier of the customer.
    public var appAccountToken: UUID

    /// Makes a request.
    public init(appAccountToken: UUID) { self.appAccountToken = appAccountToken }
}

extension UpdateAppAccountTokenRequest {
    /// - Throws: ``ServerAPIError`` 4000183.
    package init(parsing body: ServerAPIRequestBody) throws {
        self.init(appAccountToken: try body.uuid("appAccountToken", .invalidAppAccountTokenUUID))
    }
}

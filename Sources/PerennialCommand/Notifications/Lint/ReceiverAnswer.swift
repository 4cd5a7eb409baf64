import Foundation
import Perennial
import PerennialSimulation

/// The answer of a seller's server about the state of a subscription.
struct ReceiverAnswer: Decodable {
    static let keys = "status, entitled, productId, expiresDate and environment"

    private var says: ReceiverStatus

    /// The state; `nil` for an empty answer.
    var status: ReceiverStatus? { says == ReceiverStatus() ? nil : says }

    private enum CodingKeys: String, CodingKey {
        case status, entitled, productId, expiresDate, environment
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        says = ReceiverStatus(
            status: try fields.decodeIfPresent(Int64.self, forKey: .status),
            isEntitled: try fields.decodeIfPresent(Bool.self, forKey: .entitled),
            productID: try fields.decodeIfPresent(String.self, forKey: .productId),
            expires: try Self.date(in: fields),
            environment: try fields.decodeIfPresent(String.self, forKey: .environment).map(Self.environment))
    }

    /// Milliseconds as a number or as text, as the App Store writes them, or RFC 3339.
    private static func date(in fields: KeyedDecodingContainer<CodingKeys>) throws -> Instant? {
        guard fields.contains(.expiresDate), try !fields.decodeNil(forKey: .expiresDate) else { return nil }
        if let milliseconds = try? fields.decode(Int64.self, forKey: .expiresDate) {
            return Instant(milliseconds: milliseconds)
        }
        let text = try fields.decode(String.self, forKey: .expiresDate)
        guard let instant = Int64(text).map({ Instant(milliseconds: $0) }) ?? Instant(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .expiresDate, in: fields, debugDescription: "neither milliseconds nor RFC 3339")
        }
        return instant
    }

    /// Version 1 writes PROD.
    private static func environment(_ text: String) -> String {
        switch text.lowercased() {
        case "prod", "production": "Production"
        case "sandbox": "Sandbox"
        default: text
        }
    }
}

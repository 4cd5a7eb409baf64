import AppStoreFormats
import BaseEncoding
import Foundation
import Perennial

/// Decodes signed data without verifying it.
///
/// The data comes straight from the store that was asked. Data from elsewhere must be verified.
enum Signed {
    static func transaction(_ jws: String) throws -> TransactionPayload { try payload(of: jws) }

    static func renewalInfo(_ jws: String) throws -> RenewalInfoPayload { try payload(of: jws) }

    private static func payload<Payload: Decodable>(of jws: String) throws -> Payload {
        let segments = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let json = Base64.decode(String(segments[1]), as: .url),
            let payload = try? JSONDecoder().decode(Payload.self, from: Data(json))
        else { throw StoreClientError(.notUnderstood, "\(Payload.self)", "the store's signed data can't be read") }
        return payload
    }
}

extension Date {
    /// The date in the form that the command line prints.
    var rfc3339: String { Instant(self).rfc3339() }
}

extension TransactionPayload {
    /// The price that was paid; `nil` if the payload has none.
    var money: Money? { Money(price, currency) }
}

extension RenewalInfoPayload {
    /// The price of the next renewal; `nil` if the payload has none.
    var money: Money? { Money(renewalPrice, currency) }
}

extension Money {
    fileprivate init?(_ milliunits: Int64?, _ currency: String?) {
        guard let milliunits, let currency else { return nil }
        self.init(milliunits: milliunits, Currency(rawValue: currency))
    }
}

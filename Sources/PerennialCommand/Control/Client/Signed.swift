import AppStoreFormats
import Foundation
import Perennial

/// Reads what signed data says.
///
/// Signatures are not looked at here: the data comes straight from the store that was asked. Whoever gets it by another way
/// verifies it.
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
    /// As everything is written that a person or a script reads here.
    var rfc3339: String { Instant(self).rfc3339() }
}

extension TransactionPayload {
    /// What was paid, in words; `nil` where it isn't said.
    var money: Money? { Money(price, currency) }
}

extension RenewalInfoPayload {
    /// What the next renewal costs, in words; `nil` where it isn't said.
    var money: Money? { Money(renewalPrice, currency) }
}

extension Money {
    fileprivate init?(_ milliunits: Int64?, _ currency: String?) {
        guard let milliunits, let currency else { return nil }
        self.init(milliunits: milliunits, Currency(rawValue: currency))
    }
}

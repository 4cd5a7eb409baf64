import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// Consumption information from a seller.
package struct ConsumptionInformation: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        case version1(ConsumptionRequestV1)
        case version2(ConsumptionRequest)
    }

    package var received: Instant
    package var body: Body

    package init(received: Instant, body: Body) {
        self.received = received
        self.body = body
    }
}

extension Refunds {
    /// Stores consumption information, also without a request for it, as Apple does. New information replaces old.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4040010, and for information that doesn't fit the purchase 4000047 (version 1
    ///   is for consumables and auto-renewable subscriptions), 4000185, 4000207, 4000209.
    package func receiveConsumption(
        _ body: ConsumptionInformation.Body, of id: TransactionID, in app: App
    ) async throws {
        try await database.write { [self] connection in
            let transaction = try transactions.oneTransaction(id, in: app, on: connection)
            let document: String
            switch body {
            case .version1(let request):
                guard transaction.type == .consumable || transaction.type.renews else {
                    throw ServerAPIError(
                        .invalidTransactionTypeNotSupported, "transactionId",
                        "version 1 is for consumables and auto-renewable subscriptions")
                }
                document = try StoredJSON.text(request)
            case .version2(let request):
                guard transaction.ownership == .purchased else {
                    throw ServerAPIError(
                        .familyTransactionNotSupported, "transactionId", "send it for the purchaser's transaction")
                }
                try request.check(isAutoRenewable: transaction.type.renews)
                document = try StoredJSON.text(request)
            }
            let record = ConsumptionTable.Record(
                version: body.version, received: try clock.now(on: connection), document: document)
            try ConsumptionTable.put(record, for: id, key(of: app), on: connection)
        }
    }

    /// Returns the consumption information of a purchase; `nil` if there is none.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func consumption(of id: TransactionID) async throws -> ConsumptionInformation? {
        let record = try await database.read { [self] connection in
            let entry = try transactions.transaction(id, on: connection).1
            return try ConsumptionTable.record(of: id, key(of: entry.app), on: connection)
        }
        guard let record else { return nil }
        let bytes = Data(record.document.utf8)
        let decoder = JSONDecoder()
        return ConsumptionInformation(
            received: record.received,
            body: record.version == 1
                ? .version1(try decoder.decode(ConsumptionRequestV1.self, from: bytes))
                : .version2(try decoder.decode(ConsumptionRequest.self, from: bytes)))
    }

}

extension ConsumptionInformation.Body {
    fileprivate var version: Int {
        switch self {
        case .version1: 1
        case .version2: 2
        }
    }
}

import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// What a seller told of how a purchase was consumed.
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

extension Store {
    /// Takes what a seller tells of a purchase; telling it again replaces it. Apple takes it without having asked, and so
    /// does this store.
    ///
    /// - Throws: ``ServerAPIError`` 4000048, 4040010, and what only the purchase tells to be wrong: 4000047 (the old form is
    ///   for consumables and auto-renewable subscriptions), 4000185, 4000207, 4000209.
    package func receiveConsumption(
        _ body: ConsumptionInformation.Body, of id: TransactionID, in app: App
    ) async throws {
        try await database.write { [self] connection in
            let transaction = try oneTransaction(id, in: app, on: connection)
            let document: String
            switch body {
            case .version1(let request):
                guard transaction.type == .consumable || transaction.type.renews else {
                    throw ServerAPIError(
                        .invalidTransactionTypeNotSupported, "transactionId",
                        "version 1 is for consumables and auto-renewable subscriptions")
                }
                document = try Self.json(request)
            case .version2(let request):
                guard transaction.ownership == .purchased else {
                    throw ServerAPIError(
                        .familyTransactionNotSupported, "transactionId", "send it for the purchaser's transaction")
                }
                try request.check(isAutoRenewable: transaction.type.renews)
                document = try Self.json(request)
            }
            let record = ConsumptionTable.Record(
                version: body.version, received: try clock.now(on: connection), document: document)
            try ConsumptionTable.put(record, for: id, key(of: app), on: connection)
        }
    }

    /// What the seller told of a purchase; `nil` where nothing was told.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func consumption(of id: TransactionID) async throws -> ConsumptionInformation? {
        let record = try await database.read { [self] connection in
            let entry = try transaction(id, on: connection).1
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

    func key(of app: App) -> AppKey { AppKey(environment: environment.id.rawValue, app: app.appleID) }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
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

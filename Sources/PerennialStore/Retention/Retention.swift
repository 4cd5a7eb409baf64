import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialStorage

/// The offer to a customer who is about to cancel.
package struct RetentionOffer: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        /// The seller's server chose it.
        case realtime
        /// The default message: the server was not asked, or gave no valid answer.
        case `default`
        /// A message to show is missing.
        case none
    }

    package var source: Source
    package var messageID: UUID?
    package var message: UploadMessageRequest?
    /// The server's choice besides the message: another product, or an offer.
    package var response: RealtimeResponse?
    /// The reason that the server's answer isn't used: a word of `sendAttemptResult` or of this store; `nil` if it is used,
    /// or no server is asked.
    package var failure: String?

    package init(
        source: Source, messageID: UUID? = nil, message: UploadMessageRequest? = nil,
        response: RealtimeResponse? = nil, failure: String? = nil
    ) {
        self.source = source
        self.messageID = messageID
        self.message = message
        self.response = response
        self.failure = failure
    }
}

/// Retention messages for customers who are about to cancel.
package struct Retention: StoreChapter {
    let context: StoreContext
    let subscriptions: Subscriptions
    let transactions: Transactions
    let signing: Signing
    let randomBytes: @Sendable (Int) -> [UInt8]
    let runningTests = RunningTests()

    /// The time-out of a seller's server in Production, in milliseconds.
    package static let realtimeTimeout: Int64 = 700
    /// The time-out in Sandbox, where Apple names none: a debugger may be attached.
    package static let realtimeTimeoutInSandbox: Int64 = 10_000

    /// Returns the message for a customer who is about to cancel a subscription: the seller's server's choice if it answers
    /// in time, else the default message of product and language, else none.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func offer(
        for id: TransactionID, locale: String, asking endpoint: any RealtimeEndpoint
    ) async throws -> RetentionOffer {
        let (subscription, app, url) = try await database.read {
            [self] connection -> (Subscription, App, String?) in
            let (subscription, entry) = try subscriptions.subscription(id, on: connection)
            return (subscription, entry.app, try RetentionSettingsTable.url(key(of: entry.app), on: connection))
        }
        var failure: String?
        if let url {
            let exchange = try await ask(endpoint, at: url, about: subscription, app, locale: locale)
            switch exchange.outcome {
            case .failed(let word): failure = word
            case .answered(200, let body):
                if let offer = try await chosen(body, subscription, app) { return offer }
                failure = "INVALID_RESPONSE"
            case .answered: failure = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
            }
            if let failure { log(failure, url, app) }
        }
        return try await defaultOffer(for: subscription.product.id, app, locale: locale, failure: failure)
    }

    private func log(_ failure: String, _ url: String, _ app: App) {
        logger.info(
            """
            \(SendingAdvice.withoutSecrets(url)) of \(app.bundleID.rawValue) in \(environment.name) chose no retention message: \
            \(failure); the default message is shown. Answer with status 200 and the identifier of an approved message within \
            the time-out
            """)
    }

    /// Asks the seller's server about a subscription.
    func ask(
        _ endpoint: any RealtimeEndpoint, at url: String, about subscription: Subscription, _ app: App, locale: String,
        within limit: Int64? = nil
    ) async throws -> RealtimeExchange {
        let payload = RealtimeRequestPayload(
            originalTransactionId: subscription.id.description, appAppleId: app.appleID,
            productId: subscription.product.id.rawValue, userLocale: locale, requestIdentifier: makeUUID(),
            signedDate: try await now().date, environment: AppStoreEnvironment(rawValue: environment.kind.rawValue))
        let signed = try signing.jws.sign(payload: payload.encoded())
        let timeout = environment.kind == .production ? Self.realtimeTimeout : Self.realtimeTimeoutInSandbox
        return await endpoint.post(
            Array(#"{"signedPayload":"\#(signed)"}"#.utf8), to: url, within: limit ?? timeout)
    }

    /// Creates a random UUID (version 4) from the store's random bytes.
    func makeUUID() -> UUID {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns the server's choice if it can be shown.
    private func chosen(_ body: [UInt8], _ subscription: Subscription, _ app: App) async throws -> RetentionOffer? {
        guard let response = RealtimeResponse(body) else { return nil }
        return try await database.read { [self] connection in
            let id = response.messageIdentifier
            guard let message = try approvedMessageIfAny(id.name, of: app, on: connection),
                let entry = try catalog.entry(number: app.appleID, on: connection),
                Self.fits(response, message, subscription, entry)
            else { return nil }
            return RetentionOffer(source: .realtime, messageID: id, message: message, response: response)
        }
    }

    private func approvedMessageIfAny(
        _ id: String, of app: App, on connection: any Connection
    ) throws -> UploadMessageRequest? {
        do {
            return try approvedMessage(id, of: app, on: connection)
        } catch is ServerAPIError {
            return nil
        }
    }

    /// Returns true if a choice fits the subscription: another product or an offer comes without an image and is of the
    /// same group. Advanced Commerce doesn't apply to this store's subscriptions.
    private static func fits(
        _ response: RealtimeResponse, _ message: UploadMessageRequest, _ subscription: Subscription,
        _ entry: CatalogCache.Entry
    ) -> Bool {
        func isInGroup(_ id: String) -> Bool {
            entry.products[Product.ID(rawValue: id)]?.subscription?.groupID == subscription.groupID
        }
        switch response {
        case .message: return true
        case .advancedCommerce: return false
        case .alternateProduct(_, let productID):
            return message.images.isEmpty && isInGroup(productID) && productID != subscription.product.id.rawValue
        case .promotionalOffer(_, .version1(let signature)):
            let product = entry.products[Product.ID(rawValue: signature.productId)]
            return message.images.isEmpty && isInGroup(signature.productId)
                && product?.subscription?.promotionalOffers.contains { $0.id == signature.offerIdentifier } == true
        case .promotionalOffer(_, .version2(let jws)):
            return message.images.isEmpty && jws.split(separator: ".").count == 3
        }
    }

    private func defaultOffer(
        for product: Product.ID, _ app: App, locale: String, failure: String?
    ) async throws -> RetentionOffer {
        try await database.read { [self] connection in
            let id = try RetentionSettingsTable.defaultMessage(
                product: product, locale: locale, key(of: app), on: connection)
            // An image may have been rejected since.
            guard let id, let message = try approvedMessageIfAny(id, of: app, on: connection) else {
                return RetentionOffer(source: .none, failure: failure)
            }
            return RetentionOffer(
                source: .default, messageID: UUID(uuidString: id), message: message, failure: failure)
        }
    }
}

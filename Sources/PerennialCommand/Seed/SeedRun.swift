import Foundation
import Perennial
import PerennialSimulation

/// Performs the steps of an invented history through a store's control API, one after the other.
struct SeedRun {
    /// The numbers of requests by what they did.
    struct Counts: Encodable, Equatable {
        var customers = 0
        var downloads = 0
        var purchases = 0
        var subscriptions = 0
        var refunds = 0
        /// The fiscal months that were closed.
        var closedMonths = 0
        /// The events that fell due as the clock advanced.
        var renewals = 0
        /// The requests that the store's rules refused, such as a refund of a period that is over.
        var refused = 0
    }

    /// The answers by which the rules of commerce refuse an action. Everything else ends the command.
    private static let refusals = Set(
        PurchaseRefusal.Code.allCases.map(\.rawValue) + SubscriptionError.Code.allCases.map(\.rawValue)
            + RefundError.Code.allCases.map(\.rawValue))
    private static let firstNames = [
        "ada", "ben", "cleo", "dan", "emma", "finn", "grace", "hugo", "iris", "jan", "kim", "leo", "mia", "nils",
        "olga", "paul", "rosa", "sven", "tara", "yuki",
    ]

    let client: StoreClient
    let bundleID: String
    /// Distinguishes customers from those of an earlier run.
    let suffix: String
    var counts = Counts()
    /// The fiscal month that is closed next.
    var nextMonth: FiscalMonth
    private var now: Instant?
    /// The codes of offers, by product.
    private var codes: [String: String] = [:]
    private var lastPurchases: [Int: String] = [:]
    private var subscriptions: [Int: String] = [:]

    init(client: StoreClient, bundleID: String, suffix: String, start: Instant) {
        self.client = client
        self.bundleID = bundleID
        self.suffix = suffix
        nextMonth = FiscalMonth(containing: PacificDay(start))
    }

    /// Makes the offer codes that customers redeem.
    mutating func prepare(_ catalog: HistoryCatalog) async throws {
        for (number, subscription) in catalog.subscriptions.enumerated() {
            guard let offer = subscription.codeOffer else { continue }
            let code = "SEED\(number + 1)"
            codes[subscription.id] = code
            do {
                let _: StoreAnswer<SeedMessages.Done> = try await client.post(
                    "control/v1/apps/\(bundleID.percentEncoded)/offer-codes",
                    SeedMessages.Code(productId: subscription.id, offerId: offer, code: code))
            } catch let error as StoreClientError where error.code == .refused && error.subject == "offerCodeExists" {
                // It is there from an earlier run.
            }
        }
    }

    mutating func perform(_ step: HistoryStep) async throws {
        try await advance(to: step.at)
        let account = Self.account(step.customer, suffix)
        do {
            try await perform(step.action, step.customer, account)
        } catch let error as StoreClientError where error.code == .refused && Self.refusals.contains(error.subject) {
            counts.refused += 1
        }
    }

    /// Advances the environment's clock, so that all that falls due before is done.
    mutating func advance(to time: Instant) async throws {
        if let now, now >= time { return }
        let answer: StoreAnswer<SeedMessages.Advanced> = try await client.post(
            "control/v1/clock/advance", SeedMessages.Advance(to: time.rfc3339(fraction: true)),
            timeout: StoreClient.advanceTimeout)
        now = time
        counts.renewals += answer.value.events
    }

    static func account(_ number: Int, _ suffix: String) -> String {
        "\(firstNames[number % firstNames.count]).\(number + 1)\(suffix)@example.com"
    }

    // MARK: - Actions

    private mutating func perform(_ action: HistoryAction, _ customer: Int, _ account: String) async throws {
        switch action {
        case .join(let storefront):
            try await put(SeedMessages.Account(account: account, storefront: storefront.rawValue))
            counts.customers += 1
        case .declinePayments: try await put(SeedMessages.Account(account: account, paymentMethod: "declined"))
        case .acceptPayments: try await put(SeedMessages.Account(account: account, paymentMethod: "valid"))
        case .download(let device, let version):
            let _: StoreAnswer<SeedMessages.Done> = try await client.post(
                "control/v1/downloads",
                SeedMessages.Download(
                    bundleId: bundleID, account: account, device: device.id, version: version,
                    deviceFamily: device.family.rawValue))
            counts.downloads += 1
        case .buy(let product, let quantity, let device, let version):
            lastPurchases[customer] =
                try await buy(product, quantity, device, version, as: account).transactionId
            counts.purchases += 1
        case .subscribe(let subscription, let device, let version):
            subscriptions[customer] =
                try await buy(subscription.id, 1, device, version, as: account).originalTransactionId
            counts.subscriptions += 1
        case .redeem(let subscription):
            guard let code = codes[subscription.id] else { return }
            let answer: StoreAnswer<SeedMessages.Bought> = try await client.post(
                "control/v1/redemptions", SeedMessages.Redemption(bundleId: bundleID, account: account, code: code))
            subscriptions[customer] = answer.value.originalTransactionId
            counts.subscriptions += 1
        case .turnAutoRenewOff:
            guard let id = subscriptions[customer] else { return }
            let _: StoreAnswer<SeedMessages.Done> = try await client.post(
                "control/v1/subscriptions/\(id)/auto-renew", SeedMessages.AutoRenew(enabled: false))
        case .refundPurchase:
            guard let id = lastPurchases.removeValue(forKey: customer) else { return }
            try await refund(id, SeedMessages.Refund())
        case .refundSubscription:
            guard let id = subscriptions[customer] else { return }
            try await refund(id, SeedMessages.Refund(period: "newest"))
        }
    }

    private func put(_ account: SeedMessages.Account) async throws {
        let _: StoreAnswer<SeedMessages.Done> = try await client.post("control/v1/accounts", account)
    }

    private func buy(
        _ product: String, _ quantity: Int, _ device: HistoryDevice, _ version: String, as account: String
    ) async throws -> SeedMessages.Bought {
        let answer: StoreAnswer<SeedMessages.Bought> = try await client.post(
            "control/v1/purchases",
            SeedMessages.Purchase(
                bundleId: bundleID, account: account, productId: product, quantity: quantity,
                device: device.family.rawValue, appVersion: version))
        return answer.value
    }

    private mutating func refund(_ id: String, _ body: SeedMessages.Refund) async throws {
        let _: StoreAnswer<SeedMessages.Done> = try await client.post("control/v1/transactions/\(id)/refund", body)
        counts.refunds += 1
    }
}

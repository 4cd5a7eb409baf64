import Foundation
import OpenStoreKit
import Testing

struct AppStoreTests {
    let device: Device
    let store = SaleStore()

    init() throws {
        self.device = try Device()
        store.set { $0.types = ["monthly": "autoRenewable"] }
    }

    // MARK: Storefronts

    @Test func `the storefront is the store's, and the last known one without it`() async throws {
        await device.connection(store).withCurrent {
            let storefront = await Storefront.current
            #expect(storefront?.countryCode == "DEU")
            #expect(storefront?.id == "143443")
            #expect(storefront?.currency?.identifier == "EUR")
            store.set { $0.storefront = "FRA" }
            #expect(await Storefront.current?.countryCode == "FRA")
            store.set { $0.isOffline = true }
            #expect(await Storefront.current?.countryCode == "FRA")
        }
    }

    @Test func `each listener gets a change of the storefront`() async throws {
        await device.connection(store).withCurrent {
            _ = await Storefront.current
            var first = Storefront.updates.makeAsyncIterator()
            var second = Storefront.updates.makeAsyncIterator()
            store.set { $0.storefront = "FRA" }
            _ = await Storefront.current
            #expect(await first.next()?.countryCode == "FRA")
            #expect(await second.next()?.countryCode == "FRA")
        }
    }

    // MARK: The store

    @Test func `the device and permission are the connection's`() async throws {
        await device.connection(store).withCurrent {
            #expect(AppStore.deviceVerificationID == device.identifier)
            #expect(AppStore.canMakePayments)
            #expect(await AppStore.ageRatingCode == nil)
        }
    }

    @Test func `synchronizing without a network fails`() async throws {
        store.set { $0.isOffline = true }
        await device.connection(store).withCurrent {
            let error = await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            guard case .networkError? = error else { return #expect(Bool(false)) }
        }
    }

    // MARK: The app transaction

    @Test func `the app transaction is verified, stored, and refreshed on request`() async throws {
        try await device.connection(store).withCurrent {
            guard case .verified(let transaction) = try await AppTransaction.shared else { return #expect(Bool(false)) }
            #expect(transaction.bundleID == "com.example.magazine")
            #expect(transaction.appVersion == "2.1")
            #expect(transaction.originalAppVersion == "1.3")
            #expect(transaction.appID == 1234)
            #expect(transaction.appTransactionID == "701")
            #expect(transaction.environment == .sandbox)
            #expect(transaction.originalPlatform == .iOS)
            #expect(transaction.signedDate == SaleStore.date)
            #expect(transaction.storeType == .consumer)
            #expect(try await AppTransaction.shared.payloadValue == transaction)
            #expect(try await AppTransaction.refresh().payloadValue.appTransactionID == "702")
            var all: [String] = []
            for await result in AppTransaction.all { all.append(try result.payloadValue.appTransactionID) }
            #expect(all == ["702"])
        }
        // The next launch has it without a network.
        store.set { $0.isOffline = true }
        try await device.connection(store).withCurrent {
            let stored = try await AppTransaction.shared.payloadValue
            #expect(stored.appTransactionID == "702")
            await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.refresh() }
        }
    }

    @Test func `after an update of the app its transaction has the new version`() async throws {
        func versions(_ version: String) async throws -> [String] {
            try await device.connection(store, applicationVersion: version).withCurrent {
                let transaction = try await AppTransaction.shared.payloadValue
                return [transaction.appVersion, transaction.originalAppVersion]
            }
        }
        #expect(try await versions("2.1") == ["2.1", "1.3"])
        #expect(try await versions("2.1") == ["2.1", "1.3"])
        #expect(store.log.count { $0 == "GET app-transaction" } == 1)
        // Without the store the earlier version's proves the purchase.
        store.set { $0.isOffline = true }
        #expect(try await versions("3.0") == ["2.1", "1.3"])
        store.set { $0.isOffline = false }
        #expect(try await versions("3.0") == ["3.0", "1.3"])
        store.set { $0.isOffline = true }
        #expect(try await versions("3.0") == ["3.0", "1.3"])
    }

    /// Holds back an answer of a store over a network, while the device sleeps through all limits.
    private func stalled(
        _ path: String, version: String = "2.1", _ body: (StoreConnection) async throws -> Void
    ) async throws {
        let transport = DelayingTransport(store, isRemote: true)
        transport.hold(path)
        let connection = device.connection(transport, applicationVersion: version)
        try await connection.withCurrent { try await body(connection) }
        await transport.arrival(of: path)
        transport.release(path)
        connection.close()
    }

    @Test(arguments: ["devices", "app-transaction"])
    func `a stalled store leaves the stored app transaction`(path: String) async throws {
        try await device.connection(store).withCurrent { _ = try await AppTransaction.shared }
        try await stalled(path, version: "3.0") { _ in
            let transaction = try await AppTransaction.shared.payloadValue
            #expect(transaction.appVersion == "2.1")
            #expect(transaction.appTransactionID == "701")
        }
    }

    @Test(arguments: ["devices", "app-transaction", "/certificates/root.cer"])
    func `a stalled store without a stored app transaction is a network error`(
        path: String
    ) async throws {
        try await stalled(path) { _ in
            for request in [{ try await AppTransaction.shared }, { try await AppTransaction.refresh() }] {
                let error = await #expect(throws: StoreKitError.self) { _ = try await request() }
                guard case .networkError(let cause)? = error else { return #expect(Bool(false)) }
                #expect(cause.code == .timedOut)
            }
        }
    }

    @Test func `an app transaction that can't be verified doesn't replace one that can`() async throws {
        try await device.connection(store).withCurrent {
            _ = try await AppTransaction.shared
            store.set { $0.bundleID = "com.example.other" }
            guard case .unverified = try await AppTransaction.refresh() else { return #expect(Bool(false)) }
            #expect(try await AppTransaction.shared.payloadValue.bundleID == "com.example.magazine")
        }
        store.set { $0.isOffline = true }
        try await device.connection(store).withCurrent {
            let stored = try await AppTransaction.shared.payloadValue
            #expect(stored.appTransactionID == "701")
        }
    }

    @Test func `the app transaction of another app is unverified`() async throws {
        store.set { $0.bundleID = "com.example.other" }
        try await device.connection(store).withCurrent {
            guard case .unverified = try await AppTransaction.shared else { return #expect(Bool(false)) }
        }
    }

    // MARK: Messages

    @Test func `messages come once for as long as they stand`() async throws {
        let connection = device.connection(store)
        await connection.withCurrent {
            store.set { $0.messages = [["reason": "billingIssue", "productId": "monthly"]] }
            var messages = Message.messages.makeAsyncIterator()
            #expect(await messages.next()?.reason == .billingIssue)
            await connection.refreshMessages()
            store.set {
                $0.messages = [["reason": "billingIssue", "productId": "monthly"], ["reason": "priceIncreaseConsent"]]
            }
            await connection.refreshMessages()
            #expect(await messages.next()?.reason == .priceIncreaseConsent)
            store.set { $0.messages = [] }
            await connection.refreshMessages()
            store.set { $0.messages = [["reason": "billingIssue", "productId": "monthly"]] }
            await connection.refreshMessages()
            #expect(await messages.next()?.reason == .billingIssue)
        }
    }

    // MARK: Promotion

    @Test func `purchase intents wait for the first listener and go to all later`() async throws {
        let connection = device.connection(store)
        try await connection.withCurrent {
            try await PurchaseIntent.receive(productID: "monthly", offerID: "back", on: connection)
            var first = PurchaseIntent.intents.makeAsyncIterator()
            let intent = await first.next()
            #expect(intent?.id == "monthly")
            #expect(intent?.offer?.id == "back")
            var second = PurchaseIntent.intents.makeAsyncIterator()
            try await PurchaseIntent.receive(productID: "coins", offerID: nil, on: connection)
            #expect(await first.next()?.product.id == "coins")
            #expect(await second.next()?.product.id == "coins")
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await PurchaseIntent.receive(productID: "unknown.a", offerID: nil, on: connection)
            }
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try await PurchaseIntent.receive(productID: "monthly", offerID: "none", on: connection)
            }
        }
    }

    @Test func `order and visibility of promoted products survive a launch`() async throws {
        try await device.connection(store).withCurrent {
            #expect(try await Product.PromotionInfo.currentOrder.isEmpty)
            try await Product.PromotionInfo.updateProductOrder(byID: ["b", "a", "b"])
            try await Product.PromotionInfo.updateProductVisibility(.hidden, for: "c")
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await Product.PromotionInfo.updateProductOrder(byID: ["unknown.a"])
            }
        }
        try await device.connection(store).withCurrent {
            var order = try await Product.PromotionInfo.currentOrder
            #expect(order.map(\.productID) == ["b", "a", "c"])
            #expect(order.map(\.visibility) == [.appStoreConnectDefault, .appStoreConnectDefault, .hidden])
            order[0].visibility = .visible
            try await order[0].update()
            try await Product.PromotionInfo.updateProductVisibility(.appStoreConnectDefault, for: "c")
            #expect(
                try await Product.PromotionInfo.currentOrder.map(\.visibility) == [.visible, .appStoreConnectDefault])
            try await Product.PromotionInfo.updateAll(Array(order.reversed()))
            #expect(try await Product.PromotionInfo.currentOrder.map(\.productID) == ["c", "a", "b"])
        }
    }

    // MARK: Purchases outside of the store

    @Test func `purchases outside of the store are not entitled`() async throws {
        #expect(await !ExternalPurchase.canPresent)
        #expect(await !ExternalPurchaseLink.canOpen)
        #expect(await ExternalPurchaseLink.eligibleURLs == nil)
        #expect(await !ExternalPurchaseCustomLink.isEligible)
        #expect(await !ExternalLinkAccount.canOpen)
        await #expect(throws: StoreKitError.self) { _ = try await ExternalPurchase.presentNoticeSheet() }
        await #expect(throws: PaymentMethodBinding.PaymentMethodBindingError.notEligible) {
            _ = try await PaymentMethodBinding(id: "a")
        }
    }

    // MARK: Errors

    @Test func `errors have Apple's domains and codes, and texts`() {
        let errors: [(StoreKitError, Int)] = [
            (.networkError(URLError(.timedOut)), 0), (.systemError(CancellationError()), 1), (.unknown, 2),
            (.userCancelled, 3), (.notAvailableInStorefront, 4), (.notEntitled, 5), (.unsupported, 6),
        ]
        for (error, code) in errors {
            #expect((error as NSError).domain == "StoreKit.StoreKitError")
            #expect((error as NSError).code == code)
            #expect(error.errorDescription?.isEmpty == false)
        }
        #expect((Product.PurchaseError.invalidQuantity as NSError).domain == "StoreKit.Product.PurchaseError")
        #expect(Product.PurchaseError.ineligibleForOffer.failureReason?.isEmpty == false)
    }
}

import Foundation
import OpenStoreKit
import Perennial
import PerennialStore

/// A store in the test process, with the products of a StoreKit configuration file.
///
/// Each session is an environment of its own: two of them, also with the same bundle ID and different files, don't see each
/// other's purchases. StoreKit's calls without a session, such as `Product.products(for:)`, go to the newest one, or to that of
/// ``withSession(isolation:_:)``. When the last session is released its store stays until the next one is made.
///
/// Changes by a call of the session are visible in StoreKit's next answer.
///
/// Source: Apple, StoreKitTest documentation, "SKTestSession".
open class SKTestSession: NSObject, @unchecked Sendable {
    let core: SessionCore

    /// Makes a session from a configuration file of a test target, in the resources of the test process.
    ///
    /// - Parameter filename: Name of the file, with or without `.storekit`.
    /// - Throws: ``SKTestError``: `.fileNotFound`; `.invalidURL` for a broken file, with the place in it.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try ConfigurationSearch.process.file(named: filename))
    }

    /// Makes a session from a configuration file.
    ///
    /// - Throws: ``SKTestError``: `.fileNotFound`; `.invalidURL` for a broken file, with the place in it.
    public init(contentsOf fileURL: URL) throws {
        core = try LiveSessions.make(contentsOf: fileURL, bundleID: nil)
        super.init()
    }

    /// Makes a session for an app with a given bundle ID; an addition to StoreKitTest.
    ///
    /// Without one it is that of the environment variable `PERENNIAL_BUNDLE_ID`, of the main bundle, or `com.example.` with the
    /// file's name.
    ///
    /// - Throws: ``SKTestError``, as the other initialisers.
    public init(contentsOf fileURL: URL, bundleIdentifier: String) throws {
        core = try LiveSessions.make(contentsOf: fileURL, bundleID: bundleIdentifier)
        super.init()
    }

    deinit { LiveSessions.release(core) }

    // MARK: Customer

    /// Storefront of the customer, an ISO 3166-1 alpha-3 code; default `USA`, or the file's.
    ///
    /// A code that isn't a storefront of the App Store changes nothing.
    open var storefront: String {
        get { core.settings.storefront }
        set {
            guard Storefront(rawValue: newValue).currency != nil else {
                return SessionLog.report("storefront = \"\(newValue)\": no storefront of the App Store")
            }
            let old = core.settings.storefront
            core.connection.announceStorefront(countryCode: newValue, insteadOf: old)
            change {
                $0.storefront = newValue
            } apply: {
                try await $0.applyAccount()
            }
            core.connection.expectStorefront(countryCode: newValue, insteadOf: old)
        }
    }

    /// Locale of the customer, for titles and descriptions; default `en_US`, or the file's.
    open var locale: Locale {
        get { core.settings.locale }
        set {
            core.withState { $0.settings.locale = newValue }
            core.connection.language = newValue.languageTag
        }
    }

    /// True if no sheet is shown. Without a ``paymentSheet`` there is none either, and payments are confirmed at once.
    open var disableDialogs: Bool {
        get { core.settings.disablesDialogs }
        set {
            core.withState { $0.settings.disablesDialogs = newValue }
            core.sheets.isDisabled = newValue
        }
    }

    // MARK: Purchases

    /// True if purchases wait for approval.
    open var askToBuyEnabled: Bool {
        get { core.settings.asksToBuy }
        set {
            core.withState { $0.settings.asksToBuy = newValue }
            core.connection.asksToBuy = newValue
        }
    }

    /// True if purchases fail until ``resolveIssueForTransaction(identifier:)``.
    open var interruptedPurchasesEnabled: Bool {
        get { core.settings.interruptsPurchases }
        set {
            change {
                $0.interruptsPurchases = newValue
            } apply: {
                try await $0.applyAccount()
            }
        }
    }

    /// True if purchases fail with ``failureError``.
    @available(*, deprecated, message: "Use setSimulatedError(_:forAPI:)")
    open var failTransactionsEnabled: Bool {
        get { core.settings.failsTransactions }
        set {
            core.withState { $0.settings.failsTransactions = newValue }
            core.applyFailures()
        }
    }

    /// Error of purchases while ``failTransactionsEnabled`` is true.
    @available(*, deprecated, message: "Use setSimulatedError(_:forAPI:)")
    open var failureError: SKError.Code {
        get { core.withState { $0.failureError } }
        set {
            core.withState { $0.failureError = newValue }
            core.applyFailures()
        }
    }

    // MARK: Subscriptions

    /// Speed at which subscriptions renew; default real time. Periods that are paid keep their ends.
    open var timeRate: TimeRate {
        get { core.settings.timeRate }
        set {
            change {
                $0.timeRate = newValue
            } apply: {
                try await $0.applyBilling()
            }
        }
    }

    /// True if the payments of renewals fail.
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { core.settings.failsRenewals }
        set {
            change {
                $0.failsRenewals = newValue
            } apply: {
                try await $0.applyBilling()
            }
        }
    }

    /// True if a failed renewal begins a grace period.
    open var billingGracePeriodIsEnabled: Bool {
        get { core.settings.hasGracePeriod }
        set {
            change {
                $0.hasGracePeriod = newValue
            } apply: {
                try await $0.applyBilling()
            }
        }
    }

    // MARK: Reset

    /// Gives all properties and simulated errors the values that the session began with, and lets the clock run from where it stands.
    /// Transactions stay.
    open func resetToDefaultState() {
        let old = storefront
        core.connection.announceStorefront(
            countryCode: core.configuration.settings.storefront, insteadOf: old)
        core.withState { state in
            state.settings = core.configuration.settings
            state.failureError = .unknown
            state.failures = core.configuration.settings.simulatedErrors.failures.mapValues { $0 as any Sendable }
        }
        core.connection.simulatedErrors.removeAll()
        core.time.resume()
        perform { try await $0.applySettings() }
        core.connection.expectStorefront(countryCode: storefront, insteadOf: old)
    }

    /// Removes all transactions and subscriptions, what the client knows of them and its balances, and sets the clock to real time.
    /// Properties stay.
    open func clearTransactions() {
        perform { try await $0.clear() }
    }

    // MARK: Transactions

    /// Returns the transactions by purchase date, oldest first, with purchases that wait for approval or have an issue.
    open func allTransactions() -> [SKTestTransaction] {
        let core = core
        do {
            return try core.reading { try await core.allTransactions() }.map(SKTestTransaction.init)
        } catch {
            SessionLog.report("\(SKTestError(of: error).message)")
            return []
        }
    }

    /// Removes a transaction; of a subscription also its renewals.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`.
    open func deleteTransaction(identifier: UInt) throws {
        try attempt { try await $0.delete(identifier) }
    }

    /// Buys a product, as if outside of the app.
    ///
    /// - Throws: ``SKTestError`` `.invalidProductIdentifier`; `.invalidAction` if the purchase waits for approval or is interrupted.
    @available(*, deprecated, message: "Use buyProduct(identifier:options:)")
    open func buyProduct(productIdentifier: String) throws {
        try attempt { _ = try await $0.buy(productIdentifier) }
    }

    /// Refunds a purchase.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`; `.invalidAction` for a refunded one.
    open func refundTransaction(identifier: UInt) throws {
        try attempt { try await $0.refund(identifier) }
    }

    /// Ends the issue of an interrupted purchase, or of a subscription in billing retry.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`; `.invalidAction` without an issue.
    open func resolveIssueForTransaction(identifier: UInt) throws {
        try attempt { try await $0.resolveIssue(identifier) }
    }

    /// Approves a purchase that waits.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`.
    open func approveAskToBuyTransaction(identifier: UInt) throws {
        try attempt { try await $0.decide(identifier, approved: true) }
    }

    /// Declines a purchase that waits.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`.
    open func declineAskToBuyTransaction(identifier: UInt) throws {
        try attempt { try await $0.decide(identifier, approved: false) }
    }

    // MARK: Renewals

    /// Renews a subscription now: ends the period, also one in billing retry, begins the next, and switches auto-renew on.
    ///
    /// - Throws: ``SKTestError`` `.noSubscriptionFound`, `.invalidProductIdentifier`.
    open func forceRenewalOfSubscription(productIdentifier: String) throws {
        try attempt { try await $0.perform(.forceRenewal, onProduct: productIdentifier) }
    }

    /// Ends a subscription now and switches auto-renew off.
    ///
    /// - Throws: ``SKTestError`` `.noSubscriptionFound`, `.invalidProductIdentifier`.
    open func expireSubscription(productIdentifier: String) throws {
        try attempt { try await $0.expire(product: productIdentifier) }
    }

    /// Switches auto-renew on.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`, `.invalidProductType`.
    open func enableAutoRenewForTransaction(identifier: UInt) throws {
        try attempt { try await $0.perform(.setAutoRenew(true), onTransaction: identifier) }
    }

    /// Switches auto-renew off.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`, `.invalidProductType`.
    open func disableAutoRenewForTransaction(identifier: UInt) throws {
        try attempt { try await $0.perform(.setAutoRenew(false), onTransaction: identifier) }
    }

    /// Asks the customer to consent to a price increase.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`, `.invalidProductType`; `.invalidAction` if the subscription doesn't renew.
    open func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try attempt { try await $0.perform(.requestPriceConsent, onTransaction: identifier) }
    }

    /// Consents to a price increase.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`; `.invalidAction` without a price increase.
    open func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try attempt { try await $0.perform(.answerPriceIncrease(accepted: true), onTransaction: identifier) }
    }

    /// Declines a price increase.
    ///
    /// - Throws: ``SKTestError`` `.noTransactionFound`; `.invalidAction` without a price increase.
    open func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try attempt { try await $0.perform(.answerPriceIncrease(accepted: false), onTransaction: identifier) }
    }

    // MARK: Helpers

    private func attempt(_ work: @escaping @Sendable (SessionCore) async throws -> Void) throws {
        let core = core
        try core.blocking { try await work(core) }
    }

    /// Changes a setting and gives it to the store.
    private func change(
        _ change: (inout SessionConfiguration.Settings) -> Void,
        apply: @escaping @Sendable (SessionCore) async throws -> Void
    ) {
        core.withState { change(&$0.settings) }
        perform(apply)
    }

    /// Does something that its caller can't see fail.
    private func perform(_ work: @escaping @Sendable (SessionCore) async throws -> Void) {
        let core = core
        do {
            try core.blocking { try await work(core) }
        } catch {
            SessionLog.report("\(SKTestError(of: error).message)")
        }
    }
}

extension SessionCore {
    /// Empties the environment and the client.
    func clear() async throws {
        try await store.reset()
        withState { $0.deviceToken = nil }
        if !time.isStopped { time.reset() }
        try await applyAccount()
        connection.forgetPurchases()
        if let url = withState({ $0.notificationURL }) { try await notifications.send(to: url) }
    }
}

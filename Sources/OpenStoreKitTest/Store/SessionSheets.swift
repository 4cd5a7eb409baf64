import OpenStoreKit
import Synchronization

/// The sheets of a session: those that a test has installed, while dialogs aren't disabled. Without one a payment is confirmed at once,
/// no code is entered, and a price increase stays unanswered.
final class SessionSheets: Sendable {
    private struct State {
        var isDisabled = false
        var installed = Installed()
    }

    struct Installed: Sendable {
        var payment: (any StoreConnection.PaymentSheet)?
        var codeRedemption: (any StoreConnection.CodeRedemptionSheet)?
        var priceConsent: (any StoreConnection.PriceConsentSheet)?
    }

    private let state = Mutex(State())

    var isDisabled: Bool {
        get { state.withLock { $0.isDisabled } }
        set { state.withLock { $0.isDisabled = newValue } }
    }

    var installed: Installed {
        get { state.withLock { $0.installed } }
        set { state.withLock { $0.installed = newValue } }
    }

    /// Sheets to be shown.
    private var shown: Installed { state.withLock { $0.isDisabled ? Installed() : $0.installed } }
}

extension SessionSheets: StoreConnection.PaymentSheet {
    func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
        await shown.payment?.confirm(payment) ?? .buy
    }
}

extension SessionSheets: StoreConnection.CodeRedemptionSheet {
    func code() async -> String? { await shown.codeRedemption?.code() }
}

extension SessionSheets: OptionalPriceConsentSheet {
    var hasPriceConsent: Bool { shown.priceConsent != nil }

    func consents(toPriceOf productIdentifier: String) async -> Bool? {
        await shown.priceConsent?.consents(toPriceOf: productIdentifier)
    }
}

// Each sheet is shown while `disableDialogs` is false.
extension SKTestSession {
    /// Sheet that a test installs to answer payments; an addition to StoreKitTest. Without one each payment is confirmed at once.
    public var paymentSheet: (any StoreConnection.PaymentSheet)? {
        get { core.sheets.installed.payment }
        set { core.sheets.installed.payment = newValue }
    }

    /// Sheet that a test installs to enter an offer code, for `SKPaymentQueue.presentCodeRedemptionSheet()`; an addition to
    /// StoreKitTest. Without one the customer cancels.
    ///
    /// A code is the reference name of an offer in the configuration file's `codeOffers`.
    public var codeRedemptionSheet: (any StoreConnection.CodeRedemptionSheet)? {
        get { core.sheets.installed.codeRedemption }
        set { core.sheets.installed.codeRedemption = newValue }
    }

    /// Sheet that a test installs to answer price increases; an addition to StoreKitTest.
    ///
    /// It is shown when the delegate of the payment queue agrees, or by `SKPaymentQueue.showPriceConsentIfNeeded()`. Without one the
    /// delegate is asked all the same, and the increase waits: ``consentToPriceIncreaseForTransaction(identifier:)`` and
    /// ``declinePriceIncreaseForTransaction(identifier:)`` answer it.
    ///
    /// Source: Apple, StoreKit documentation, "paymentQueueShouldShowPriceConsent(_:)".
    public var priceConsentSheet: (any StoreConnection.PriceConsentSheet)? {
        get { core.sheets.installed.priceConsent }
        set { core.sheets.installed.priceConsent = newValue }
    }
}

extension SKTestSession {
    /// Warnings about parts of the configuration file that the session doesn't apply, each with file and place.
    package var configurationWarnings: [String] { core.configuration.warnings }
}

/// A change of the apps on a customer's device: a download, a re-download or an update.
package struct AppDownload: Hashable, Sendable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The account's first download of the app, on any device.
        case downloaded
        /// A download to another device of the account, or to one from which the app was removed.
        case redownloaded
        /// A newer version on a device that has the app.
        case updated
    }

    package let kind: Kind
    /// The installation afterwards.
    package let installation: AppInstallation
    /// The storefront of the account.
    package let storefront: Storefront
    /// The price that the customer pays: that of the first download of a paid app, otherwise zero.
    package let price: Money

    /// Decides what it means that an app is on a device now.
    ///
    /// - Parameters:
    ///   - known: The app on this device as known before; `nil` if it was never there.
    ///   - hasDownloaded: True if the account has downloaded the app before, on any device.
    /// - Returns: `nil` if nothing has changed: the device has this version or a newer one already.
    /// - Throws: ``PurchaseRefusal`` for the first download of a paid app that the account can't pay, or of an app that its
    ///   storefront doesn't offer, and for an unknown storefront.
    package static func decide(
        _ installation: AppInstallation, known: AppInstallation?, hasDownloaded: Bool, of app: App,
        by account: Account
    ) throws -> AppDownload? {
        let kind: Kind
        if let known, known.isInstalled {
            guard AppInstallation.isNewer(installation.version, than: known.version) else { return nil }
            kind = .updated
        } else {
            kind = hasDownloaded ? .redownloaded : .downloaded
        }
        guard let full = app.price(in: account.storefront),
            kind != .downloaded || app.isAvailable(in: account.storefront)
        else {
            throw PurchaseRefusal(.productNotAvailable, app.productID, "the app is not for sale in this store")
        }
        let price = kind == .downloaded ? full : .zero(full.currency)
        if price.milliunits > 0, !account.canMakePayments {
            throw PurchaseRefusal(.paymentsNotAllowed, app.productID, "this account may not make payments")
        }
        try Charge.expectPayment(of: price, by: account.paymentMethod, for: app.productID)
        return AppDownload(kind: kind, installation: installation, storefront: account.storefront, price: price)
    }

    /// Returns the journal entry, with the money of a paid download.
    package func entry(at now: Instant, by account: Account.ID, in app: App) -> JournalEntry {
        JournalEntry(
            kind.entry, at: now, accountID: account, postings: app.saleTerms.postings(forSaleAt: price, in: storefront),
            facts: SaleFacts(
                device: installation.family, appVersion: installation.version, storefront: storefront))
    }
}

extension AppDownload.Kind {
    package var entry: JournalEntry.Kind {
        switch self {
        case .downloaded: .appDownloaded
        case .redownloaded: .appRedownloaded
        case .updated: .appUpdated
        }
    }
}

extension App {
    /// Stands for the app itself in a ``PurchaseRefusal``.
    fileprivate var productID: Product.ID { Product.ID(rawValue: bundleID.rawValue) }
}

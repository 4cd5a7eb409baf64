/// The seller's side of an app: settings in App Store Connect that selling doesn't need.
package struct AppListing: Hashable, Sendable, Codable {
    /// DOES_NOT_USE_THIRD_PARTY_CONTENT or USES_THIRD_PARTY_CONTENT.
    package var contentRights: String?
    package var accessibilityURL: String?
    package var streamlinesPurchasing: Bool?
    /// The grace period that an opt-in turns on.
    package var grace: BillingPolicy.Grace?

    package init() {}
}

/// The grace period of an app's subscriptions as App Store Connect shows it: one length and scope, opted in to for
/// Production and Sandbox apart.
package struct SubscriptionGracePeriod: Hashable, Sendable {
    package var isOn: Bool
    package var isOnInSandbox: Bool
    /// `nil` if the seller never chose one.
    package var grace: BillingPolicy.Grace?
}

extension App {
    package var gracePeriod: SubscriptionGracePeriod {
        let (production, sandbox) = (billing?.production?.policy.grace, billing?.sandbox?.policy.grace)
        return SubscriptionGracePeriod(
            isOn: production != nil, isOnInSandbox: sandbox != nil, grace: production ?? sandbox ?? listing?.grace)
    }

    /// Changes the grace period. Members that are `nil` stay.
    ///
    /// - Throws: ``CatalogEditError`` `.required` for an opt-in without a length.
    package mutating func setGracePeriod(
        optIn: Bool? = nil, sandboxOptIn: Bool? = nil, length: BillingPolicy.GraceLength? = nil,
        scope: BillingPolicy.GraceScope? = nil
    ) throws {
        let before = gracePeriod
        let (isOn, isOnInSandbox) = (optIn ?? before.isOn, sandboxOptIn ?? before.isOnInSandbox)
        guard let length = length ?? before.grace?.length else {
            if scope != nil || isOn || isOnInSandbox {
                throw CatalogEditError(
                    .required, at: .attribute("duration"),
                    "You must provide a value for the attribute 'duration' with this request")
            }
            return
        }
        let grace = BillingPolicy.Grace(length, scope: scope ?? before.grace?.scope ?? .allRenewals)
        edit { $0.grace = grace }
        var billing = billing ?? AppBilling()
        billing.production = (billing.production ?? BillingSettings()).with(isOn ? grace : nil)
        billing.sandbox = (billing.sandbox ?? BillingSettings()).with(isOnInSandbox ? grace : nil)
        self.billing = billing
    }

    /// Changes the locale of texts without one in the customer's language.
    ///
    /// - Parameter locale: In App Store Connect's form: `en-US`.
    /// - Throws: ``CatalogEditError`` `.invalid`.
    package mutating func setPrimaryLocale(_ locale: String) throws {
        guard AppStoreLocale.isKnown(locale) else {
            throw CatalogEditError(
                .invalid, at: .attribute("primaryLocale"), "The locale '\(locale)' is not one of App Store Connect's.")
        }
        // The form of a file, such as `de` for `de-DE`, stays.
        if AppStoreLocale.connect(defaultLocale) != locale { defaultLocale = AppStoreLocale.catalog(locale) }
    }

    /// Sets the storefronts in which the app is offered.
    ///
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an unknown storefront.
    package mutating func setAvailability(_ storefronts: [Storefront], includesNew: Bool) throws {
        availability = try Availability.checked(storefronts, includesNew: includesNew)
    }

    /// Returns true if the app is offered in a storefront.
    package func isAvailable(in storefront: Storefront) -> Bool {
        availability?.storefronts.contains(storefront) ?? true
    }

    package mutating func setContentRights(_ declaration: String?) { edit { $0.contentRights = declaration } }

    package mutating func setStreamlinesPurchasing(_ isOn: Bool?) { edit { $0.streamlinesPurchasing = isOn } }

    /// - Throws: ``CatalogEditError`` `.invalid`.
    package mutating func setAccessibilityURL(_ url: String?) throws {
        if let url, !NotificationTerms.isURL(url) {
            throw CatalogEditError(
                .invalid, at: .attribute("accessibilityUrl"),
                "'\(url)' is no URL: expected \(NotificationTerms.urlRule).")
        }
        edit { $0.accessibilityURL = url }
    }

    private mutating func edit(_ change: (inout AppListing) -> Void) {
        var listing = listing ?? AppListing()
        change(&listing)
        self.listing = listing == AppListing() ? nil : listing
    }
}

extension BillingSettings {
    fileprivate func with(_ grace: BillingPolicy.Grace?) -> BillingSettings {
        var settings = self
        settings.gracePeriodDays = grace?.length.rawValue ?? 0
        settings.gracePeriodScope = grace?.scope ?? gracePeriodScope
        return settings
    }
}

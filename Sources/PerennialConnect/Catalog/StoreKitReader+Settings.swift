import AppStoreFormats
import Perennial

extension StoreKitReader {
    /// Applies storefront and locale, and warns about other settings: they control Xcode's test store, and most have
    /// no place in a catalog. A setting that is off needs no warning, because everything is off here.
    /// - Returns: The app's default locale.
    mutating func readSettings(of file: StoreKitFile) -> String {
        let settings = file.settings ?? StoreKitFile.Settings(fields: StoreKitJSON.Object())
        readStorefront(settings)
        readSwitches(settings)
        readSynchronization(settings)
        readPolicies(file)
        if file.subscriptionOffersKeyPair != nil {
            warn(
                .keyPairNotImported, "subscriptionOffersKeyPair",
                "the key pair for offers is left in the file: this store makes keys of its own")
        }
        guard let written = settings.locale else { return storefront.info?.locale ?? "en_US" }
        guard let locale = CatalogFile.locale(written) else {
            warn(.localeUnknown, "settings._locale", "is no locale such as en_US: not applied")
            return storefront.info?.locale ?? "en_US"
        }
        return locale
    }

    private mutating func readStorefront(_ settings: StoreKitFile.Settings) {
        guard let code = settings.storefront else { return }
        if Storefront(rawValue: code).info != nil {
            storefront = Storefront(rawValue: code)
        } else {
            warn(
                .storefrontUnknown, "settings._storefront",
                "'\(code.prefix(40))' is no storefront of the App Store: \(storefront) is assumed")
        }
    }

    private mutating func readSwitches(_ settings: StoreKitFile.Settings) {
        let switches: [(key: String, isOn: Bool?, instead: String)] = [
            ("_askToBuyEnabled", settings.isAskToBuyEnabled, "asking to buy belongs to a purchase here"),
            ("_disableDialogs", settings.areDialogsDisabled, "this store shows no dialogs"),
            (
                "_failTransactionsEnabled", settings.areFailingTransactionsEnabled,
                "an account's payment method decides here"
            ),
        ]
        for setting in switches where setting.isOn == true {
            warn(.settingNotApplied, "settings.\(setting.key)", "\(setting.instead): kept in the file, not applied")
        }
        for (index, error) in settings.storeKitErrors.enumerated() where error.isEnabled == true {
            warn(
                .settingNotApplied, "settings._storeKitErrors[\(index)]",
                "failing '\((error.name ?? "").prefix(40))' is not simulated: kept in the file, not applied")
        }
        if let rates = settings.fields["_compatibilityTimeRate"], rates != .object(StoreKitJSON.Object()),
            rates != .null
        {
            warn(
                .settingNotApplied, "settings._compatibilityTimeRate",
                "a rate for older versions of Xcode: kept in the file, not applied")
        }
    }

    /// Returns the test session's settings of renewal rate and billing, which apply to Sandbox. Its grace period has
    /// 16 days.
    /// - Returns: `nil` if it has no such settings.
    mutating func billing(of file: StoreKitFile) -> AppBilling? {
        guard let settings = file.settings else { return nil }
        var sandbox = BillingSettings()
        if let number = settings.timeRate, number != 0 {
            if let rate = TimeRate(sessionNumber: number) {
                sandbox.timeRate = .rate(rate)
                sandbox.maximumRenewals = BillingSettings.withoutEnd
            } else {
                warn(
                    .settingNotApplied, "settings._timeRate",
                    "\(number) is no rate of a test session: kept in the file, not applied")
            }
        }
        if settings.isBillingGracePeriodEnabled == true {
            sandbox.gracePeriodDays = BillingPolicy.GraceLength.sixteenDays.rawValue
        }
        if settings.areRenewalBillingIssuesEnabled == true || settings.areBillingIssuesEnabled == true {
            sandbox.renewalsFail = true
        }
        return sandbox == BillingSettings() ? nil : AppBilling(sandbox: sandbox)
    }

    private mutating func readSynchronization(_ settings: StoreKitFile.Settings) {
        if let team = settings.developerTeamID, !team.isEmpty {
            warn(
                .settingNotApplied, "settings._developerTeamID",
                "this store knows no teams: kept in the file, not applied")
        }
        if settings.lastSynchronizedDate != nil {
            warn(
                .settingNotApplied, "settings._lastSynchronizedDate",
                "the file mirrors App Store Connect; this store reads it as it stands: kept in the file, not applied")
        }
    }

    private mutating func readPolicies(_ file: StoreKitFile) {
        guard let policies = file.appPolicies else { return }
        if policies.eula?.isEmpty == false {
            warn(
                .policyNotApplied, "appPolicies.eula",
                "this store shows no licence agreement: kept in the file, not applied")
        }
        for (index, policy) in policies.policies.enumerated() {
            let isEmpty = (policy.policyText ?? "").isEmpty && (policy.policyURL ?? "").isEmpty
            guard !isEmpty else { continue }
            warn(
                .policyNotApplied, "appPolicies.policies[\(index)]",
                "this store shows no privacy policy: kept in the file, not applied")
        }
    }
}

/// Facts of a sale that only reports need, stored with its journal entry.
package struct SaleFacts: Hashable, Sendable {
    /// The kind of the customer's device; `nil` if no device is involved. Renewals have none of their own: reports use
    /// that of the subscription's last purchase.
    package var device: DeviceFamily?
    /// The app's version on that device.
    package var appVersion: String?
    /// The reason for a share of proceeds above the standard one.
    package var proceedsReason: ProceedsReason?
    /// True if the customer paid a price that is kept for existing subscribers.
    package var isPricePreserved: Bool
    /// The storefront of an app's download or update; `nil` for a sale, whose transaction has it.
    package var storefront: Storefront?

    package init(
        device: DeviceFamily? = nil, appVersion: String? = nil, proceedsReason: ProceedsReason? = nil,
        isPricePreserved: Bool = false, storefront: Storefront? = nil
    ) {
        self.device = device
        self.appVersion = appVersion
        self.proceedsReason = proceedsReason
        self.isPricePreserved = isPricePreserved
        self.storefront = storefront
    }
}

extension JournalEntry {
    /// Adds the device of a purchase to the entry's facts. A refund keeps those of the sale that it takes back.
    package func sold(on device: SaleFacts?) -> JournalEntry {
        guard let device, kind != .subscription(.upgradeRefunded) else { return self }
        var entry = self
        var facts = entry.facts ?? SaleFacts()
        facts.device = device.device
        facts.appVersion = device.appVersion
        entry.facts = facts
        return entry
    }
}

/// The reason for a share of proceeds above the standard one, with the text of Apple's reports.
package enum ProceedsReason: String, Sendable, Codable, CaseIterable {
    /// The customer has had a year of paid service in the subscription group.
    case rateAfterOneYear = "Rate After One Year"
}

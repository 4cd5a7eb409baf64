/// The codes that this store reports (App Store Connect Help, "Product type identifiers").
extension ProductTypeIdentifier {
    /// Creates the code of an in-app purchase.
    ///
    /// - Parameters:
    ///   - isRepeat: True if an owned product was bought again without a charge, which restores it.
    ///   - device: The customer's device. On a Mac the codes have a suffix.
    package init(_ type: ProductType, isRepeat: Bool = false, on device: DeviceFamily?) {
        let isMac = device == .desktop
        self =
            switch type {
            case .consumable: isMac ? .inAppPurchaseOnMac : .inAppPurchase
            // Apple lists no code of the Mac for restored products.
            case .nonConsumable where isRepeat: .restored
            case .nonConsumable: isMac ? .inAppPurchaseOnMac : .inAppPurchase
            case .autoRenewable: isMac ? .autoRenewableOnMac : .autoRenewable
            case .free: isMac ? .freeSubscriptionOnMac : .freeSubscription
            case .nonRenewing: isMac ? .nonRenewingOnMac : .nonRenewing
            }
    }

    /// A consumable or non-consumable.
    package static let inAppPurchase = ProductTypeIdentifier(rawValue: "IA1")
    package static let inAppPurchaseOnMac = ProductTypeIdentifier(rawValue: "IA1-M")
    /// A non-consumable that was owned and bought again for nothing.
    package static let restored = ProductTypeIdentifier(rawValue: "IA3")
    package static let nonRenewing = ProductTypeIdentifier(rawValue: "IA9")
    package static let nonRenewingOnMac = ProductTypeIdentifier(rawValue: "IA9-M")
    package static let autoRenewable = ProductTypeIdentifier(rawValue: "IAY")
    package static let autoRenewableOnMac = ProductTypeIdentifier(rawValue: "IAY-M")
    /// A free subscription of Newsstand.
    package static let freeSubscription = ProductTypeIdentifier(rawValue: "IAC")
    package static let freeSubscriptionOnMac = ProductTypeIdentifier(rawValue: "IAC-M")
}

/// The acquisition of an app itself rather than of a product in it.
package enum AppAcquisition: Sendable, CaseIterable {
    /// The customer's first download, which a paid app charges for.
    case first
    case again
    case update

    /// Creates the acquisition of a journal entry; `nil` for entries of other kinds.
    package init?(_ kind: JournalEntry.Kind) {
        switch kind {
        case .appDownloaded: self = .first
        case .appRedownloaded: self = .again
        case .appUpdated: self = .update
        default: return nil
        }
    }

    /// Returns the code for a kind of device. The apps of this store are universal; Apple has no universal code for Apple TV.
    package func type(on device: DeviceFamily?) -> ProductTypeIdentifier {
        let number =
            switch self {
            case .first: "1"
            case .again: "3"
            case .update: "7"
            }
        return switch device {
        case .desktop: ProductTypeIdentifier(rawValue: "F\(number)")
        case .appleTV: ProductTypeIdentifier(rawValue: number)
        default: ProductTypeIdentifier(rawValue: "\(number)F")
        }
    }
}

import AppStoreFormats
import Perennial
import PerennialStore
import Testing

/// The notification of each kind of journal entry.
struct NotificationKindTests {
    @Test(arguments: JournalEntry.Kind.allCases)
    func `every notification's type and subtype go together`(kind: JournalEntry.Kind) throws {
        for isFree in [true, false] {
            guard let (type, subtype) = kind.notification(isFree: isFree) else { continue }
            let known = NotificationType(rawValue: type)
            #expect(NotificationType.known.contains(known))
            guard let subtype else { continue }
            #expect(NotificationSubtype.known[NotificationSubtype(rawValue: subtype)]?.contains(known) == true)
        }
    }

    @Test func `every known type and subtype comes from a journal entry`() {
        let told = JournalEntry.Kind.allCases.compactMap { $0.notification(isFree: false) }
        #expect(Set(told.map(\.type)) == Set(NotificationType.known.map(\.rawValue)))
        for (subtype, types) in NotificationSubtype.known {
            for type in types {
                #expect(
                    told.contains { $0 == (type.rawValue, subtype.rawValue) }, "\(type.rawValue)/\(subtype.rawValue)")
            }
        }
    }

    @Test func `internal journal entries send no notification`() {
        let silent = JournalEntry.Kind.allCases.filter { $0.notification(isFree: false) == nil }
        #expect(
            Set(silent)
                == Set(FinanceEvent.allCases.map { .finance($0) }).union([
                    .boughtAgain, .finished, .appDownloaded, .appRedownloaded, .appUpdated,
                    .subscription(.attemptDeclined), .subscription(.upgradeRefunded), .subscription(.priceLowered),
                    .subscription(.priceIncreaseDeclined), .subscription(.paymentMethodUpdated),
                    .subscription(.autoRenewEnded),
                ]))
    }

    static let versionOne: [(DomainEvent.Kind, [String])] = [
        (.subscribed, ["INITIAL_BUY"]),
        (.upgraded, ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]),
        (.downgradeScheduled, ["DID_CHANGE_RENEWAL_PREF"]),
        (.resubscribed, ["DID_CHANGE_RENEWAL_STATUS"]),
        (.autoRenewDisabled, ["DID_CHANGE_RENEWAL_STATUS"]),
        (.autoRenewEnabled, ["DID_CHANGE_RENEWAL_STATUS"]),
        (.subscriptionRefunded, ["CANCEL"]), (.autoRenewEnded, ["DID_CHANGE_RENEWAL_STATUS"]),
        (.renewalFailed, ["DID_FAIL_TO_RENEW"]),
        (.recovered, ["DID_RECOVER"]),
        (.expiredAfterBillingRetry, ["DID_CHANGE_RENEWAL_STATUS"]),
        (.renewed, ["DID_RENEW"]),
        (.priceIncreasePending, ["PRICE_INCREASE_CONSENT"]),
        (.refundRequested, ["CONSUMPTION_REQUEST"]),
        (.familyAccessRevoked, []),
        (.expiredByChoice, []),
    ]

    @Test(arguments: versionOne)
    func `version 1 has its own types for each event`(kind: DomainEvent.Kind, types: [String]) {
        let production = NotificationV1.Circumstances(
            environment: .production, ownership: .purchased, isOtherProduct: false)
        #expect(NotificationV1.types(.subscription(kind), production) == types)
        let sandbox = NotificationV1.Circumstances(environment: .sandbox, ownership: .purchased, isOtherProduct: false)
        let unsent: Set<String> = ["DID_FAIL_TO_RENEW", "DID_RECOVER", "PRICE_INCREASE_CONSENT", "CONSUMPTION_REQUEST"]
        #expect(NotificationV1.types(.subscription(kind), sandbox) == types.filter { !unsent.contains($0) })
    }

    @Test func `family members' events are revocations, not payments`() {
        let family = NotificationV1.Circumstances(
            environment: .production, ownership: .familyShared, isOtherProduct: false)
        #expect(NotificationV1.types(.subscription(.familyAccessRevoked), family) == ["REVOKE"])
        #expect(NotificationV1.types(.subscription(.subscribed), family) == [])
        #expect(NotificationV1.types(.subscription(.subscriptionRefunded), family) == [])
    }

    @Test func `returning to another product is an interactive renewal`() {
        let other = NotificationV1.Circumstances(
            environment: .production, ownership: .purchased, isOtherProduct: true)
        #expect(
            NotificationV1.types(.subscription(.resubscribed), other)
                == ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS"])
    }
}

import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Subscriptions in a session")
struct SessionSubscriptionTests {
    private func status() async throws -> Product.SubscriptionInfo.Status {
        try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first)
    }

    @Test("A renewal by the clock arrives as a transaction of its own")
    func renewal() async throws {
        try await Fixtures.withSession { session in
            let first = try await session.buyProduct(identifier: Fixtures.weekly)
            await first.finish()
            var updates = Transaction.updates.makeAsyncIterator()
            try session.clock.advance(by: .seconds(8 * 86_400))
            let renewal = try #require(try await updates.next()?.payloadValue)
            #expect(renewal.originalID == first.id)
            #expect(renewal.reason == .renewal)
            #expect(session.allTransactions().count == 2)
            #expect(try await status().state == .subscribed)
        }
    }

    @Test("Compressed time renews by itself", .timeLimit(.minutes(1)))
    func compressed() async throws {
        try await Fixtures.withSession { session in
            session.timeRate = .oneRenewalEveryTwoSeconds
            let first = try await session.buyProduct(identifier: Fixtures.weekly)
            let length = first.expirationDate?.timeIntervalSince(first.purchaseDate)
            #expect(length == 2)
            await first.finish()
            for await update in Transaction.updates where try update.payloadValue.id != first.id {
                #expect(try update.payloadValue.originalID == first.id)
                break
            }
        }
    }

    @Test(
        "Rates have Apple's lengths",
        arguments: [
            (SKTestSession.TimeRate.realTime, 604_800.0), (.oneHourIsOneDay, 7 * 3600), (.oneSecondIsOneDay, 7),
            (.monthlyRenewalEveryHour, 900), (.monthlyRenewalEveryThirtyMinutes, 600),
            (.monthlyRenewalEveryFifteenMinutes, 300), (.monthlyRenewalEveryFiveMinutes, 180),
            (.monthlyRenewalEveryThirtySeconds, 10), (.oneRenewalEveryFifteenMinutes, 900),
            (.oneRenewalEveryFiveMinutes, 300), (.oneRenewalEveryMinute, 60), (.oneRenewalEveryThirtySeconds, 30),
            (.oneRenewalEveryTenSeconds, 10), (.oneRenewalEveryTwoSeconds, 2),
        ])
    func rates(rate: SKTestSession.TimeRate, week: TimeInterval) async throws {
        try await Fixtures.withSession { session in
            session.timeRate = rate
            let bought = try await session.buyProduct(identifier: Fixtures.weekly)
            #expect(bought.expirationDate?.timeIntervalSince(bought.purchaseDate) == week)
        }
    }

    @Test("Compressed time renews without a limit")
    func manyRenewals() async throws {
        try await Fixtures.withSession { session in
            session.timeRate = .monthlyRenewalEveryHour
            try await session.buyProduct(identifier: Fixtures.monthly)
            try session.clock.advance(by: .seconds(40 * 3600))
            #expect(session.allTransactions().count > 36)
            #expect(try await status().state == .subscribed)
        }
    }

    @Test("A forced renewal begins now, also of an expired subscription")
    func forced() async throws {
        try await Fixtures.withSession { session in
            let first = try await session.buyProduct(identifier: Fixtures.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Fixtures.monthly)
            var latest = try #require(try await Transaction.latest(for: Fixtures.monthly)?.payloadValue)
            #expect(latest.id != first.id)
            #expect(latest.originalID == first.id)
            #expect(abs(latest.purchaseDate.timeIntervalSince(session.clock.now)) < 60)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            #expect(try await status().state == .expired)
            try session.forceRenewalOfSubscription(productIdentifier: Fixtures.monthly)
            latest = try #require(try await Transaction.latest(for: Fixtures.monthly)?.payloadValue)
            #expect(session.allTransactions().count == 3)
            let status = try await status()
            #expect(status.state == .subscribed)
            #expect(try status.renewalInfo.payloadValue.willAutoRenew)
        }
    }

    @Test("An expired subscription doesn't renew and gives no access")
    func expired() async throws {
        try await Fixtures.withSession { session in
            try await session.buyProduct(identifier: Fixtures.monthly)
            try session.expireSubscription(productIdentifier: Fixtures.monthly)
            let status = try await status()
            #expect(status.state == .expired)
            #expect(try !status.renewalInfo.payloadValue.willAutoRenew)
            #expect(try status.renewalInfo.payloadValue.expirationReason == .autoRenewDisabled)
            for await _ in Transaction.currentEntitlements { Issue.record("still entitled") }
            #expect(session.allTransactions().map(\.autoRenewingEnabled) == [false])
        }
    }

    @Test("Auto-renew off and on")
    func autoRenew() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.monthly)
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(try await !status().renewalInfo.payloadValue.willAutoRenew)
            #expect(session.allTransactions().map(\.autoRenewingEnabled) == [false])
            try session.enableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(try await status().renewalInfo.payloadValue.willAutoRenew)
            let film = try await session.buyProduct(identifier: Fixtures.film)
            let error = #expect(throws: SKTestError.self) {
                try session.disableAutoRenewForTransaction(identifier: UInt(film.id))
            }
            #expect(error?.code == .invalidProductType)
        }
    }

    @Test("Billing retry with a grace period, and its end when the issue is resolved")
    func billingRetry() async throws {
        try await Fixtures.withSession { session in
            let first = try await session.buyProduct(identifier: Fixtures.weekly)
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            try session.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await status().state == .inGracePeriod)
            try session.clock.advance(by: .seconds(10 * 86_400))
            #expect(try await status().state == .inBillingRetryPeriod)
            #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
            try session.resolveIssueForTransaction(identifier: UInt(first.id))
            #expect(try await status().state == .subscribed)
            #expect(session.allTransactions().count == 2)
            #expect(session.shouldEnterBillingRetryOnRenewal)
            let error = #expect(throws: SKTestError.self) {
                try session.resolveIssueForTransaction(identifier: UInt(first.id))
            }
            #expect(error?.code == .invalidAction)
        }
    }

    @Test("Consent to a price increase, and its refusal")
    func priceIncrease() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.monthly)
            let id = UInt(bought.id)
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [true])
            #expect(try await status().renewalInfo.payloadValue.priceIncreaseStatus == .pending)
            try session.consentToPriceIncreaseForTransaction(identifier: id)
            #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [false])
            #expect(try await status().renewalInfo.payloadValue.priceIncreaseStatus == .agreed)
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            try session.declinePriceIncreaseForTransaction(identifier: id)
            #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [false])
        }
    }

    @Test("No subscription, no product, another kind of product")
    func errors() async throws {
        try await Fixtures.withSession { session in
            let codes = [
                (Fixtures.monthly, SKTestError.Code.noSubscriptionFound), ("unknown", .invalidProductIdentifier),
                (Fixtures.film, .invalidProductType),
            ]
            for (product, code) in codes {
                let error = #expect(throws: SKTestError.self) {
                    try session.expireSubscription(productIdentifier: product)
                }
                #expect(error?.code == code)
            }
        }
    }

    @Test("The introductory offer is for customers who haven't used it since clearing")
    func introductoryOffer() async throws {
        try await Fixtures.withSession { session in
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Fixtures.group))
            let bought = try await session.buyProduct(identifier: Fixtures.monthly)
            #expect(bought.offer?.type == .introductory)
            #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: Fixtures.group))
            session.clearTransactions()
            #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: Fixtures.group))
        }
    }
}

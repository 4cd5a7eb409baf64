import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Notifications from event to receiver, on a manual clock.
struct NotificationSendingTests {
    static let start = NotifyingShop.start

    @Test(arguments: Engine.allCases)
    func `each event is notified once, in order, with the state at that time`(engine: Engine) async throws {
        let fixture = try await NotifyingShop.make(on: engine)
        let first = try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.advance(to: Period(3, .month).end(after: Self.start))
        _ = try await fixture.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        try await fixture.advance(to: Period(5, .month).end(after: Self.start))
        #expect(
            try fixture.receiver.names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW", "DID_RENEW",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
            ])
        let deliveries = fixture.receiver.deliveries
        #expect(try deliveries.map { try $0.payload.data?.status } == [1, 1, 1, 1, 1, 2])
        #expect(try deliveries.map { try $0.renewal?.autoRenewStatus } == [.on, .on, .on, .on, .off, .off])
        let periods = try deliveries.prefix(4).map { try #require(try $0.transaction) }
        for (number, period) in periods.enumerated() {
            #expect(period.expiresDate == Period.month.end(after: Self.start, number: number + 1).date)
        }
        #expect(Set(try deliveries.map { try $0.payload.notificationUUID }).count == 6)
        let signed = try deliveries.map { try $0.payload.signedDate }
        #expect(signed == signed.sorted() && Set(signed).count == 6)
    }

    /// Goal: more than twice the page size arrive once each.
    @Test func `many concurrent notifications arrive once each`() async throws {
        let fixture = try await NotifyingShop.make()
        let (customers, each) = (6, 180)
        for _ in 0..<each {
            for customer in 0..<customers {
                _ = try await fixture.shop.buyAndFinish("film.roll", as: "customer\(customer)")
            }
        }
        try await fixture.deliver()
        let told = try fixture.receiver.deliveries.map { try #require(try $0.transaction) }
        #expect(told.count == customers * each)
        #expect(Set(told.map(\.transactionId)).count == told.count)
    }

    @Test func `a payload has the App Store's fields and form`() async throws {
        let fixture = try await NotifyingShop.make(kind: .sandbox)
        let sold = try await fixture.shop.buy(
            "monthly", as: "ann", username: "6a7f8c5d-2f9e-4b6a-9f0d-1c2b3a4d5e6f")
        try await fixture.deliver()
        let delivery = try #require(fixture.receiver.deliveries.first)
        let payload = try delivery.payload
        #expect(delivery.url == "https://example.com/hook")
        #expect(payload.version == "2.0")
        #expect(payload.signedDate == Self.start.date)
        #expect(payload.data?.bundleId == "com.example.magazine")
        #expect(payload.data?.appAppleId == 1_234_567)
        #expect(payload.data?.bundleVersion == "2.1")
        #expect(payload.data?.environment == .sandbox)
        #expect(
            payload.notificationUUID.wholeMatch(
                of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        let transaction = try #require(try delivery.transaction)
        #expect(transaction.transactionId == sold.id.description)
        #expect(transaction.appAccountToken?.uuidString == "6A7F8C5D-2F9E-4B6A-9F0D-1C2B3A4D5E6F")
        #expect(try delivery.renewal?.originalTransactionId == sold.id.description)
    }

    @Test func `one-time purchases and refunds carry the transaction only`() async throws {
        let fixture = try await NotifyingShop.make()
        let film = try await fixture.shop.buyAndFinish("film.roll", as: "ann")
        try await fixture.shop.refund(film, reason: .issueWithApp)
        try await fixture.deliver()
        #expect(try fixture.receiver.names == ["ONE_TIME_CHARGE", "REFUND"])
        let transactions = try fixture.receiver.deliveries.map { try #require(try $0.transaction) }
        #expect(transactions.map(\.revocationDate) == [nil, Self.start.date])
        #expect(try fixture.receiver.deliveries.allSatisfy { try $0.payload.data?.signedRenewalInfo == nil })
        #expect(try fixture.receiver.deliveries.allSatisfy { try $0.payload.data?.status == nil })
    }

    static let retryHours: [Int64] = [0, 1, 13, 37, 85, 157]

    @Test func `retries come after 1, 12, 24, 48 and 72 hours with the same bytes`() async throws {
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in
                NotificationOutcome(.unsuccessfulHTTPResponseCode, httpStatus: 500)
            })
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.advance(to: Self.start + .days(30))
        let records = try await fixture.records
        #expect(records.map(\.minutes) == [Self.retryHours.map { $0 * 60 }])
        #expect(records.first?.attempts == Array(repeating: "UNSUCCESSFUL_HTTP_RESPONSE_CODE", count: 6))
        #expect(Set(fixture.receiver.deliveries.map(\.body)).count == 1)
        #expect(fixture.receiver.deliveries.count == 6)
    }

    @Test func `a receiver that recovers gets the notification once`() async throws {
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                number < 3 ? NotificationOutcome(.timedOut) : NotificationOutcome(.success, httpStatus: 204)
            })
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.advance(to: Self.start + .days(30))
        #expect(try await fixture.records.first?.attempts == ["TIMED_OUT", "TIMED_OUT", "SUCCESS"])
        #expect(fixture.receiver.deliveries.count == 3)
    }

    @Test(arguments: [
        (StoreEnvironment.Kind.sandbox, NotificationSettings.Version.two, NotificationSettings.Retries.appStore, 1),
        (.sandbox, .two, .full, 6), (.production, .two, .none, 1), (.production, .one, .appStore, 4),
    ])
    func `the retry schedule depends on environment, version and settings`(
        kind: StoreEnvironment.Kind, version: NotificationSettings.Version, retries: NotificationSettings.Retries,
        count: Int
    ) async throws {
        let fixture = try await NotifyingShop.make(
            kind: kind,
            settings: NotificationSettings(url: "http://127.0.0.1:9/", version: version, retries: retries),
            receiver: RecordingReceiver { _, _ in NotificationOutcome(.socketIssue) })
        let sold = try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.shop.refund(sold)
        try await fixture.advance(to: Self.start + .days(30))
        #expect(try await fixture.records.last?.attempts.count == count)
    }

    @Test func `renewals and attempts happen in the order of their time`() async throws {
        let seen = Mutex<[String]>([])
        let fixture = try await NotifyingShop.make()
        let store = fixture.store
        fixture.receiver.answers { delivery, _ in
            // A receiver that calls back finds the store as the notification says.
            let id = (try? delivery.transaction?.originalTransactionId).flatMap { $0 }.flatMap { TransactionID($0) }
            if let id, let snapshot = try? await store.subscriptions.snapshot(of: id) {
                let told = (try? delivery.transaction?.transactionId).flatMap { $0 } ?? ""
                seen.withLock { $0.append(told == snapshot.transaction.id.description ? "same" : "other") }
            }
            return NotificationOutcome(.success, httpStatus: 200)
        }
        try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.shop.buy("yearly", as: "ben")
        try await fixture.advance(to: Period.year.end(after: Self.start))
        #expect(seen.withLock { $0 } == Array(repeating: "same", count: 15))
    }

    @Test func `a new receiver gets later events only`() async throws {
        let fixture = try await NotifyingShop.make(settings: nil)
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.store.notifications.configure(
            NotificationSettings(url: "https://example.com/late"), of: TestCatalog.bundleID)
        try await fixture.shop.buy("filter.amber", as: "ann")
        try await fixture.deliver()
        #expect(try fixture.receiver.deliveries.map { try $0.transaction?.productId } == ["filter.amber"])
        try await fixture.store.notifications.disable(for: TestCatalog.bundleID)
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.deliver()
        #expect(fixture.receiver.deliveries.count == 1)
        #expect(try await fixture.shop.count("notification_contents") == 1)
    }

    @Test(arguments: Engine.allCases)
    func `a crash loses no notification and changes no UUID`(engine: Engine)
        async throws
    {
        let fault = TestFault()
        let fixture = try await NotifyingShop.make(on: engine, faults: fault.reach)
        for number in 0..<20 { try await fixture.shop.buy("film.roll", as: "customer \(number)") }
        for point in FaultPoint.allCases + FaultPoint.allCases {
            fault.inject(at: point)
            try? await fixture.deliver()
            // A dead node's lease expires.
            fixture.shop.clock.advance(by: .minutes(1))
        }
        try await fixture.deliver()
        let uuids = try fixture.receiver.deliveries.map { try $0.payload.notificationUUID }
        #expect(Set(uuids).count == 20)
        #expect(try await fixture.records.allSatisfy { $0.attempts == ["SUCCESS"] })
        #expect(try await fixture.records.count == 20)
    }

    @Test func `test notifications are always version 2`() async throws {
        for version in NotificationSettings.Version.allCases {
            let fixture = try await NotifyingShop.make(
                settings: NotificationSettings(url: "https://example.com/hook", version: version))
            let uuid = try await fixture.store.notifications.requestTest(of: TestCatalog.bundleID)
            await #expect(throws: NotificationError(.testNotFound, uuid, "")) {
                try await fixture.store.notifications.testResult(uuid, of: TestCatalog.bundleID)
            }
            try await fixture.deliver()
            let payload = try #require(try fixture.receiver.deliveries.first?.payload)
            #expect(payload.notificationType == .test && payload.notificationUUID == uuid)
            #expect(payload.data?.signedTransactionInfo == nil && payload.data?.bundleVersion == nil)
            let item = try await fixture.store.notifications.testResult(uuid, of: TestCatalog.bundleID)
            #expect(item.sendAttempts.map(\.sendAttemptResult) == [.success])
            #expect(try item.signedPayload == fixture.receiver.deliveries.first?.signedPayload)
        }
    }

    @Test func `a free subscription's notification carries its transaction only`() async throws {
        let fixture = try await NotifyingShop.make()
        try await fixture.shop.buy("newsletter", as: "ann")
        try await fixture.deliver()
        let told = try #require(fixture.receiver.deliveries.first)
        #expect(try told.name == "SUBSCRIBED/INITIAL_BUY")
        let data = try #require(try told.payload.data)
        #expect(data.status == nil && data.signedRenewalInfo == nil)
        let transaction = try #require(try told.transaction)
        #expect(transaction.type.rawValue == "Auto-Renewable Subscription")
        #expect(transaction.webOrderLineItemId == nil && transaction.subscriptionGroupIdentifier == nil)
    }

    @Test func `version 1 carries the shared secret and the newest receipt`() async throws {
        let fixture = try await NotifyingShop.make(
            settings: NotificationSettings(url: "https://example.com/hook", version: .one))
        let sold = try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.deliver()
        let body = try JSONValue(try #require(fixture.receiver.deliveries.first).body)
        #expect(body["notification_type"] == "INITIAL_BUY")
        #expect(body["environment"] == "PROD")
        #expect(body["password"] == .string(TestCatalog.sharedSecret))
        #expect(body["bid"] == "com.example.magazine")
        // The date when Apple deprecates version 1, a string.
        #expect(body["deprecation"]?.text?.hasSuffix("05 Jun 2023 00:00:00 GMT") == true)
        #expect(body["auto_renew_status"] == "true")
        #expect(body["auto_renew_product_id"] == "monthly")
        #expect(body["original_transaction_id"] == .number(Double(sold.id.rawValue)))
        let unified = body["unified_receipt"]
        #expect(unified?["status"] == 0)
        #expect(unified?["latest_receipt_info"]?.elements?.first?["transaction_id"] == .string("\(sold.id)"))
        #expect(unified?["pending_renewal_info"]?.elements?.first?["auto_renew_status"] == "1")
        let receipt = try #require(unified?["latest_receipt"]?.text)
        #expect(
            try await fixture.shop.verify(
                body: Array(#"{"receipt-data":"\#(receipt)","password":"\#(TestCatalog.sharedSecret)"}"#.utf8))[
                    "status"] == 0)
    }
}

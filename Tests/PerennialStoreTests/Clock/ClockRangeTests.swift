import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import AppStoreFormats

/// The limits of a manual clock: only where signatures verify.
struct ClockRangeTests {
    @Test(arguments: [
        "1970-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2049-12-31T23:59:58Z",
        "2049-12-31T23:59:59Z", "2050-01-01T00:00:00Z", "2060-01-01T00:00:01Z", "9999-12-31T23:59:58Z",
    ])
    func `transactions at any possible clock time verify`(time: String) async throws {
        let shop = try await TestStore.make()
        let now = try #require(Instant(rfc3339: time))
        _ = try await shop.registry.makeEnvironment("far", kind: .sandbox, clock: .manual, now: now)
        let far = try await shop.environment("far")
        let sold = try await far.buy("yearly", as: "ann")
        #expect(sold.purchaseDate == now)
        for receipt in [try await far.receipt(of: "ann"), try await far.transactionReceipt(of: sold, as: "ann")] {
            #expect(try await far.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 0)
        }
        let signed = try await far.store.receipts.signedTransaction(sold, bundleID: TestCatalog.magazine().bundleID)
        _ = try TestSigning.verifier.verify(signed)
    }

    @Test(arguments: ["1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"])
    func `times outside the certificates are refused with the valid range`(time: String) async throws {
        let shop = try await TestStore.make()
        let now = try #require(Instant(rfc3339: time))
        await #expect {
            try await shop.registry.makeEnvironment("far", kind: .sandbox, clock: .manual, now: now)
        } throws: {
            let error = $0 as? StoreError
            return error == StoreError(.malformed, "", "") && error?.subject == "now"
                && error?.reason.contains("from 1970-01-01T00:00:00Z to 9999-12-31T23:59:58Z") == true
        }
    }

    @Test func `clocks stay within the validity of older certificates`() async throws {
        let span = CertificateValidity(
            notBefore: Date(timeIntervalSince1970: 946_684_800), notAfter: Date(timeIntervalSince1970: 2_840_140_800))
        let limited = try SigningIdentities.make(validity: span, receiptValidity: span)
        let shop = try await TestStore.make(signing: Signing(limited))
        let last = try #require(Instant(rfc3339: "2059-12-31T23:59:59Z"))
        await #expect(throws: StoreError(.malformed, "", "")) {
            try await shop.registry.makeEnvironment(
                "old", kind: .sandbox, clock: .manual, now: Instant(seconds: 946_684_799))
        }
        _ = try await shop.registry.makeEnvironment("old", kind: .sandbox, clock: .manual, now: TestStore.opening)
        let old = try await shop.environment("old")
        await #expect {
            try await old.store.clock.advance(to: Instant(milliseconds: last.milliseconds + 1))
        } throws: {
            ($0 as? StoreError)?.reason.contains("from 2000-01-01T00:00:00Z to 2059-12-31T23:59:59Z") == true
        }
        #expect(try await old.store.now() == TestStore.opening)
        _ = try await old.store.clock.advance(to: last)
        _ = try await old.buy("film.roll", as: "ann")
        #expect(try await old.verify(old.receipt(of: "ann"))["status"] == 0)
    }
}

import AppStoreFormats
import Crypto
import Foundation
import OpenStoreKit
import Perennial
import Testing

@Suite struct VerificationTests {
    /// Returns the outcome of verifying a JWS on a fixture's connection.
    private func outcome(_ jws: String, _ fixture: BoughtFixture) throws -> VerificationResult<Transaction> {
        try Transaction.verified(signed: jws, on: fixture.connection)
    }

    @Test func aTransactionOfTheStoreIsVerified() throws {
        let fixture = try BoughtFixture()
        let jws = try fixture.store.signed(.sold(1, "atlas"))
        let result = try outcome(jws, fixture)
        guard case .verified(let transaction) = result else { return #expect(Bool(false), "\(result)") }
        #expect(transaction.productID == "atlas")
        #expect(try result.payloadValue == transaction)
    }

    @Test func aTransactionOfAnotherRootIsUnverified() throws {
        let fixture = try BoughtFixture()
        let other = try SignedStore(signer: JWSSigner(identities: SignedStore.otherIdentities))
        let result = try outcome(try other.signed(.sold(1, "atlas")), fixture)
        guard case .unverified(let transaction, let error) = result else { return #expect(Bool(false), "\(result)") }
        #expect(error == .invalidCertificateChain)
        #expect(transaction.productID == "atlas")
        #expect(throws: VerificationResult<Transaction>.VerificationError.invalidCertificateChain) {
            try result.payloadValue
        }
        #expect(error.errorDescription != nil && error.failureReason != nil && error.recoverySuggestion != nil)
    }

    @Test func aChangedPayloadHasAnInvalidSignature() throws {
        let fixture = try BoughtFixture()
        let atlas = try fixture.store.signed(.sold(1, "atlas")).split(separator: ".")
        let globe = try fixture.store.signed(.sold(2, "globe")).split(separator: ".")
        let result = try outcome("\(atlas[0]).\(globe[1]).\(atlas[2])", fixture)
        guard case .unverified(_, .invalidSignature) = result else { return #expect(Bool(false), "\(result)") }
    }

    @Test func aTransactionOfAnotherAppOrDeviceIsUnverified() throws {
        let fixture = try BoughtFixture()
        let foreign = try fixture.store.signed(.sold(1, "atlas") { $0.bundleId = "com.example.other" })
        guard case .unverified(_, .invalidDeviceVerification) = try outcome(foreign, fixture) else {
            return #expect(Bool(false))
        }
        func signed(for device: UUID) throws -> String {
            let nonce = UUID()
            let text = nonce.uuidString.lowercased() + device.uuidString.lowercased()
            return try fixture.store.signed(
                .sold(2, "atlas") { payload in
                    payload.deviceVerificationNonce = nonce
                    payload.deviceVerification = Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
                })
        }
        guard case .unverified(_, .invalidDeviceVerification) = try outcome(signed(for: UUID()), fixture) else {
            return #expect(Bool(false))
        }
        let own = try outcome(signed(for: fixture.device.identifier), fixture)
        guard case .verified = own else { return #expect(Bool(false), "\(own)") }
        #expect(own.deviceVerification.count == 48)
    }

    @Test func partsOfTheSignedTextVerifyWithTheCertificatesKey() throws {
        let fixture = try BoughtFixture()
        let jws = try fixture.store.signed(.sold(1, "atlas"))
        let result = try outcome(jws, fixture)
        #expect(result.jwsRepresentation == jws)
        #expect(result.payloadData == result.unsafePayloadValue.jsonRepresentation)
        #expect(
            String(decoding: result.signedData, as: UTF8.self)
                == jws.split(separator: ".").dropLast().joined(separator: "."))
        let header = try #require(JSONSerialization.jsonObject(with: result.headerData) as? [String: Any])
        #expect(header["alg"] as? String == "ES256")
        #expect(result.signature.rawRepresentation == result.signatureData)
        #expect(result.signatureData.count == 64)
        #expect(result.signedDate == SignedStore.start.date)
    }

    @Test func malformedTextIsNoTransaction() throws {
        let fixture = try BoughtFixture()
        for text in ["", "a.b", "a.b.c", "..", "e30.e30.e30"] {
            #expect(throws: VerificationFailure.self) { try outcome(text, fixture) }
        }
    }

    @Test func theRootOfAConnectionWithoutRootsIsPinnedAtTheFirstContact() async throws {
        let fixture = try BoughtFixture(isPinning: true)
        fixture.store.put(.sold(1, "atlas"))
        #expect(await fixture.products(Transaction.unfinished) == ["atlas"])
        // A later launch of the app trusts the pinned root, and no other.
        let launched = try BoughtFixture(
            store: SignedStore(signer: JWSSigner(identities: SignedStore.otherIdentities)), device: fixture.device,
            isPinning: true)
        launched.store.put(.sold(1, "atlas"))
        launched.store.put(.sold(2, "forged"))
        await launched.connection.synchronize()
        #expect(await launched.products(Transaction.unfinished).contains("forged?"))
        #expect(launched.store.count("GET /certificates/root.cer") == 0)
    }

    @Test func aBackupEntitlesAnotherDeviceBeforeItsFirstContact() async throws {
        let first = try BoughtFixture()
        first.store.put(.sold(1, "atlas"), isFinished: true)
        await first.connection.synchronize()
        let backup = try first.connection.vault.exportBackup(passphrase: "plum tree", rounds: 2)
        let second = try BoughtFixture()
        second.store.set { $0.isOffline = true }
        try second.connection.vault.importBackup(backup, passphrase: "plum tree")
        #expect(second.connection.vault.entitlement(to: "atlas")?.transactionID == 1)
        #expect(await second.products(Transaction.currentEntitlements) == ["atlas"])
    }

    @Test func aSessionSimulatesFailedVerification() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"))
        fixture.connection.simulatedErrors.set(
            VerificationResult<Transaction>.VerificationError.revokedCertificate, for: .verification)
        let result = try #require(try await fixture.run { await Transaction.latest(for: "atlas") })
        guard case .unverified(_, .revokedCertificate) = result else { return #expect(Bool(false), "\(result)") }
        fixture.connection.simulatedErrors.set(nil, for: .verification)
        #expect(await fixture.products(Transaction.all) == ["atlas"])
    }

    @Test func rootsThatAreNoCertificatesLeaveEverythingUnverified() async throws {
        let store = try SignedStore()
        let jws = try store.signed(.sold(1, "atlas"))
        for junk in [Data(), Data("junk".utf8)] {
            let device = try Device()
            let connection = try device.signedConnection(store, roots: [junk], clock: .init(SignedStore.start))
            await connection.synchronize()
            #expect(connection.verification.failure(of: jws) == .invalidCertificateChain)
        }
        #expect(store.count("GET /certificates/root.cer") == 0)
    }

    @Test func bridgedErrorsHaveApplesDomainsAndCodes() {
        typealias Failure<Value> = VerificationResult<Value>.VerificationError
        let codes: [Failure<Transaction>] = [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
            .invalidSignature, .missingRequiredProperties,
        ]
        #expect(codes.map { ($0 as NSError).code } == Array(0...5))
        let domains = [
            Failure<Transaction>.invalidSignature as NSError,
            Failure<OpenStoreKit.Product.SubscriptionInfo.RenewalInfo>.invalidSignature as NSError,
            Failure<AppTransaction>.invalidSignature as NSError,
        ].map(\.domain)
        #expect(
            domains == [
                "StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError",
                "StoreKit.VerificationResult<StoreKit.Product.SubscriptionInfo.RenewalInfo>.VerificationError",
                "StoreKit.VerificationResult<StoreKit.AppTransaction>.VerificationError",
            ])
    }
}

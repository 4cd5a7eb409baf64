import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: errors of StoreKit")
struct ErrorTests {
    @Test("an SKError is an NSError with Apple's domain and code, and back")
    func bridging() throws {
        let error: any Error = SKError(.paymentCancelled)
        let bridged = error as NSError
        #expect(bridged.domain == SKErrorDomain)
        #expect(bridged.domain == "SKErrorDomain")
        #expect(bridged.code == SKError.paymentCancelled.rawValue)
        #expect((error as? SKError)?.code == .paymentCancelled)
        let underlying = NSError(domain: "ASDServerErrorDomain", code: 3038)
        let wrapped = SKError(
            _nsError: NSError(
                domain: SKErrorDomain, code: SKError.Code.unknown.rawValue, userInfo: [NSUnderlyingErrorKey: underlying]
            ))
        #expect(wrapped.code == .unknown)
        #expect((wrapped.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 3038)
    }

    @Test("an SKError can be caught by its code")
    func catching() {
        func fail() throws { throw SKError(.paymentNotAllowed, userInfo: [NSLocalizedDescriptionKey: "No."]) }
        do {
            try fail()
            Issue.record("nothing was thrown")
        } catch SKError.paymentNotAllowed {
            // As it should be.
        } catch {
            Issue.record(error)
        }
    }

    @Test(
        "codes of SKError are Apple's",
        arguments: [
            (SKError.Code.unknown, 0), (.clientInvalid, 1), (.paymentCancelled, 2), (.paymentInvalid, 3),
            (.paymentNotAllowed, 4), (.storeProductNotAvailable, 5), (.cloudServicePermissionDenied, 6),
            (.cloudServiceNetworkConnectionFailed, 7), (.cloudServiceRevoked, 8), (.privacyAcknowledgementRequired, 9),
            (.unauthorizedRequestData, 10), (.invalidOfferIdentifier, 11), (.invalidSignature, 12),
            (.missingOfferParams, 13), (.invalidOfferPrice, 14), (.overlayCancelled, 15),
            (.overlayInvalidConfiguration, 16), (.overlayTimeout, 17), (.ineligibleForOffer, 18),
            (.unsupportedPlatform, 19), (.overlayPresentedInBackgroundScene, 20),
        ])
    func codes(code: SKError.Code, rawValue: Int) {
        #expect(code.rawValue == rawValue)
        #expect(SKError.Code(rawValue: rawValue) == code)
    }

    @Test("StoreKit 2's errors have Apple's domain, codes and texts")
    func storeKitErrors() {
        let cancelled = StoreKitError.userCancelled as NSError
        #expect(cancelled.domain == "StoreKit.StoreKitError")
        #expect(cancelled.code == 3)
        #expect((StoreKitError.networkError(URLError(.timedOut)) as NSError).code == 0)
        #expect((StoreKitError.unknown as NSError).code == 2)
        #expect(StoreKitError.notEntitled.errorDescription != nil)
        #expect(Product.PurchaseError.ineligibleForOffer.errorDescription != nil)
        #expect(VerificationResult<StoreKit.Transaction>.VerificationError.invalidSignature.errorDescription != nil)
        #expect(StoreKit.Transaction.RefundRequestError.duplicateRequest.errorDescription != nil)
    }

    @Test("codes of SKTestError are Apple's")
    func testErrors() {
        #expect(SKTestError.Code.serviceUnavailable.rawValue == 0)
        #expect(SKTestError.Code.fileNotFound.rawValue == 4)
        #expect(SKTestError.Code.invalidAction.rawValue == 7)
        #expect(throws: SKTestError.self) { try SKTestSession(configurationFileNamed: "NoSuchConfiguration") }
        do {
            _ = try SKTestSession(configurationFileNamed: "NoSuchConfiguration")
        } catch SKTestError.fileNotFound {
            // As it should be.
        } catch {
            Issue.record(error)
        }
    }
}

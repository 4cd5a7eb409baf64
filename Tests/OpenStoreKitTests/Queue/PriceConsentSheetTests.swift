import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Price increases that need the customer's consent.
struct PriceConsentSheetTests {
    private final class Sheet: StoreConnection.PriceConsentSheet {
        let shown = Mutex<[String]>([])
        let answer: Bool?

        init(_ answer: Bool?) {
            self.answer = answer
        }

        func consents(toPriceOf productIdentifier: String) async -> Bool? {
            shown.withLock { $0.append(productIdentifier) }
            return answer
        }
    }

    private final class Postponing: NSObject, SKPaymentQueueDelegate, Sendable {
        func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }
    }

    private let device: Device
    private let store = FakeStore()

    init() throws {
        device = try Device()
        store.set { $0.priceConsents = [("monthly", "1000")] }
    }

    @Test(arguments: [(true, ["1000 accepted"]), (false, ["1000 declined"]), (nil, [])])
    func `an increase is shown once, and the answer sent`(answer: Bool?, sent: [String]) async {
        let sheet = Sheet(answer)
        let queue = SKPaymentQueue(connection: device.connection(store, priceConsentSheet: sheet))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        await queue.synchronize()
        #expect(sheet.shown.withLock { $0 } == ["monthly"])
        #expect(store.state.withLock { $0.priceAnswers } == sent)
    }

    @Test func `a delegate postpones the sheet until the app asks for it`() async {
        let sheet = Sheet(true)
        let queue = SKPaymentQueue(connection: device.connection(store, priceConsentSheet: sheet))
        let (recorder, delegate) = (Recorder(), Postponing())
        queue.delegate = delegate
        queue.add(recorder)
        await queue.settle()
        #expect(sheet.shown.withLock { $0 } == [])
        queue.showPriceConsentIfNeeded()
        await queue.settle()
        #expect(store.state.withLock { $0.priceAnswers } == ["1000 accepted"])
    }
}

import StoreKit
import StoreKitTest
import XCTest

/// Tests in the form that most public suites have: XCTest, with a session of `setUp` and waits that turn the main run loop.
final class ShopXCTests: XCTestCase {
    private static let configuration = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("StoreKitUsageTests/Fixtures/Magazine.storekit")
    private static let silver = "com.example.photomag.filter.silver"

    private final class Observer: NSObject, SKPaymentTransactionObserver {
        let bought: XCTestExpectation

        init(_ bought: XCTestExpectation) {
            self.bought = bought
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                queue.finishTransaction(transaction)
                bought.fulfill()
            }
        }
    }

    private var session: SKTestSession!
    private var listener: Task<Void, Never>?
    private var updated: XCTestExpectation!

    override func setUpWithError() throws {
        session = try SKTestSession(contentsOf: Self.configuration)
        session.disableDialogs = true
        session.clearTransactions()
        // No expectation of the test case: not each test waits for it.
        let updated = XCTestExpectation(description: "an update")
        updated.assertForOverFulfill = false
        self.updated = updated
        listener = Task.detached {
            for await result in Transaction.updates where (try? result.payloadValue) != nil { updated.fulfill() }
        }
    }

    override func tearDown() {
        listener?.cancel()
        session = nil
    }

    func testObserverGetsPayment() {
        let bought = expectation(description: "bought")
        let observer = Observer(bought)
        SKPaymentQueue.default().add(observer)
        let payment = SKMutablePayment()
        payment.productIdentifier = Self.silver
        SKPaymentQueue.default().add(payment)
        wait(for: [bought, updated], timeout: 60)
        SKPaymentQueue.default().remove(observer)
        XCTAssertEqual(session.allTransactions().map(\.productIdentifier), [Self.silver])
    }

    func testListenerGetsPurchaseOfSession() async throws {
        try await session.buyProduct(identifier: Self.silver)
        await fulfillment(of: [updated], timeout: 60)
        let latest = await Transaction.latest(for: Self.silver)
        XCTAssertEqual(try latest?.payloadValue.productID, Self.silver)
    }

    func testSkipsWithoutProducts() async throws {
        let products = try await Product.products(for: ["unknown"])
        try XCTSkipIf(products.isEmpty, "no such product")
        XCTFail("a product that the file doesn't have")
    }
}

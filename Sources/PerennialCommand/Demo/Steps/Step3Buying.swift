import OpenStoreKit

/// All five types are bought; three purchases fail, each for another reason.
struct Buying: Step {
    static let title = "Greta buys all five types, and three purchases fail"

    let demo: DemoEnvironment

    private var phone: Device { demo.greta }

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        let start = phone.observer.mark
        try await buyAll(printer)
        try await fail(printer)
        let seen = phone.observer
        let counts = [SKPaymentTransactionState.purchasing, .purchased, .failed].map {
            seen.transactions($0, since: start).count
        }
        try expect("how often the observer saw purchasing, purchased, failed", counts, is: [8, 5, 3])
        return ((), "The queue's observer saw purchasing 8 times, purchased 5 times, failed 3 times.")
    }

    private func buyAll(_ printer: Printer) async throws {
        let orders: [(name: String, quantity: Int, finishes: Bool)] = [
            ("film.roll", 4, true), ("filter.silver", 1, false), ("archive.1week", 1, false),
            ("newsletter.free", 1, true), ("magazine.monthly", 1, true),
        ]
        for (name, quantity, finishes) in orders {
            let product = try await phone.product(name)
            let count = quantity > 1 ? " × \(quantity)" : ""
            printer.sent(
                phone.name, "SKPayment \(name)\(count), \(product.storeType), \(product.storeDisplayPrice)")
            let outcome = try await phone.buy(product, quantity: quantity)
            try expect("the course of buying \(name)", outcome.course, is: "purchasing, purchased")
            try expect("the quantity bought", outcome.transaction.payment.quantity, is: quantity)
            let number = try required("a transaction's number", outcome.transaction.transactionIdentifier)
            // A purchase in which Delivery has a part is finished when Delivery has done it.
            if finishes { try await phone.finish(outcome.transaction) }
            printer.came("\(outcome.course): \(number)\(finishes ? ", finished" : "")")
        }
    }

    private func fail(_ printer: Printer) async throws {
        let portraits = try await phone.product("special.portraits")
        phone.sheet.says(.cancel)
        printer.sent(phone.name, "SKPayment special.portraits, but Greta taps Cancel")
        try await fails(portraits, with: .paymentCancelled, word: nil, printer)
        phone.sheet.says(.buy)

        try await demo.control.account(of: .greta, hasValidCard: false)
        printer.sent(phone.name, "SKPayment special.portraits, with a card that the operator made decline")
        try await fails(portraits, with: .unknown, word: "paymentDeclined", printer)
        try await demo.control.account(of: .greta)

        printer.sent(phone.name, "SKPayment archive.1week, while the first week still runs")
        try await fails(
            try await phone.product("archive.1week"), with: .paymentInvalid, word: "termStillRunning", printer)
    }

    private func fails(
        _ product: SKProduct, with code: SKError.Code, word: String?, _ printer: Printer
    ) async throws {
        let outcome = try await phone.buy(product)
        try expect("the course of the payment", outcome.course, is: "purchasing, failed")
        let error = try required("the error", outcome.transaction.error as? SKError)
        try expect("StoreKit's error code", error.code, is: code)
        try expect("the store's word", error.userInfo[SKStoreErrorCodeKey] as? String, is: word)
        try await phone.finish(outcome.transaction)
        printer.came("\(outcome.course): \(error.asApp)")
    }
}

import OpenStoreKit

/// All five types are bought; three purchases fail, each for another reason.
struct Buying: Step {
    static let title = "Greta buys all five types, and three purchases fail"

    let stage: Stage

    private var phone: Device { stage.greta }

    func play(_ narrator: Narrator) async throws -> (outcome: Void, proof: String) {
        let start = phone.witness.mark
        try await buyAll(narrator)
        try await fail(narrator)
        let seen = phone.witness
        let counts = [SKPaymentTransactionState.purchasing, .purchased, .failed].map {
            seen.transactions($0, since: start).count
        }
        try expect("how often the observer saw purchasing, purchased, failed", counts, is: [8, 5, 3])
        return ((), "The queue's observer saw purchasing 8 times, purchased 5 times, failed 3 times.")
    }

    private func buyAll(_ narrator: Narrator) async throws {
        let orders: [(name: String, quantity: Int, finishes: Bool)] = [
            ("film.roll", 4, true), ("filter.silver", 1, false), ("archive.1week", 1, false),
            ("newsletter.free", 1, true), ("magazine.monthly", 1, true),
        ]
        for (name, quantity, finishes) in orders {
            let product = try await phone.product(name)
            let count = quantity > 1 ? " × \(quantity)" : ""
            narrator.sent(
                phone.name, "SKPayment \(name)\(count), \(product.productType.rawValue), \(product.displayPrice)")
            let outcome = try await phone.buy(product, quantity: quantity)
            try expect("the course of buying \(name)", outcome.course, is: "purchasing, purchased")
            try expect("the quantity bought", outcome.transaction.payment.quantity, is: quantity)
            let number = try required("a transaction's number", outcome.transaction.transactionIdentifier)
            // What Delivery has a part in is finished when Delivery has done it.
            if finishes { try await phone.finish(outcome.transaction) }
            narrator.came("\(outcome.course): \(number)\(finishes ? ", finished" : "")")
        }
    }

    private func fail(_ narrator: Narrator) async throws {
        let portraits = try await phone.product("special.portraits")
        phone.sheet.says(.cancel)
        narrator.sent(phone.name, "SKPayment special.portraits, but Greta taps Cancel")
        try await fails(portraits, with: .paymentCancelled, word: nil, narrator)
        phone.sheet.says(.buy)

        try await stage.control.account(of: .greta, hasValidCard: false)
        narrator.sent(phone.name, "SKPayment special.portraits, with a card that the operator made decline")
        try await fails(portraits, with: .unknown, word: "paymentDeclined", narrator)
        try await stage.control.account(of: .greta)

        narrator.sent(phone.name, "SKPayment archive.1week, while the first week still runs")
        try await fails(
            try await phone.product("archive.1week"), with: .paymentInvalid, word: "termStillRunning", narrator)
    }

    private func fails(
        _ product: SKProduct, with code: SKError.Code, word: String?, _ narrator: Narrator
    ) async throws {
        let outcome = try await phone.buy(product)
        try expect("the course of the payment", outcome.course, is: "purchasing, failed")
        let error = try required("the error", outcome.transaction.error as? SKError)
        try expect("StoreKit's error code", error.code, is: code)
        try expect("the store's word", error.storeErrorCode, is: word)
        try await phone.finish(outcome.transaction)
        narrator.came("\(outcome.course): \(error.asApp)")
    }
}

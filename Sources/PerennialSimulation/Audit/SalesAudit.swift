import Perennial

/// Checks that what was sold in a step was on sale, at the price in force.
struct SalesAudit {
    /// The seller's knowledge before and after the step. Of an edit in the step either side counts.
    let sellers: [SellerModel]
    /// Milliseconds by which the clocks of the nodes differ.
    let lag: Int64

    /// - Parameter transactions: The new transactions of a customer.
    /// - Throws: ``Violation``.
    func check(_ transactions: [Transaction]) throws(Violation) {
        for transaction in transactions {
            let isAgain = transaction.type != .autoRenewable && transaction.originalID != transaction.id
            guard transaction.reason == .purchase, transaction.ownership == .purchased, !isAgain else { continue }
            let (product, storefront) = (transaction.productID, transaction.storefront)
            guard sellers.contains(where: { $0.isSold(product, in: storefront) }) else {
                throw Violation(
                    .soldUnavailable, "\(transaction.id), \(product), was sold in \(storefront), where it isn't on sale"
                )
            }
            guard transaction.offer == nil else { continue }
            let prices = prices(of: transaction)
            guard CommonRules.isCharged(transaction.price, for: transaction.quantity, among: prices) else {
                throw Violation(
                    .wrongCharge,
                    "\(transaction.id), \(product), was sold for \(transaction.price) in \(storefront), where it costs "
                        + "\(prices.map(\.description).sorted())")
            }
        }
    }

    /// The prices that were in force at the time of a purchase. Its date is in whole seconds, and may be of the other clock.
    private func prices(of transaction: Transaction) -> Set<Money> {
        let times = [-lag - 1_000, 0, lag + 1_000].map { transaction.purchaseDate + $0 }
        return Set(
            sellers.flatMap { seller in
                times.compactMap { seller.price(of: transaction.productID, in: transaction.storefront, at: $0) }
            })
    }
}

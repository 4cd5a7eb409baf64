import AppStoreFormats
import Perennial
import PerennialDelivery

/// An answer of verifyReceipt in words: the verdict and the purchases.
struct VerificationReport {
    /// The fields of the answer that the verdict needs.
    struct Answer: Decodable {
        var status: VerifyReceiptStatus
        var environment: String?
    }

    let answer: Answer
    private let receipt: AuthenticReceipt?

    init(_ answer: Answer, _ json: [UInt8]) {
        self.answer = answer
        let side: StoreEnvironment.Kind =
            answer.environment == StoreEnvironment.Kind.production.rawValue ? .production : .sandbox
        switch ReceiptVerdict(VerifyReceiptAnswer(httpStatus: 200, body: json), from: side) {
        case .authentic(let receipt): self.receipt = receipt
        default: receipt = nil
        }
    }

    var isAuthentic: Bool { answer.status == .valid || answer.status == .subscriptionExpired }

    var text: String {
        let verdict = TerminalTable([
            ("Status", "\(answer.status.rawValue), \(answer.status.meaning)"),
            ("Environment", answer.environment),
            ("App", receipt?.bundleID.rawValue),
            ("Purchases", receipt.map { "\($0.purchases.count)" }),
        ]).text
        guard let purchases = receipt?.purchases, !purchases.isEmpty else { return verdict }
        let table = TerminalTable(
            ["PRODUCT", "TRANSACTION", "ORIGINAL", "QUANTITY", "PURCHASED", "EXPIRES", "CANCELLED"],
            purchases.map { purchase in
                [
                    purchase.productID.rawValue, purchase.transactionID.description,
                    purchase.originalTransactionID.description, "\(purchase.quantity)",
                    purchase.purchaseDate.rfc3339(), purchase.expiresDate?.rfc3339() ?? "-",
                    purchase.cancellationDate?.rfc3339() ?? "-",
                ]
            })
        return verdict + "\n\n" + table.text
    }
}

extension VerifyReceiptStatus {
    /// The meaning of the number.
    var meaning: String {
        switch self {
        case .valid: "the receipt is authentic"
        case .notAPost: "the request was not a POST"
        case .obsolete: "a status that is no longer used"
        case .malformedReceipt: "this is no receipt, or a damaged one"
        case .notAuthentic: "the receipt was not signed by this store, or was changed since"
        case .wrongSharedSecret: "the shared secret is missing or is not the app's: say --shared-secret"
        case .temporarilyUnavailable: "the store can't answer now: ask again"
        case .subscriptionExpired: "the receipt is authentic, but its subscription has expired"
        case .sandboxReceipt: "a receipt of Sandbox: ask Sandbox"
        case .productionReceipt: "a receipt of Production: ask Production"
        case .internalDataAccess: "the store can't read its data now: ask again"
        case .accountNotFound: "the customer is not known here, or the environment was reset"
        case _ where Self.internalErrors.contains(rawValue): "an error inside the store"
        default: "a status that Apple doesn't document"
        }
    }
}

import AppStoreFormats

/// Answers of verifyReceipt that need no store.
package enum VerifyReceipt {
    /// The request was no POST.
    package static let notPosted = VerifyReceiptResponse(status: .notAPost).encoded()
    /// The body is beyond what Apple reads.
    package static let tooLarge = VerifyReceiptResponse(status: .malformedReceipt).encoded()
}

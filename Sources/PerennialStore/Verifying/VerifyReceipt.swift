import AppStoreFormats
import PerennialStorage

/// Answers of verifyReceipt that need no store.
package enum VerifyReceipt {
    /// The request was no POST.
    package static let notPosted = VerifyReceiptResponse(status: .notAPost).encoded()
    /// The body is beyond what Apple reads.
    package static let tooLarge = VerifyReceiptResponse(status: .malformedReceipt).encoded()

    /// What is answered where the database can't be reached.
    package static func failed(_ error: any Error) -> [UInt8] {
        VerifyReceiptResponse(status: status(of: error)).encoded()
    }

    /// A database that is busy or gone for a while: 21005. One that doesn't make sense: 21009.
    static func status(of error: any Error) -> VerifyReceiptStatus {
        switch (error as? StorageError)?.code {
        case .busy, .overloaded, .serialization, .connectionLost, .unresponsive, .cannotOpen, .closed, .resources,
            .writesStopped:
            .temporarilyUnavailable
        default: .internalDataAccess
        }
    }
}
